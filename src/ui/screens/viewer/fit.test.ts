import { describe, expect, it } from 'vitest'
import { ballOf } from '../../../viewer/ball.ts'
import { rotationMatrix } from '../../../folding/molecule/vectors.ts'
import { FIT_DISTANCE, lensOf, multiply, turnAbout } from '../../../viewer/camera.ts'
import type { Camera } from '../../../viewer/viewer.types.ts'
import { fittingCamera } from './fit.ts'

/** A rod along an arbitrary axis, 60 Å long. */
const rod = Float32Array.from(
  { length: 61 * 3 },
  (_, at) => ([0.48, 0.64, 0.6][at % 3] ?? 0) * (Math.floor(at / 3) - 30),
)
const sizes = [
  [1200, 600],
  [360, 480],
] as const

/** Maximum distance of an atom from the center, as a share of half the view, over a full rotation. */
function reach(camera: Camera, size: readonly [number, number]) {
  const ball = ballOf(rod)
  const [wide, high] = lensOf(...size)
  let most = [0, 0] as [number, number]
  for (let step = 0; step < 36; step++) {
    const matrix = rotationMatrix(multiply(turnAbout([0, 1, 0], (step * Math.PI) / 18), camera.rotation))
    for (let at = 0; at < rod.length; at += 3) {
      const place = ball.center.map((middle, axis) => (rod[at + axis] ?? 0) - middle)
      const [x = 0, y = 0, z = 0] = [0, 1, 2].map(row =>
        place.reduce((sum, value, axis) => sum + (matrix[row + axis * 3] ?? 0) * value, 0),
      )
      const depth = camera.distance * ball.radius - z
      most = [Math.max(most[0], Math.abs(x) / depth / wide), Math.max(most[1], Math.abs(y) / depth / high)]
    }
  }
  return most
}

describe('a fitted molecule', () => {
  it.each(sizes)(
    'stays in view at any rotation, closer than its bounding sphere would allow, in %d × %d',
    (...size) => {
      const camera = fittingCamera(rod, ballOf(rod), size)
      const [across, up] = reach(camera, size)
      expect(Math.max(across, up)).toBeLessThan(1)
      expect(Math.max(across, up)).toBeGreaterThan(0.7)
      expect(camera.distance).toBeLessThan(FIT_DISTANCE)
    },
  )

  it('has its longest axis along the longer side', () => {
    const [wide, high] = sizes.map(size => rotationMatrix(fittingCamera(rod, ballOf(rod), size).rotation))
    const along = (matrix: readonly number[] = [], row: number) =>
      Math.abs([0.48, 0.64, 0.6].reduce((sum, value, axis) => sum + (matrix[row + axis * 3] ?? 0) * value, 0))
    expect(along(wide, 0)).toEqual(expect.closeTo(1, 5))
    expect(along(high, 1)).toEqual(expect.closeTo(1, 5))
  })

  it('is centered in the space that captions and controls leave', () => {
    const [free, covered] = [undefined, { above: 40, below: 100 }].map(over =>
      fittingCamera(rod, ballOf(rod), sizes[1], over),
    )
    if (free === undefined || covered === undefined) throw new Error('There is no camera.')
    expect(covered.distance / free.distance).toBeGreaterThan(1.2)
    expect(free.pan).toEqual([0, 0])
    // Thirty pixels up, converted to radii at the distance of the molecule's center.
    const pixelsPerRadius = sizes[1][0] / 2 / Math.tan(Math.PI / 12) / covered.distance
    expect(covered.pan[1] * pixelsPerRadius).toBeCloseTo(30, 5)
  })

  it('keeps a given rotation', () => {
    const rotation = turnAbout([1, 2, 3], 0.7)
    expect(fittingCamera(rod, ballOf(rod), sizes[0], undefined, rotation).rotation).toEqual(rotation)
  })

  it.each([[[]], [[1, 1, 1]], [[NaN, 0, 0]]])('gets a valid camera for positions %j', places => {
    const positions = Float32Array.from(places)
    const { distance, rotation } = fittingCamera(positions, ballOf(positions), sizes[0])
    expect(distance > 0).toBe(true)
    expect(Number.isFinite(distance)).toBe(true)
    expect(rotation.every(Number.isFinite)).toBe(true)
  })
})

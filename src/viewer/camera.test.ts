import fc from 'fast-check'
import { rotationMatrix } from '../folding/molecule/vectors.ts'
import { describe, expect, it } from 'vitest'
import {
  angleOf,
  dragTurn,
  FARTHEST,
  FIT_DISTANCE,
  fitCamera,
  lensOf,
  multiply,
  NEAREST,
  panCamera,
  scaleTurn,
  spinOn,
  SPIN_TIME,
  turnAbout,
  turnCamera,
  VIEW_ANGLE,
  ZOOM_STEP,
  zoomCamera,
  type Quaternion,
} from './camera.ts'

const size = [800, 600] as const
function close(actual: readonly number[], expected: readonly number[]) {
  expect(actual).toHaveLength(expected.length)
  actual.forEach((value, at) => expect(value).toBeCloseTo(expected[at] ?? Number.NaN, 6))
}
function turned(rotation: Quaternion, [x, y, z]: readonly [number, number, number]) {
  const m = rotationMatrix(rotation)
  const row = (at: number) => (m[at] ?? 0) * x + (m[at + 3] ?? 0) * y + (m[at + 6] ?? 0) * z
  return [row(0), row(1), row(2)]
}
const quaternion = fc
  .tuple(
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: -9, max: 9 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([x, y, z, w]): Quaternion => multiply([0, 0, 0, 1], [x, y, z, w]))

describe('rotation', () => {
  it('follows the right-hand rule', () => {
    close(turned(turnAbout([0, 0, 5], Math.PI / 2), [1, 0, 0]), [0, 1, 0])
    close(turned(turnAbout([0, 1, 0], Math.PI / 2), [0, 0, 1]), [1, 0, 0])
  })

  it('combines from right to left and keeps lengths', () => {
    fc.assert(
      fc.property(quaternion, quaternion, (a, b) => {
        const [x = 0, y = 0, z = 0] = turned(b, [1, 2, 3])
        close(turned(multiply(a, b), [1, 2, 3]), turned(a, [x, y, z]))
        expect(Math.hypot(...turned(a, [1, 2, 3]))).toBeCloseTo(Math.hypot(1, 2, 3), 6)
      }),
    )
  })

  it('about a zero axis, or by NaN, is none', () => {
    close(turnAbout([0, 0, 0], 1), [0, 0, 0, 1])
    close(turnAbout([0, 1, 0], Number.NaN), [0, 0, 0, 1])
    close(multiply([0, 0, 0, 0], [0, 0, 0, 1]), [0, 0, 0, 1])
  })

  it('of a camera is about the axes of the screen', () => {
    const tilted = turnCamera(fitCamera(), [1, 0, 0], 1)
    close(
      turnCamera(tilted, [0, 0, 1], Math.PI / 2).rotation,
      multiply(turnAbout([0, 0, 1], Math.PI / 2), tilted.rotation),
    )
  })
})

describe('a drag', () => {
  it('moves the front with the pointer', () => {
    const [x = 0, y = 0] = turned(dragTurn([400, 300], [440, 300], size), [0, 0, 1])
    expect(x).toBeGreaterThan(0.1)
    expect(y).toBeCloseTo(0, 6)
    expect(turned(dragTurn([400, 300], [400, 260], size), [0, 0, 1])[1]).toBeGreaterThan(0.1)
  })

  it('keeps the point under the pointer there', () => {
    const [x = 0, y = 0] = turned(dragTurn([400, 300], [460, 270], size), [0, 0, 1])
    close([x, y], [60 / 300, 30 / 300])
  })

  it('around the rim turns about the line of sight', () => {
    const [x, y, z] = dragTurn([4000, 300], [400, -3300], size)
    expect(Math.abs(x) + Math.abs(y)).toBeLessThan(0.2)
    expect(z).toBeGreaterThan(0.6)
  })

  it('to the same point rotates nothing', () => {
    close(dragTurn([10, 20], [10, 20], size), [0, 0, 0, 1])
  })
})

describe('inertia', () => {
  it('keeps the axis and decays', () => {
    const turn = turnAbout([0, 1, 0], 0.2)
    const later = spinOn(turn, SPIN_TIME)
    expect(angleOf(later)).toBeCloseTo(0.2 / Math.E, 6)
    close(scaleTurn(turn, 1), turn)
    close(scaleTurn(turn, 0), [0, 0, 0, 1])
    expect(later[1]).toBeGreaterThan(0)
  })
})

describe('zoom', () => {
  it('has steps of 0.95 and limits', () => {
    const camera = fitCamera()
    expect(zoomCamera(camera, 1).distance).toBeCloseTo(FIT_DISTANCE * ZOOM_STEP, 6)
    expect(zoomCamera(zoomCamera(camera, 3), -3).distance).toBeCloseTo(FIT_DISTANCE, 6)
    expect(zoomCamera(camera, 1000).distance).toBe(NEAREST)
    expect(zoomCamera(camera, -1000).distance).toBe(FARTHEST)
  })

  it('shows the whole sphere at the fit distance, however narrow the view', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 4000 }), (width, height) => {
        const [wide, high] = lensOf(width, height)
        expect(wide / high).toBeCloseTo(width / height, 4)
        const rim = Math.tan(Math.asin(1 / FIT_DISTANCE))
        expect(rim).toBeLessThan(Math.min(wide, high))
        expect(rim).toBeGreaterThan(Math.min(wide, high) * 0.9)
      }),
    )
  })
})

describe('panning', () => {
  it('keeps the sphere’s center under the pointer', () => {
    const { pan, distance } = panCamera(fitCamera(), [30, -60], size)
    const pixelsPerRadius = 600 / (2 * Math.tan(VIEW_ANGLE / 2) * distance)
    close(
      pan.map(radii => radii * pixelsPerRadius),
      [30, 60],
    )
  })
})

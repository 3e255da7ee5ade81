import { describe, expect, it } from 'vitest'
import { alphaHelix } from '../../test/molecule/helix.ts'
import { moleculeOfPlaces } from '../../test/molecule/sample.ts'
import { polymersOf } from '../folding/molecule/polymers.ts'
import { kindsOf } from '../folding/molecule/kinds.ts'
import { ballOf } from './ball.ts'
import { fitCamera, turnCamera } from './camera.ts'
import { stillShapes, type StillView } from './still.ts'

function viewOf(frame: Float32Array, camera = fitCamera()): StillView {
  return {
    camera,
    ball: ballOf(frame),
    size: [400, 300],
    theme: 'light',
  }
}

describe('a still picture', () => {
  it('draws what is nearer over what is farther, where the camera sees it', () => {
    const { molecule, frame } = moleculeOfPlaces([
      [0, 0, 4],
      [0, 0, -4],
      [3, 0, 0],
      [0, 3, 0],
    ])
    const shapes = stillShapes(molecule, frame, viewOf(frame))
    expect(shapes.map(({ distance }) => distance)).toEqual(shapes.map(({ distance }) => distance).sort((a, b) => b - a))
    const [back, right, , front] = [shapes[0], ...shapes.slice(1)]
    expect([back?.distance, front?.distance].map(value => Math.round(value ?? 0))).toEqual(
      [4, -4].map(z => Math.round(fitCamera().distance * ballOf(frame).radius + z)),
    )
    expect((front?.radius ?? 0) > (back?.radius ?? 0)).toBe(true)
    expect(right).toBeDefined()
    const places = shapes.map(({ points: [[x, y] = [0, 0]] }) => [
      Math.sign(Math.round(x - 200)),
      Math.sign(Math.round(y - 150)),
    ])
    // The sphere's center is between the atoms: above and to the right of the first two.
    expect(places).toContainEqual([1, 1])
    expect(places).toContainEqual([-1, -1])
    const behind = stillShapes(molecule, frame, viewOf(frame, turnCamera(fitCamera(), [0, 1, 0], Math.PI)))
    expect(behind[0]?.distance).toBeCloseTo(back?.distance ?? NaN, 5)
  })

  it('draws a backbone as lit faces, without its atoms, and neither where atoms have no place', () => {
    const helix = alphaHelix(10)
    const polymers = polymersOf(helix)
    const { molecule } = moleculeOfPlaces(
      helix.residues.flatMap(() => [0, 1, 2, 3].map(() => [0, 0, 0] as const)),
      [...helix.classes],
      [...helix.bonds],
    )
    const whole = { ...molecule, polymers, kinds: kindsOf(helix, polymers).kinds }
    const faces = (frame: Float32Array) =>
      stillShapes(whole, frame, viewOf(helix.frame)).map(({ points, color }) => ({ points, color }))
    const shown = faces(helix.frame)
    expect(shown.every(({ points }) => points.length === 3)).toBe(true)
    expect(shown.every(({ points }) => points.every(([x, y]) => x > 0 && x < 400 && y > 0 && y < 300))).toBe(true)
    expect(new Set(shown.map(({ color }) => Math.round(color[0] ?? 0))).size).toBeGreaterThan(10)
    const cut = faces(helix.frame.map((value, at) => (at >= 12 && at < 24 ? NaN : value)))
    expect(cut.length).toBeGreaterThan(0)
    expect(cut.length).toBeLessThan(shown.length)
    expect(cut.flatMap(({ points }) => points.flat()).every(Number.isFinite)).toBe(true)
  })
})

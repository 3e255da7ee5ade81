import { describe, expect, it } from 'vitest'
import { alphaHelix } from '../../test/molecule/helix.ts'
import { moleculeOfPlaces } from '../../test/molecule/sample.ts'
import { polymersOf } from '../folding/molecule/polymers.ts'
import { kindsOf } from '../folding/molecule/kinds.ts'
import { ballOf } from './ball.ts'
import { fitCamera, turnCamera } from './camera.ts'
import { drawStill, type StillView } from './still.ts'

const [WIDTH, HEIGHT] = [400, 300]

function viewOf(frame: Float32Array, camera = fitCamera()): StillView {
  return { camera, ball: ballOf(frame), size: [WIDTH, HEIGHT], theme: 'light' }
}

function colorAt(pixels: Uint8ClampedArray, x: number, y: number): readonly number[] {
  const at = (Math.round(y) * WIDTH + Math.round(x)) * 4
  return [...pixels.slice(at, at + 4)]
}

function shownIn(pixels: Uint8ClampedArray): { readonly count: number; readonly colors: number } {
  const colors = new Set<string>()
  let count = 0
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels[at + 3] !== 255) continue
    count += 1
    colors.add(pixels.slice(at, at + 3).join())
  }
  return { count, colors: colors.size }
}

function helixOf(residues: number) {
  const helix = alphaHelix(residues)
  const polymers = polymersOf(helix)
  const { molecule } = moleculeOfPlaces(
    helix.residues.flatMap(() => [0, 1, 2, 3].map(() => [0, 0, 0] as const)),
    [...helix.classes],
    [...helix.bonds],
  )
  return { helix, whole: { ...molecule, polymers, kinds: kindsOf(helix, polymers).kinds } }
}

describe('a still picture', () => {
  it('draws what is nearer over what is farther, where the camera sees it', () => {
    const [CARBON, OXYGEN] = [0, 3]
    const { molecule, frame } = moleculeOfPlaces(
      [
        [0, 0, 4],
        [0, 0, -4],
        [4, 0, 0],
        [0, 4, 0],
      ],
      [OXYGEN, CARBON, CARBON, CARBON],
    )
    const view = viewOf(frame)
    const [front, behind] = [view, viewOf(frame, turnCamera(fitCamera(), [0, 1, 0], Math.PI))].map(seen =>
      drawStill(molecule, frame, seen),
    )
    if (front === undefined || behind === undefined) throw new Error('There are no pictures.')
    // The sphere's center is between the atoms: above and to the right of the first two.
    const scale = HEIGHT / 2 / Math.tan(Math.PI / 12) / (view.camera.distance * view.ball.radius)
    const [x, y] = [WIDTH / 2 - 2 * scale, HEIGHT / 2 + 2 * scale]
    const [red = 0, green = 0] = colorAt(front, x, y)
    expect(red).toBeGreaterThan(green + 50)
    const [grayRed = 0, grayGreen = 0] = colorAt(behind, WIDTH / 2 + 2 * scale, y)
    expect(Math.abs(grayRed - grayGreen)).toBeLessThan(20)
    expect(colorAt(front, WIDTH / 2 + 2 * scale, y)[3]).toBe(255)
    expect(colorAt(front, x, HEIGHT / 2 - 2 * scale)[3]).toBe(255)
    expect(colorAt(front, WIDTH / 2 + 3 * scale, HEIGHT / 2 - 3 * scale)[3]).toBe(0)
  })

  it('draws a backbone as a lit ribbon, without its atoms, and neither where atoms have no place', () => {
    const { helix, whole } = helixOf(10)
    const draw = (frame: Float32Array) => shownIn(drawStill(whole, frame, viewOf(helix.frame)))
    const shown = draw(helix.frame)
    expect(shown.colors).toBeGreaterThan(100)
    const cut = draw(helix.frame.map((value, at) => (at >= 12 && at < 24 ? NaN : value)))
    expect(cut.count).toBeGreaterThan(0)
    expect(cut.count).toBeLessThan(shown.count * 0.95)
  })

  it('looks the same with few faces: another cartoon of the same chain covers the same pixels within 12 %', () => {
    const { helix, whole } = helixOf(60)
    const view = viewOf(helix.frame)
    const fine = shownIn(drawStill(whole, helix.frame, view))
    // Many chains share the faces, so each is coarse; only the first has places.
    const chains = Array.from({ length: 12 }, (_, at) =>
      whole.polymers.peptides.flatMap(chain =>
        chain.map(residue => ({
          ...residue,
          n: residue.n + at * 240,
          ca: residue.ca + at * 240,
          c: residue.c + at * 240,
          o: residue.o + at * 240,
        })),
      ),
    )
    const coarse = shownIn(drawStill({ ...whole, polymers: { peptides: chains, strands: [] } }, helix.frame, view))
    expect(Math.abs(coarse.count / fine.count - 1)).toBeLessThan(0.12)
  })
})

import { expect, it } from 'vitest'
import { cartoonOf, type Cartoon } from './cartoon.ts'
import { kindsOf, POLYMER } from './kinds.ts'
import { moleculeOf, polymerChains } from './molecule.ts'
import { polymersOf } from './polymers.ts'
import { secondaryStructure } from './secondary-structure.ts'
import { alphaHelix } from '../../../test/molecule/helix.ts'

const { classes, bonds, frame, residues } = alphaHelix(16)
const polymers = polymersOf({ classes, bonds })

it('a chain of alanines has one peptide with all its residues, from the N end', () => {
  expect(polymers.peptides.map(chain => chain.map(({ ca }) => ca))).toEqual([residues.map(({ ca }) => ca)])
  expect(polymers.strands).toEqual([])
  const { kinds, residues: numbers } = kindsOf({ classes, bonds }, polymers)
  expect(new Set(kinds)).toEqual(new Set([POLYMER]))
  expect(residues.map(({ o }) => numbers[o])).toEqual(residues.map((_, at) => at + 1))
})

it('an ideal helix is one, except at its ends', () => {
  const [classes = new Uint8Array()] = secondaryStructure(polymers.peptides, frame)
  expect([...classes].map(value => '-HE'.charAt(value)).join('')).toMatch(/^-H{12,14}-{1,3}$/)
})

it('a ribbon stays near the backbone, and its normals have length 1', () => {
  const cartoon = cartoonOf(polymers, Infinity)
  if (cartoon === undefined) throw new Error('There is no cartoon.')
  const [places, normals] = [new Float32Array(cartoon.atoms.length * 3), new Float32Array(cartoon.atoms.length * 3)]
  Array.from(cartoon.place(frame, places, normals))
  for (let corner = 0; corner < cartoon.atoms.length; corner++) {
    const [point, normal] = [places, normals].map(list => list.subarray(corner * 3, corner * 3 + 3))
    const nearest = Math.min(
      ...residues.map(({ ca }) =>
        Math.hypot(...[0, 1, 2].map(axis => (point?.[axis] ?? NaN) - (frame[ca * 3 + axis] ?? NaN))),
      ),
    )
    expect(nearest).toBeLessThan(3.2)
    expect(Math.hypot(...(normal ?? []))).toBeCloseTo(1, 3)
  }
  expect(Math.max(...cartoon.triangles)).toBe(cartoon.atoms.length - 1)
})

/** The middle of each cross-section. */
function middlesOf(cartoon: Cartoon | undefined, frame: Float32Array, sides = 8): readonly (readonly number[])[] {
  const corners = cartoon?.atoms.length ?? 0
  const places = new Float32Array(corners * 3)
  Array.from(cartoon?.place(frame, places, new Float32Array(corners * 3)) ?? [])
  return Array.from({ length: corners / sides }, (_, ring) =>
    [0, 1, 2].map(axis => {
      const values = places.subarray(ring * sides * 3, (ring + 1) * sides * 3).filter((_, at) => at % 3 === axis)
      return values.reduce((sum, value) => sum + value, 0) / sides
    }),
  )
}

it('a ribbon of a helix is as far from its axis as its Cα, between them too', () => {
  // Nine cross-sections a residue; the first and the last residues are not helical.
  const away = middlesOf(cartoonOf(polymers, Infinity), frame)
    .slice(9 * 3, -9 * 5)
    .map(([x = NaN, y = NaN]) => Math.hypot(x, y))
  expect(away.length).toBe(9 * 8)
  expect(Math.min(...away)).toBeGreaterThan(2.2)
  expect(Math.max(...away)).toBeLessThan(2.35)
})

it('its width does not turn suddenly, nor its direction: neighboring cross-sections are turned by 20 degrees at most', () => {
  const middles = middlesOf(cartoonOf(polymers, Infinity), frame).slice(9, -9)
  const steps = middles.flatMap((middle, at) => {
    const next = middles[at + 1]
    const step = next?.map((value, axis) => value - (middle[axis] ?? NaN)) ?? [0]
    return Math.hypot(...step) > 0.01 ? [step] : []
  })
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1] ?? step
    const cosine =
      step.reduce((sum, value, axis) => sum + value * (next[axis] ?? NaN), 0) /
      Math.hypot(...step) /
      Math.hypot(...next)
    expect(cosine).toBeGreaterThan(Math.cos((20 * Math.PI) / 180))
  }
})

it('dots join what is left of a chain whose residues are missing, unless its parts are far apart', () => {
  const [from, to] = [32, 40]
  const kept = bonds.filter((_, at) =>
    [...bonds.subarray(at & ~1, (at & ~1) + 2)].every(atom => atom < from || atom >= to),
  )
  const cut = polymersOf({ classes, bonds: kept })
  expect(cut.peptides.map(({ length }) => length)).toEqual([8, 6])
  const dots = middlesOf(cartoonOf(cut, Infinity), frame).slice(9 * 14)
  expect(dots.flat().every(Number.isFinite)).toBe(true)
  const apart = frame.map((value, at) => (at >= to * 3 ? value + 20 : value))
  expect(
    middlesOf(cartoonOf(cut, Infinity), apart)
      .slice(9 * 14)
      .flat()
      .some(Number.isFinite),
  ).toBe(false)
  const molecule = moleculeOf({
    names: Array.from(classes, () => 'X'),
    elements: Uint8Array.from(classes, value => [6, 1, 7, 8][value] ?? 0),
    charges: new Float32Array(classes.length),
    radii: new Float32Array(classes.length),
    masses: new Float32Array(classes.length),
    bonds: kept,
  })
  expect(Math.max(...(polymerChains(molecule, undefined) ?? []))).toBe(2)
  expect(Math.max(...(polymerChains(molecule, frame) ?? []))).toBe(1)
})

it('nothing is drawn where there is no chain', () => {
  expect(cartoonOf({ peptides: [], strands: [] }, Infinity)).toBeUndefined()
})

it.each([16, 60, 300, 20_000])(
  'of %i residues it has as many triangles as are wanted at most, or eight a residue',
  count => {
    const peptides = [
      Array.from({ length: count }, (_, at) => ({
        n: at * 4,
        ca: at * 4 + 1,
        c: at * 4 + 2,
        o: at * 4 + 3,
        isProline: false,
        isOpen: false,
      })),
    ]
    const strand = Array.from({ length: count >> 2 }, (_, at) => ({ p: at, c3: at, c4: at, c1: at, base: [at] }))
    for (const polymers of [
      { peptides, strands: [] },
      { peptides, strands: [strand] },
    ]) {
      const drawn = cartoonOf(polymers, 10_000)
      expect((drawn?.triangles.length ?? 0) / 3).toBeGreaterThan(Math.min(2000, count * 60))
      const bases = polymers.strands.flat().length
      expect((drawn?.triangles.length ?? 0) / 3).toBeLessThanOrEqual(Math.max(10_000, 8 * (count + 6 * bases)))
    }
  },
)

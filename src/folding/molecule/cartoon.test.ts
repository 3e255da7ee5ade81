import { expect, it } from 'vitest'
import { cartoonOf, detailWithin } from './cartoon.ts'
import { kindsOf, POLYMER } from './kinds.ts'
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
  const cartoon = cartoonOf(polymers)
  if (cartoon === undefined) throw new Error('There is no cartoon.')
  const [places, normals] = [new Float32Array(cartoon.corners * 3), new Float32Array(cartoon.corners * 3)]
  cartoon.place(frame, places, normals)
  for (let corner = 0; corner < cartoon.corners; corner++) {
    const [point, normal] = [places, normals].map(list => list.subarray(corner * 3, corner * 3 + 3))
    const nearest = Math.min(
      ...residues.map(({ ca }) =>
        Math.hypot(...[0, 1, 2].map(axis => (point?.[axis] ?? NaN) - (frame[ca * 3 + axis] ?? NaN))),
      ),
    )
    expect(nearest).toBeLessThan(3.2)
    expect(Math.hypot(...(normal ?? []))).toBeCloseTo(1, 3)
  }
  expect(Math.max(...cartoon.triangles)).toBe(cartoon.corners - 1)
})

it('nothing is drawn where there is no chain', () => {
  expect(cartoonOf({ peptides: [], strands: [] })).toBeUndefined()
})

it.each([16, 60, 300, 1300, 20_000])('of %i residues it has about as many triangles as are wanted at most', count => {
  const peptides = [
    Array.from({ length: count }, (_, at) => ({
      n: at * 4,
      ca: at * 4 + 1,
      c: at * 4 + 2,
      o: at * 4 + 3,
      isProline: false,
    })),
  ]
  const strand = Array.from({ length: count >> 2 }, (_, at) => ({ p: at, c3: at, c4: at, c1: at, base: [at] }))
  for (const polymers of [
    { peptides, strands: [] },
    { peptides, strands: [strand] },
  ]) {
    const drawn = cartoonOf(polymers, detailWithin(polymers, 10_000))
    expect((drawn?.triangles.length ?? 0) / 3).toBeGreaterThan(Math.min(2000, count * 60))
    expect((drawn?.triangles.length ?? 0) / 3).toBeLessThanOrEqual(10_100)
    expect(drawn?.atoms.length).toBe(drawn?.corners)
  }
})

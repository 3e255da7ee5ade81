import { describe, expect, it } from 'vitest'
import { isJsonList, isJsonObject } from '../../../src/protocol/json.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { decodeClientContent } from '../../../src/protocol/client/client-message.ts'
import { createMoleculeCache } from './molecule-cache.ts'
import type { MoleculeSpec } from './molecule-cache.ts'
import { structures } from './structures.ts'

function spec(more: Partial<MoleculeSpec> = {}): MoleculeSpec {
  return {
    molecule: 'crambin',
    atoms: 640,
    seed: 3,
    ...more,
  }
}

function pointsOf(frame: Json): readonly (readonly number[])[] {
  return isJsonList(frame) ? frame.map(point => (isJsonList(point) ? point.map(Number) : [])) : []
}

function listsOf(value: Json | undefined): readonly (readonly Json[])[] {
  return value !== undefined && isJsonList(value) ? value.filter(isJsonList) : []
}

function partsOf(topology: Json): { atoms: readonly (readonly Json[])[]; bonds: readonly (readonly number[])[] } {
  if (!isJsonObject(topology)) throw new Error('A topology is an object')
  return { atoms: listsOf(topology['atoms']), bonds: listsOf(topology['bonds']).map(pair => pair.map(Number)) }
}

function distanceOf(points: readonly (readonly number[])[], a = -1, b = -1): number {
  return Math.hypot(...[0, 1, 2].map(axis => (points[a]?.[axis] ?? NaN) - (points[b]?.[axis] ?? NaN)))
}

/** The smallest distance between these points and others near them, in a grid. */
function nearestOf(points: readonly (readonly number[])[], isPair: (a: number, b: number) => boolean): number {
  const cells = new Map<string, number[]>()
  const cellOf = (point: readonly number[], shift: readonly number[]) =>
    point.map((value, axis) => Math.floor(value / 3) + (shift[axis] ?? 0)).join()
  const ways = [-1, 0, 1].flatMap(i => [-1, 0, 1].flatMap(j => [-1, 0, 1].map(k => [i, j, k])))
  let best = 3
  points.forEach((point, index) => {
    for (const way of ways)
      for (const other of cells.get(cellOf(point, way)) ?? [])
        if (isPair(other, index)) best = Math.min(best, distanceOf(points, other, index))
    const cell = cellOf(point, [0, 0, 0])
    cells.set(cell, [...(cells.get(cell) ?? []), index])
  })
  return best
}

describe('a molecule as the client sends it', () => {
  const library = createMoleculeCache()

  it('names each atom with charge, radius, mass and element number', () => {
    const { atoms } = partsOf(library.topology(spec()))
    expect(atoms.slice(0, 3)).toEqual([
      ['N', -0.3, 1.55, 14.007, 7],
      ['CA', expect.any(Number), 1.7, 12.011, 6],
      ['C', expect.any(Number), 1.7, 12.011, 6],
    ])
  })

  it('is decoded by the dashboard without a fault', () => {
    const facts = [
      ...decodeClientContent(['viz', 'unit', 'topology', library.topology(spec())]),
      ...decodeClientContent(['viz', 'unit', 'frames', 4, library.frame(spec(), 4)]),
    ]
    expect(facts.map(({ type }) => type)).toEqual(['topology.received', 'frame.received'])
  })

  it('has coordinates with three decimals', () => {
    const points = pointsOf(library.frame(spec(), 5))
    expect(points.flat().every(value => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6)).toBe(true)
  })

  it('is the same for the same seed and another for another', () => {
    expect(createMoleculeCache().frame(spec(), 5)).toEqual(library.frame(spec(), 5))
    expect(library.frame(spec({ seed: 4 }), 5)).not.toEqual(library.frame(spec(), 5))
  })

  it('is crambin for an unknown name', () => {
    expect(library.topology(spec({ molecule: '__proto__' }))).toEqual(library.topology(spec()))
  })
})

/** Usual lengths in ångström of a bond to a hydrogen, and of others. */
const BONDS = { hydrogen: [0.8, 1.5], other: [1.1, 2.2] } as const

describe.each(Object.keys(structures))('%s', molecule => {
  const library = createMoleculeCache()
  const { atoms, bonds } = partsOf(library.topology(spec({ molecule })))
  const frames = [0, 5, 11, 30].map(index => pointsOf(library.frame(spec({ molecule }), index)))
  const isHydrogen = (atom = -1): boolean => atoms[atom]?.[4] === 1

  it('has its hydrogens: each bonded to one atom, about as many as other atoms', () => {
    const partners = new Map<number, number>()
    for (const atom of bonds.flat()) partners.set(atom, (partners.get(atom) ?? 0) + 1)
    const hydrogens = [...atoms.keys()].filter(isHydrogen)
    expect(hydrogens.length / atoms.length).toBeGreaterThan(0.4)
    expect(hydrogens.filter(atom => partners.get(atom) !== 1)).toEqual([])
    expect([...atoms.keys()].filter(atom => (partners.get(atom) ?? 0) > 4)).toEqual([])
    const charge = atoms.reduce((sum, [, value]) => sum + Number(value), 0)
    expect(Math.abs(charge - Math.round(charge))).toBeLessThan(0.5)
    expect(Math.abs(charge)).toBeLessThan(45)
  })

  it('keeps its bonds while it moves', () => {
    const odd = frames.flatMap(points =>
      bonds.filter(([a, b]) => {
        const [least, most] = isHydrogen(a) || isHydrogen(b) ? BONDS.hydrogen : BONDS.other
        const length = distanceOf(points, a, b)
        return !(length > least && length < most)
      }),
    )
    expect(odd.map(pair => pair.map(atom => JSON.stringify(atoms[atom]?.[0])).join('–'))).toEqual([])
  })

  it('moves far enough to be seen, and not apart', () => {
    const [first = [], ...others] = frames
    for (const points of others) {
      const moved = points.map((_, atom) => distanceOf([points[atom] ?? [], first[atom] ?? []], 0, 1))
      const mean = moved.reduce((sum, value) => sum + value, 0) / moved.length
      expect(mean).toBeGreaterThan(0.3)
      expect(mean).toBeLessThan(4)
      expect(Math.max(...moved)).toBeLessThan(20)
    }
  })

  it('names its source and its license', () => {
    expect(structures[molecule]).toMatchObject({
      source: expect.stringContaining('https://doi.org/10.2210/pdb') as unknown,
      license: 'CC0 1.0',
    })
  })
})

describe.each([
  ['gfp', 30_000],
  ['src', 100_000],
] as const)('%s in water, about %i atoms', (molecule, atoms) => {
  const library = createMoleculeCache()
  const size = spec({ molecule, atoms })
  const topology = partsOf(library.topology(size))
  const points = pointsOf(library.frame(size, 4))

  it('has about as many as requested, in topology and frames, bonded only among themselves', () => {
    expect(topology.atoms.length).toBeGreaterThan(atoms * 0.95)
    expect(topology.atoms.length).toBeLessThan(atoms * 1.05)
    expect(points).toHaveLength(topology.atoms.length)
    const odd = topology.bonds.filter(([a = -1, b = -1]) => a < 0 || b <= a || b >= topology.atoms.length)
    expect(odd).toEqual([])
  })

  it('keeps a distance between molecules', () => {
    const water = topology.atoms.findIndex(([name]) => name === 'OW')
    // Hydrogens of two molecules may be close to each other; heavy atoms may not.
    const heavy = points.flatMap((point, atom) => (topology.atoms[atom]?.[4] === 1 ? [] : [{ point, atom }]))
    const isWater = (index: number): boolean => (heavy[index]?.atom ?? 0) >= water
    const nearest = nearestOf(
      heavy.map(({ point }) => point),
      (a, b) => isWater(a) || isWater(b),
    )
    expect(nearest).toBeGreaterThan(1.9)
  })
})

import { describe, expect, it } from 'vitest'
import { isJsonList, isJsonObject } from '../../../src/protocol/json.ts'
import type { Json } from '../../../src/protocol/json.ts'
import { decodeClientContent } from '../../../src/protocol/client/client-message.ts'
import { createMoleculeCache } from './molecule-cache.ts'
import type { MoleculeSpec } from './molecule-cache.ts'

function spec(more: Partial<MoleculeSpec> = {}): MoleculeSpec {
  return {
    molecule: 'villin',
    atoms: 600,
    seed: 3,
    frames: 10,
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

/** The smallest distance between points of different molecules, using a grid. */
function nearest(points: readonly (readonly number[])[], moleculeOf: (index: number) => number): number {
  const cells = new Map<string, number[]>()
  const cellOf = (point: readonly number[], shift: readonly number[]) =>
    point.map((value, axis) => Math.floor(value / 3) + (shift[axis] ?? 0)).join()
  let best = 3
  for (const [index, point] of points.entries()) {
    for (let i = -1; i <= 1; i++)
      for (let j = -1; j <= 1; j++)
        for (let k = -1; k <= 1; k++) {
          for (const other of cells.get(cellOf(point, [i, j, k])) ?? []) {
            if (moleculeOf(other) === moleculeOf(index)) continue
            best = Math.min(best, Math.hypot(...point.map((value, axis) => value - (points[other]?.[axis] ?? 0))))
          }
        }
    const cell = cellOf(point, [0, 0, 0])
    cells.set(cell, [...(cells.get(cell) ?? []), index])
  }
  return best
}

describe('a molecule as the client sends it', () => {
  const library = createMoleculeCache()

  it('names each atom with charge, radius, mass and element number', () => {
    const { atoms } = partsOf(library.topology(spec()))
    expect(atoms.slice(0, 3)).toEqual([
      ['N', -0.3, 1.55, 14.007, 7],
      ['CA', 0.21, 1.7, 12.011, 6],
      ['C', 0.51, 1.7, 12.011, 6],
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

  it('is villin for an unknown name', () => {
    expect(library.topology(spec({ molecule: '__proto__' }))).toEqual(library.topology(spec()))
  })
})

describe.each([500, 1200, 3000, 5000, 10_000, 100_000])('about %i atoms', atoms => {
  const library = createMoleculeCache()
  const size = spec({ atoms, frames: 5 })
  const topology = partsOf(library.topology(size))

  it('are about as many as requested, in topology and frames', () => {
    expect(topology.atoms.length).toBeGreaterThan(atoms * 0.85)
    expect(topology.atoms.length).toBeLessThan(atoms * 1.25)
    for (const index of [0, 2, 4]) expect(pointsOf(library.frame(size, index))).toHaveLength(topology.atoms.length)
  })

  it('are bonded only among themselves', () => {
    const odd = topology.bonds.filter(([a = -1, b = -1]) => a < 0 || b <= a || b >= topology.atoms.length)
    expect(odd).toEqual([])
  })

  it('keep a distance between molecules in every frame', () => {
    const first = new Map<number, number>()
    for (const [a = 0, b = 0] of topology.bonds) first.set(b, Math.min(first.get(b) ?? b, first.get(a) ?? a))
    const waterStart = topology.atoms.findIndex(([name]) => name === 'OW')
    const single = 579
    const moleculeOf = (index: number): number => {
      if (waterStart === -1 || index < waterStart) return Math.floor(index / single)
      return 1000 + Math.floor((index - waterStart) / 3)
    }
    const points = pointsOf(library.frame(size, 4))
    // Hydrogens of two water molecules may be close to each other; heavy atoms may not.
    const isHeavy = (index: number): boolean => topology.atoms[index]?.[4] !== 1
    const heavy = points.flatMap((point, index) => (isHeavy(index) ? [{ point, molecule: moleculeOf(index) }] : []))
    expect(
      nearest(
        heavy.map(({ point }) => point),
        index => heavy[index]?.molecule ?? -1,
      ),
    ).toBeGreaterThan(1.9)
  })
})

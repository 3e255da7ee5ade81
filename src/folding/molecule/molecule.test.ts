import { describe, expect, it } from 'vitest'
import { moleculeOf } from './molecule.ts'

const topology = (names: readonly string[], bonds: readonly number[]) => ({
  names,
  elements: new Uint8Array(names.length),
  charges: new Float32Array(names.length),
  radii: new Float32Array(names.length),
  masses: new Float32Array(names.length),
  bonds: Uint32Array.from(bonds),
})

const residue = ['N', 'H', 'CA', 'HA', 'C', 'O']
const inARow = (from: number, count: number) =>
  Array.from({ length: count - 1 }, (_, at) => [from + at, from + at + 1]).flat()

describe('a molecule', () => {
  it('is made of what bonds hold together; water belongs to no chain', () => {
    const names = [...residue, ...residue, 'O', 'H', 'H', ...residue, ...residue]
    const { chains } = moleculeOf(topology(names, [...inARow(0, 12), ...inARow(12, 3), ...inARow(15, 12)]))
    expect(Array.from(chains ?? [])).toEqual([...Array<number>(12).fill(1), 0, 0, 0, ...Array<number>(12).fill(2)])
  })

  it('counts residues by their backbone, through all chains', () => {
    const names = ['H1', ...residue, ...residue, 'O', 'H', 'H', ...residue, ...residue]
    const { residues } = moleculeOf(topology(names, [...inARow(0, 13), ...inARow(13, 3), ...inARow(16, 12)]))
    const six = (value: number) => Array<number>(6).fill(value)
    expect(Array.from(residues ?? [])).toEqual([0, ...six(1), ...six(2), 0, 0, 0, ...six(3), ...six(4)])
  })

  it('has no chains without bonds and no residues without a backbone', () => {
    const molecule = moleculeOf(topology(['O', 'H', 'H'], []))
    expect(molecule).not.toHaveProperty('chains')
    expect(molecule).not.toHaveProperty('residues')
    expect(molecule.classes).toEqual(Uint8Array.of(3, 1, 1))
    expect(molecule.radii).toEqual(Float32Array.of(1.52, 1.09, 1.09))
  })

  it('does not take a nitrogen of a side chain for a backbone', () => {
    const names = ['N', 'CA', 'CB', 'N', 'CG', 'C', 'O']
    expect(moleculeOf(topology(names, []))).not.toHaveProperty('residues')
  })

  it('is quick with a hundred thousand atoms in one chain, whatever the order of the bonds, and passes over wrong ones', () => {
    const count = 100_000
    const bonds = inARow(0, count).reverse()
    const { chains } = moleculeOf(topology(Array<string>(count).fill('C'), [...bonds, count, 0, 7, count + 9]))
    expect(new Set(chains)).toEqual(new Set([1]))
  })
})

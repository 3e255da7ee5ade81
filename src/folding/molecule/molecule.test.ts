import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPdb } from '../../../test/molecule/pdb.ts'
import { isBoundMetal } from './atoms.ts'
import { BRANCH, isSolvent } from './kinds.ts'
import { drawnColoring, moleculeOf, polymerChains } from './molecule.ts'
import { residueNames, sequencesOf } from './residue-names.ts'

function topology(names: readonly string[], bonds: readonly number[]) {
  return {
    names,
    elements: new Uint8Array(names.length),
    charges: new Float32Array(names.length),
    radii: new Float32Array(names.length),
    masses: new Float32Array(names.length),
    bonds: Uint32Array.from(bonds),
  }
}

const residue = ['N', 'H', 'CA', 'HA', 'C', 'O']
function inARow(from: number, count: number) {
  return Array.from({ length: count - 1 }, (_, at) => [from + at, from + at + 1]).flat()
}

describe('a molecule', () => {
  it('is made of what bonds hold together; water belongs to no chain', () => {
    const names = [...residue, ...residue, 'O', 'H', 'H', ...residue, ...residue]
    const { chains } = moleculeOf(topology(names, [...inARow(0, 12), ...inARow(12, 3), ...inARow(15, 12)]))
    expect(Array.from(chains ?? [])).toEqual([...Array<number>(12).fill(1), 0, 0, 0, ...Array<number>(12).fill(2)])
  })

  it('counts residues by their backbone, through all chains, each with its own side chain', () => {
    // Cysteines, the middle one bonded to that of the other chain.
    const cysteine = ['N', 'H', 'CA', 'HA', 'CB', 'SG', 'C', 'O']
    const ownBonds = [0, 1, 0, 2, 2, 3, 2, 4, 4, 5, 2, 6, 6, 7]
    const chain = (from: number): number[] =>
      [0, 8, 16].flatMap(start => [
        ...ownBonds.map(atom => from + start + atom),
        ...(start < 16 ? [from + start + 6, from + start + 8] : []),
      ])
    const names = [...cysteine, ...cysteine, ...cysteine, 'O', 'H', 'H', ...cysteine, ...cysteine, ...cysteine]
    const bonds = [...chain(0), 24, 25, 24, 26, ...chain(27), 13, 40]
    const { residues, kinds } = moleculeOf(topology(names, bonds))
    const eight = (value: number) => Array<number>(8).fill(value)
    expect(Array.from(residues ?? [])).toEqual([1, 2, 3].flatMap(eight).concat([0, 0, 0], [4, 5, 6].flatMap(eight)))
    expect(Array.from(kinds.slice(23, 28))).toEqual([1, 2, 2, 2, 1])
  })

  it('has no chains without bonds and no residues without a backbone', () => {
    const molecule = moleculeOf(topology(['O', 'H', 'H'], []))
    expect(molecule).not.toHaveProperty('chains')
    expect(molecule).not.toHaveProperty('residues')
    expect(molecule.classes).toEqual(Uint8Array.of(3, 1, 1))
    expect(molecule.radii).toEqual(Float32Array.of(1.52, 1.09, 1.09))
  })

  it('is quick with a hundred thousand atoms in one chain, whatever the order of the bonds, and passes over wrong ones', () => {
    const count = 100_000
    const bonds = inARow(0, count).reverse()
    const { chains } = moleculeOf(topology(Array<string>(count).fill('C'), [...bonds, count, 0, 7, count + 9]))
    expect(new Set(chains)).toEqual(new Set([1]))
  })

  it('is colored by what it has', () => {
    const bare = moleculeOf(topology(['O', 'H', 'H'], []))
    const wanted = [undefined, 'chain', 'residue', 'structure', 'motion', 'element', 'charge'] as const
    expect(wanted.map(coloring => drawnColoring(coloring, 4, bare))).toEqual([
      'element',
      'element',
      'element',
      'element',
      'motion',
      'element',
      'charge',
    ])
    const peptide = moleculeOf(
      topology(
        ['N', 'C', 'C', 'O', 'N', 'C', 'C', 'O', 'N', 'C', 'C', 'O'],
        [...[0, 1, 1, 2, 2, 3, 2, 4, 4, 5, 5, 6, 6, 7, 6, 8, 8, 9, 9, 10, 10, 11]],
      ),
    )
    expect(([undefined, 'chain', 'structure'] as const).map(coloring => drawnColoring(coloring, 4, peptide))).toEqual([
      'residue',
      'chain',
      'structure',
    ])
    expect(drawnColoring(undefined, 3, peptide)).toBe('element')
  })
})

const DATA = '../shared/data'

it.skipIf(!existsSync(DATA)).each([
  // Its last residue has no oxygen, and counts as a part of the one before it.
  ['1CKB', { chains: 2, metals: 0, modified: 1 }],
  ['1D66', { chains: 4, metals: 4, modified: 0 }],
  // In each chain two asparagines with sugars, two cysteines with lipids and a lysine with retinal; three residues at zinc.
  ['1U19', { chains: 2, metals: 13, modified: 13 }],
  ['2SRC', { chains: 1, metals: 0, modified: 1 }],
  ['3SN6', { chains: 5, metals: 0, modified: 0 }],
])(
  '%s has as many chains as the file says, its metals are no water, and modified residues are shown',
  (id, expected) => {
    const { molecule, frame, places } = readPdb(readFileSync(`${DATA}/${id}.pdb`, 'utf8'))
    const chains = new Set(polymerChains(molecule, frame))
    chains.delete(0)
    const metals = molecule.classes.filter(
      (atomClass, atom) => isBoundMetal(atomClass) && !isSolvent(molecule.kinds[atom]),
    )
    const modified = molecule.kinds.filter(kind => kind === BRANCH)
    expect({ chains: chains.size, metals: metals.length, modified: modified.length }).toEqual(expected)
    const letters = new Map<number, Set<string>>()
    polymerChains(molecule, frame)?.forEach((chain, atom) => {
      letters.set(chain, (letters.get(chain) ?? new Set()).add(places[atom]?.chain ?? ''))
    })
    letters.delete(0)
    expect([...letters.values()].every(({ size }) => size === 1)).toBe(true)
  },
)

/** Atoms of a residue without hydrogens. */
const SIZES: Readonly<Record<string, number>> = {
  ...{ GLY: 4, ALA: 5, SER: 6, CYS: 6, VAL: 7, THR: 7, PRO: 7, LEU: 8, ILE: 8, MET: 8, ASP: 8, ASN: 8, GLU: 9, GLN: 9 },
  ...{ LYS: 9, HIS: 10, ARG: 11, PHE: 11, TYR: 12, TRP: 14 },
}

it.skipIf(!existsSync(DATA)).each([
  ['1CKB', 61],
  ['1D66', 152],
  ['1U19', 683],
  ['2SRC', 448],
  ['3SN6', 1265],
])('the names of residues of %s are as in the file where their side chains are complete, %i of them', (id, count) => {
  const { molecule, frame, places } = readPdb(readFileSync(`${DATA}/${id}.pdb`, 'utf8'))
  const names = residueNames(molecule)
  const sizes = new Map<string, number>()
  places.forEach(({ chain, residue, name }, atom) => {
    const key = `${chain} ${residue} ${name}`
    if (molecule.names[atom] !== 'OXT') sizes.set(key, (sizes.get(key) ?? 0) + 1)
  })
  expect(
    sequencesOf(molecule, frame)
      .flat()
      .map(({ residue }) => residue),
  ).toEqual([...names.keys()].slice(1))
  const { peptides, strands } = molecule.polymers
  const firsts = [...peptides.flat().map(({ ca }) => ca), ...strands.flat().map(({ c1 }) => c1)]
  const found = firsts.map((atom, at) => ({ ...places[atom], inferred: names[at + 1] }))
  const complete = found.filter(
    ({ chain, residue, name = '' }) => name.startsWith('D') || sizes.get(`${chain} ${residue} ${name}`) === SIZES[name],
  )
  // Those with something bonded to their side chain have no usual name.
  const right = complete.filter(({ name = '', inferred }) => inferred === name || `D${inferred}` === name)
  expect(complete.filter(one => !right.includes(one) && one.inferred !== undefined)).toEqual([])
  expect(right.length).toBe(count)
})

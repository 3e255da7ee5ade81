import { expect, it } from 'vitest'
import { residueHydrogenBonds } from './residue-hydrogen-bonds.ts'
import { WATER } from './kinds.ts'
import type { Molecule } from './molecule.ts'

const CLASSES = 'CHNOS'

type Atoms = readonly (readonly [element: string, x: number, y: number, residue: number])[]

function bondsOf(atoms: Atoms, bonds: readonly number[], kind = 0): readonly (readonly [number, number])[] {
  const molecule = {
    classes: Uint8Array.from(atoms, ([element]) => CLASSES.indexOf(element)),
    residues: Uint16Array.from(atoms, ([, , , residue]) => residue),
    kinds: Uint8Array.from(atoms, ([, , , residue]) => (residue === 0 ? kind : 1)),
    bonds: Uint32Array.from(bonds),
  } as unknown as Molecule
  const frame = Float32Array.from(atoms.flatMap(([, x, y]) => [x, y, 0]))
  return residueHydrogenBonds(molecule, 1, frame)
}

/** C–N–C with the free side of the nitrogen, at 0, 0, to the right; and a carbonyl whose oxygen is there. */
const amide: Atoms = [
  ['N', 0, 0, 1],
  ['C', -0.7, 1.2, 1],
  ['C', -0.7, -1.2, 1],
]
function carbonyl(x: number, y: number): Atoms {
  return [
    ['O', x, y, 2],
    ['C', x + 1.2, y, 2],
    ['N', x + 1.9, y + 1.1, 2],
    ['C', x + 1.9, y - 1.3, 2],
  ]
}
const bonds = [0, 1, 0, 2, 3, 4, 4, 5, 4, 6]
function hydrogen(x: number, y: number): Atoms {
  return [['H', x, y, 1]]
}
const hydroxyl: Atoms = [
  ['O', 0, 0, 1],
  ['C', -1.4, 0, 1],
]

it.each<[string, Atoms, readonly number[], readonly (readonly number[])[]]>([
  ['goes from the hydrogen', [...amide, ...carbonyl(2.9, 0), ...hydrogen(1, 0)], [...bonds, 0, 7], [[7, 3]]],
  [
    'is none where the angle at the hydrogen is small',
    [...amide, ...carbonyl(2.9, 0), ...hydrogen(0, 1)],
    [...bonds, 0, 7],
    [],
  ],
  ['is none where the hydrogen is far', [...amide, ...carbonyl(3.4, 0), ...hydrogen(0.8, -0.6)], [...bonds, 0, 7], []],
  ['goes from the donor where there are no hydrogens', [...amide, ...carbonyl(2.9, 0)], bonds, [[0, 3]]],
  ['is none beyond 3.5 Å', [...amide, ...carbonyl(3.6, 0)], bonds, []],
  ['is none on the side of a nitrogen on which it has no hydrogen', [...amide, ...carbonyl(0, 2.9)], bonds, []],
  ['goes from a hydroxyl', [...hydroxyl, ...carbonyl(2.8, 0)], [0, 1, 2, 3, 3, 4, 3, 5], [[0, 2]]],
  ['is none through the carbon of a hydroxyl', [...hydroxyl, ...carbonyl(-2.9, 0)], [0, 1, 2, 3, 3, 4, 3, 5], []],
  [
    'is none between two bare oxygens',
    [...carbonyl(2.9, 0), ...carbonyl(0, 0)].map(
      ([element, x, y], at) => [element, at > 3 ? -x : x, y, at > 3 ? 1 : 2] as const,
    ),
    [0, 1, 1, 2, 1, 3, 4, 5, 5, 6, 5, 7],
    [],
  ],
  [
    'is none between atoms that three bonds join',
    [
      ['N', 0, 0, 1],
      ['C', -0.5, 1.4, 1],
      ['C', 1, 2, 1],
      ['O', 2, 1, 1],
    ],
    [0, 1, 1, 2, 2, 3],
    [],
  ],
  ['is named once within the residue', [...hydroxyl, ['O', 2.8, 0, 1], ['C', 4.2, 0, 1]], [0, 1, 2, 3], [[0, 2]]],
  [
    'goes to a residue that gives',
    [...carbonyl(2.9, 0).map(([e, x, y]) => [e, x, y, 1] as const), ...amide.map(([e, x, y]) => [e, x, y, 2] as const)],
    [0, 1, 1, 2, 1, 3, 4, 5, 4, 6],
    [[4, 0]],
  ],
])('a hydrogen bond %s', (_, atoms, all, expected) => {
  expect(bondsOf(atoms, all)).toEqual(expected)
})

it('water has none in pictures without it', () => {
  const atoms: Atoms = [...hydroxyl, ['O', 2.8, 0, 0], ['H', 3.4, 0.7, 0], ['H', 3.4, -0.7, 0]]
  expect(bondsOf(atoms, [0, 1, 2, 3, 2, 4], WATER)).toEqual([])
})

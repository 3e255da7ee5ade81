import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import dssp from '../../../test/molecule/dssp.json' with { type: 'json' }
import { readPdb } from '../../../test/molecule/pdb.ts'
import { polymersOf } from './polymers.ts'
import { secondaryStructure } from './secondary-structure.ts'

const DATA = '../shared/data'
/** What the program mkdssp 4.2.2 assigns, by chain and the number of the first residue: H for its classes H, G and I. */
const assignments: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = dssp

/** The letter of a residue, or undefined where mkdssp lists none. */
function assigned(id: string, chain: string, residue: number): string | undefined {
  for (const [first, letters] of Object.entries(assignments[id]?.[chain] ?? {}))
    if (residue >= Number(first) && residue < Number(first) + letters.length) return letters[residue - Number(first)]
  return undefined
}

function read(id: string) {
  const { molecule, frame, places } = readPdb(readFileSync(`${DATA}/${id}.pdb`, 'utf8'))
  const { peptides, strands } = polymersOf(molecule)
  const structure = secondaryStructure(peptides, frame)
  const residues = peptides.flatMap((chain, index) =>
    chain.map(({ ca }, at) => ({ ...places[ca], letter: '-HE'.charAt(structure[index]?.[at] ?? 0) })),
  )
  return { peptides: peptides.map(({ length }) => length), strands: strands.map(({ length }) => length), residues }
}

describe.skipIf(!existsSync(DATA))(
  'Structures of the Protein Data Bank (skipped when ../shared/data is absent)',
  () => {
    it('have the chains that their files list', () => {
      const { peptides, strands } = read('1D66')
      expect({ peptides, strands }).toEqual({ peptides: [57, 57], strands: [19, 19] })
      expect(read('1CKB').peptides).toEqual([56, 7])
      expect(read('1U19').peptides).toEqual([348, 348])
    })

    for (const id of Object.keys(assignments))
      it(`${id}: at least 99 % of the residues have the class that mkdssp assigns`, () => {
        const matches = read(id).residues.flatMap(({ chain = '', residue = 0, letter }) => {
          const expected = assigned(id, chain, residue)
          return expected === undefined ? [] : [expected === letter]
        })
        expect(matches.length).toBeGreaterThan(50)
        expect(matches.filter(Boolean).length / matches.length).toBeGreaterThanOrEqual(0.99)
      })
  },
)

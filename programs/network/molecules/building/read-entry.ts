import type { Vector } from '../../../../src/folding/molecule/vectors.ts'

/** An atom of an entry. */
export type EntryAtom = {
  readonly name: string
  readonly element: string
  readonly residue: string
  /** Chain and number. */
  readonly place: string
  readonly at: Vector
}

/** Atoms of a file of the Protein Data Bank in its format 3.3, or in mmCIF, in the order of the file; of alternatives the first. */
export function readEntry(text: string): readonly EntryAtom[] {
  const lines = text.split('\n').filter(line => /^(ATOM|HETATM)/.test(line))
  return text.startsWith('data_') ? lines.flatMap(ofCif) : lines.flatMap(ofPdb)
}

function ofPdb(line: string): readonly EntryAtom[] {
  if (!' A'.includes(line.charAt(16))) return []
  const field = (from: number, to: number): string => line.slice(from, to).trim()
  return [
    {
      name: field(12, 16),
      element: field(76, 78),
      residue: field(17, 20),
      place: field(21, 26),
      at: [Number(field(30, 38)), Number(field(38, 46)), Number(field(46, 54))],
    },
  ]
}

/** Columns as entries of the Protein Data Bank have them. */
function ofCif(line: string): readonly EntryAtom[] {
  const words = line.match(/"[^"]*"|\S+/g)?.map(word => word.replaceAll('"', '')) ?? []
  const [, , element = '', name = '', alternative = '', residue = '', , , , , x, y, z] = words
  if (!'.A'.includes(alternative)) return []
  return [{ name, element, residue, place: `${words[23]} ${words[21]}`, at: [Number(x), Number(y), Number(z)] }]
}

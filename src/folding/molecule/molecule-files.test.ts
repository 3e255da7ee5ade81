import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Topology } from '../../protocol/client/visualization.ts'
import { cifText, pdbText, xyzText } from './molecule-files.ts'

function topologyOf(
  atoms: readonly (readonly [name: string, element: number])[],
  bonds: readonly number[] = [],
): Topology {
  return {
    names: atoms.map(([name]) => name),
    elements: Uint8Array.from(atoms, ([, element]) => element),
    charges: new Float32Array(atoms.length),
    radii: new Float32Array(atoms.length),
    masses: new Float32Array(atoms.length),
    bonds: Uint32Array.from(bonds),
  }
}

function whole(text: Iterable<string>): string {
  return [...text].join('')
}

/** Reads a PDB file by its columns, as the format tells. */
function readPdb(text: string) {
  const models: {
    serial: number
    name: string
    residue: string
    chain: string
    number: number
    element: string
    place: readonly number[]
  }[][] = [[]]
  const bonds: number[][] = []
  for (const line of text.split('\n')) {
    const kind = line.slice(0, 6).trim()
    if (kind === 'ENDMDL') models.push([])
    if (kind === 'CONECT') bonds.push((line.slice(6).match(/.{5}/g) ?? []).map(Number).filter(serial => serial > 0))
    if (kind !== 'ATOM' && kind !== 'HETATM') continue
    models.at(-1)?.push({
      serial: Number(line.slice(6, 11)),
      name: line.slice(12, 16).trim(),
      residue: line.slice(17, 20),
      chain: line.slice(21, 22),
      number: Number(line.slice(22, 26)),
      element: line.slice(76, 78).trim(),
      place: [line.slice(30, 38), line.slice(38, 46), line.slice(46, 54)].map(Number),
    })
  }
  return { models: models.filter(model => model.length > 0), bonds }
}

function readXyz(text: string) {
  const lines = text.split('\n')
  const models: { comment: string; atoms: { symbol: string; place: readonly number[] }[] }[] = []
  for (let at = 0; at + 1 < lines.length;) {
    const count = Number(lines[at])
    const atoms = lines.slice(at + 2, at + 2 + count).map(line => {
      const [symbol = '', ...place] = line.trim().split(/\s+/)
      return { symbol, place: place.map(Number) }
    })
    models.push({ comment: lines[at + 1] ?? '', atoms })
    at += 2 + count
  }
  return models
}

/** Reads the loop of atoms by the names of its columns. */
function readCif(text: string): readonly ReadonlyMap<string, string>[] {
  const lines = text.trim().split('\n')
  const columns = lines.filter(line => line.startsWith('_atom_site.')).map(line => line.slice('_atom_site.'.length))
  return lines
    .slice(2 + columns.length)
    .map(line => new Map((line.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word, at) => [columns[at] ?? '', word])))
}

const glycine = [
  ['N', 7],
  ['H1', 1],
  ['CA', 6],
  ['HA2', 1],
  ['C', 6],
  ['O', 8],
] as const
const peptide = topologyOf(
  [...glycine, ...glycine, ...glycine, ['OW', 8], ['HW1', 1], ['HW2', 1], ['ZN', 30]],
  [
    ...[0, 6, 12].flatMap(from =>
      [0, 1, 0, 2, 2, 3, 2, 4, 4, 5, ...(from < 12 ? [4, 6] : [])].map(atom => from + atom),
    ),
    ...[18, 19, 18, 20],
  ],
)
const frame = Float32Array.from({ length: peptide.names.length * 3 }, (_, at) => at / 7 - 3)

describe('a PDB file', () => {
  it('has every line in eighty columns', () => {
    const lines = whole(pdbText(peptide, [frame, frame], 'A peptide'))
      .replace(/\n$/, '')
      .split('\n')
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([80]))
    expect(lines[0]?.trim()).toBe('TITLE     A peptide')
    expect(lines[1]?.trim()).toBe('MODEL        1')
    expect(lines.at(-1)?.trim()).toBe('END')
  })

  it('gives back names, elements, residues and places to a thousandth', () => {
    const { models } = readPdb(whole(pdbText(peptide, [frame], '')))
    expect(models).toHaveLength(1)
    expect(
      models[0]?.map(({ serial, name, element, residue, chain, number }) => [
        serial,
        name,
        element,
        residue,
        chain,
        number,
      ]),
    ).toEqual([
      ...glycine.map(([name], at) => [at + 1, name, name.charAt(0), 'UNK', 'A', 1]),
      ...glycine.map(([name], at) => [at + 7, name, name.charAt(0), 'UNK', 'A', 2]),
      ...glycine.map(([name], at) => [at + 13, name, name.charAt(0), 'UNK', 'A', 3]),
      [19, 'OW', 'O', 'HOH', ' ', 1],
      [20, 'HW1', 'H', 'HOH', ' ', 1],
      [21, 'HW2', 'H', 'HOH', ' ', 1],
      [22, 'ZN', 'ZN', 'UNK', ' ', 1],
    ])
    models[0]?.forEach(({ place }, atom) =>
      place.forEach((value, axis) => expect(value).toBeCloseTo(frame[atom * 3 + axis] ?? NaN, 3)),
    )
  })

  it('gives back each frame and each bond from both sides', () => {
    const { models, bonds } = readPdb(whole(pdbText(peptide, [frame, frame.map(value => value + 1)], '')))
    expect(models.map(model => model[0]?.place)).toEqual([
      [-3, -2.857, -2.714],
      [-2, -1.857, -1.714],
    ])
    expect(bonds.filter(([atom]) => atom === 1 || atom === 3)).toEqual([
      [1, 2, 3],
      [3, 1, 4, 5],
    ])
    expect(bonds.reduce((sum, { length }) => sum + length - 1, 0)).toBe(peptide.bonds.length)
  })

  it('leaves out an atom that is nowhere, and keeps its columns whatever the numbers are', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noDefaultInfinity: false }), { minLength: 3, maxLength: 3 }), place => {
        const { models } = readPdb(whole(pdbText(topologyOf([['CA', 6]]), [Float32Array.from(place)], '')))
        const read = models[0]?.[0]?.place
        if (place.every(Number.isFinite)) expect(read?.every(Number.isFinite)).toBe(true)
        else expect(read).toBeUndefined()
      }),
    )
  })

  it('numbers again after 99,999 atoms, and then has no bonds', () => {
    const many = topologyOf(
      Array.from({ length: 100_001 }, () => ['C', 6] as const),
      [0, 1],
    )
    const { models, bonds } = readPdb(whole(pdbText(many, [new Float32Array(300_003)], '')))
    expect(models[0]?.length).toBe(100_001)
    expect(models[0]?.at(-1)?.serial).toBe(1)
    expect(bonds).toEqual([])
  })

  it('is one line, whatever the title is', () => {
    expect(
      whole(pdbText(topologyOf([]), [], 'evil\nATOM     ☢'))
        .trimEnd()
        .split('\n')
        .map(line => line.trim()),
    ).toEqual(['TITLE     evil?ATOM     ?', 'END'])
  })
})

describe('an XYZ file', () => {
  it('gives back symbols and places of each frame', () => {
    const models = readXyz(whole(xyzText(peptide, [frame, frame], 'A peptide')))
    expect(models.map(({ comment }) => comment)).toEqual(['A peptide, frame 1 of 2', 'A peptide, frame 2 of 2'])
    expect(models[1]?.atoms.map(({ symbol }) => symbol)).toEqual(
      [...glycine, ...glycine, ...glycine, ['O'], ['H'], ['H'], ['Zn']].map(([name = '']) =>
        name === 'Zn' ? name : name.charAt(0),
      ),
    )
    models[0]?.atoms.forEach(({ place }, atom) =>
      place.forEach((value, axis) => expect(value).toBeCloseTo(frame[atom * 3 + axis] ?? NaN, 4)),
    )
  })

  it('counts the atoms that it holds', () => {
    const models = readXyz(
      whole(
        xyzText(
          topologyOf([
            ['CA', 0],
            ['Q', 0],
          ]),
          [Float32Array.of(1, 2, 3, NaN, 0, 0)],
          't',
        ),
      ),
    )
    expect(models).toEqual([{ comment: 't', atoms: [{ symbol: 'C', place: [1, 2, 3] }] }])
  })
})

describe('an mmCIF file', () => {
  const topology = topologyOf([
    ['C1', 6],
    ["O5'", 8],
    ['N"a', 7],
    ['', 0],
  ])
  const frame = Float32Array.of(1, 2.5, -3, NaN, 0, 0, 1e6, 0, 0, 4, 5, 6)

  it('has a model for each frame, with the places of all atoms that have one', () => {
    const atoms = readCif(whole(cifText(topology, [frame, frame.map(value => value + 1)], 'project 1')))
    expect(atoms.map(atom => atom.get('pdbx_PDB_model_num'))).toEqual(['1', '1', '1', '2', '2', '2'])
    expect(atoms.map(atom => atom.get('id'))).toEqual(['1', '2', '3', '4', '5', '6'])
    expect(atoms.map(atom => ['Cartn_x', 'Cartn_y', 'Cartn_z'].map(axis => Number(atom.get(axis))))).toEqual([
      [1, 2.5, -3],
      [1_000_000, 0, 0],
      [4, 5, 6],
      [2, 3.5, -2],
      [1_000_001, 1, 1],
      [5, 6, 7],
    ])
    expect(atoms.map(atom => atom.size)).toEqual(Array(6).fill(17))
  })

  it('has the symbols of elements, and names in quotation marks where they need them', () => {
    const atoms = readCif(whole(cifText(topology, [new Float32Array(12)], 'a')))
    expect(atoms.map(atom => [atom.get('type_symbol'), atom.get('label_atom_id')])).toEqual([
      ['C', 'C1'],
      ['O', "O5'"],
      ['N', `'N"a'`],
      ['X', '""'],
    ])
  })
})

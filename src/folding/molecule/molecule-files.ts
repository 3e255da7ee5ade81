import type { Topology } from '../../protocol/client/visualization.ts'
import { elementSymbol } from './atoms.ts'
import { bondedAtoms, partnersOf } from './bonded.ts'
import { WATER } from './kinds.ts'
import { knownMolecule } from './molecule.ts'

/** Lines per chunk, so that the page can do other work in between. */
const LINES_PER_CHUNK = 4000

/** Serial numbers have five digits in a PDB file; larger ones wrap around, as in other programs. */
const SERIAL_LIMIT = 100_000

type Frames = readonly Float32Array[]
type Place = readonly [x: number, y: number, z: number]

/**
 * A PDB file (wwPDB format 3.3) in chunks: a MODEL per frame, then the bonds as CONECT, which only molecules of fewer than
 * 100,000 atoms can have. `frames`: x, y and z of each atom, in ångström. Atoms without a position are left out of a
 * model. Residues are `UNK`, since their names are unknown; water is `HOH`.
 */
export function* pdbText(topology: Topology, frames: Frames, title: string): Generator<string> {
  const atoms = atomsOf(topology)
  yield `${record(`TITLE     ${plain(title)}`)}\n`
  for (const [at, frame] of frames.entries()) {
    if (frames.length > 1) yield `${record(`MODEL     ${String(at + 1).padStart(4)}`)}\n`
    yield* inChunks(atoms, ({ name, symbol, residue, chain, number, isPolymer }, atom) => {
      const place = placeOf(frame, atom)
      if (place === undefined) return undefined
      return [
        `${isPolymer ? 'ATOM  ' : 'HETATM'}${serialOf(atom)} ${pdbName(name, symbol)} ${residue} ${chain ?? ' '}`,
        `${String(number % 10_000).padStart(4)}    ${place.map(pdbNumber).join('')}  1.00  0.00`,
        `${symbol.toUpperCase().padStart(12)}  `,
      ].join('')
    })
    if (frames.length > 1) yield `${record('ENDMDL')}\n`
  }
  if (topology.names.length < SERIAL_LIMIT) yield* inChunks(bondsByAtom(topology), conectLines)
  yield `${record('END')}\n`
}

/** An XYZ file in chunks: per frame the number of atoms, a comment, then symbol, x, y, z of each atom in ångström. */
export function* xyzText(topology: Topology, frames: Frames, title: string): Generator<string> {
  const symbols = topology.names.map((name, atom) => elementSymbol(name, topology.elements[atom]))
  for (const [at, frame] of frames.entries()) {
    const count = symbols.filter((_, atom) => placeOf(frame, atom) !== undefined).length
    yield `${count}\n${plain(title)}${frames.length > 1 ? `, frame ${at + 1} of ${frames.length}` : ''}\n`
    yield* inChunks(symbols, (symbol, atom) => {
      const place = placeOf(frame, atom)
      return place === undefined
        ? undefined
        : [symbol.padEnd(2), ...place.map(value => value.toFixed(4).padStart(12))].join(' ')
    })
  }
}

const CIF_COLUMNS = (
  'group_PDB id type_symbol label_atom_id label_alt_id label_comp_id label_asym_id label_entity_id label_seq_id ' +
  'Cartn_x Cartn_y Cartn_z occupancy B_iso_or_equiv auth_seq_id auth_asym_id pdbx_PDB_model_num'
).split(' ')

/**
 * A PDBx/mmCIF file in chunks, for molecules of any size: the atoms of each frame as a model. Atoms without a position are
 * left out of a model.
 */
export function* cifText(topology: Topology, frames: Frames, title: string): Generator<string> {
  const atoms = atomsOf(topology)
  yield `data_${plain(title).replaceAll(/[^\w.-]/g, '_')}\nloop_\n${CIF_COLUMNS.map(column => `_atom_site.${column}\n`).join('')}`
  let id = 0
  for (const [at, frame] of frames.entries())
    yield* inChunks(atoms, ({ name, symbol, residue, chain = 'W', number, isPolymer }, atom) => {
      const place = placeOf(frame, atom)
      if (place === undefined) return undefined
      id += 1
      return [
        ...[isPolymer ? 'ATOM' : 'HETATM', id, symbol.toUpperCase(), cifWord(name), '.', residue, chain, 1],
        ...[isPolymer ? number : '.', ...place.map(value => value.toFixed(3)), '1.00', '0.00', number, chain, at + 1],
      ].join(' ')
    })
}

/** A value in quotation marks where it needs them. */
function cifWord(value: string): string {
  const word = plain(value).replaceAll(/\s/g, '')
  if (/^[\w.+-][\w.+*'-]*$/.test(word) && !/^[._+-]*$/.test(word)) return word
  return word.includes('"') ? `'${word.replaceAll("'", '')}'` : `"${word}"`
}

function* inChunks<T>(items: readonly T[], lineOf: (item: T, index: number) => string | undefined): Generator<string> {
  for (let from = 0; from < items.length; from += LINES_PER_CHUNK) {
    const lines = items.slice(from, from + LINES_PER_CHUNK).flatMap((item, at) => lineOf(item, from + at) ?? [])
    if (lines.length > 0) yield `${lines.join('\n')}\n`
  }
}

function placeOf(frame: Float32Array, atom: number): Place | undefined {
  const [x = NaN, y = NaN, z = NaN] = frame.subarray(atom * 3, atom * 3 + 3)
  return Number.isFinite(x + y + z) ? [x, y, z] : undefined
}

function serialOf(atom: number): string {
  return String((atom + 1) % SERIAL_LIMIT).padStart(5)
}

const CHAIN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** What the files say of each atom, in all frames. */
function atomsOf(topology: Topology) {
  const { chains, residues, kinds } = knownMolecule(topology)
  return topology.names.map((name, atom) => {
    const [chain, number] = [chains?.[atom] ?? 1, residues?.[atom] ?? 0]
    return {
      name,
      symbol: elementSymbol(name, topology.elements[atom]),
      residue: kinds[atom] === WATER ? 'HOH' : 'UNK',
      /** Undefined for a small molecule. */
      chain: chain === 0 ? undefined : (CHAIN_LETTERS[(chain - 1) % CHAIN_LETTERS.length] ?? 'A'),
      number: Math.max(1, number),
      isPolymer: number > 0,
    }
  })
}

/** Atom names take four columns; those of one-letter elements start in the second. */
function pdbName(name: string, symbol: string): string {
  const short = plain(name).replaceAll(' ', '').slice(0, 4)
  return (short.length === 4 || symbol.length === 2 ? short : ` ${short}`).padEnd(4)
}

/** Eight columns, with up to three decimals. */
function pdbNumber(value: number): string {
  for (const digits of [3, 2, 1, 0]) {
    const text = value.toFixed(digits)
    if (text.length <= 8) return text.padStart(8)
  }
  return value < 0 ? '-9999999' : '99999999'
}

function bondsByAtom({ names, bonds }: Topology): readonly (readonly number[])[] {
  const bonded = bondedAtoms(names.length, bonds)
  return names.map((_, atom) => Array.from(partnersOf(bonded, atom)))
}

/** Four bonded atoms per line. */
function conectLines(partners: readonly number[], atom: number): string | undefined {
  const lines = Array.from({ length: Math.ceil(partners.length / 4) }, (_, line) =>
    record(
      `CONECT${serialOf(atom)}${partners
        .slice(line * 4, line * 4 + 4)
        .map(serialOf)
        .join('')}`,
    ),
  )
  return lines.length === 0 ? undefined : lines.join('\n')
}

function record(text: string): string {
  return text.slice(0, 80).padEnd(80)
}

/** ASCII on one line, which every program can read. */
function plain(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?')
}

import type { Topology } from '../../src/protocol/client/visualization.ts'
import { moleculeOf } from '../../src/folding/molecule/molecule.ts'
import type { Sample } from './sample.ts'

const NUMBERS: Readonly<Record<string, number>> = { H: 1, C: 6, N: 7, O: 8, P: 15, S: 16, ZN: 30, CD: 48, HG: 80 }

/** Farther apart than this, in ångström, two atoms are not bonded; with a hydrogen, less far. */
const LONGEST_BOND = 1.95
const LONGEST_TO_HYDROGEN = 1.3

/** Where the file says that an atom belongs: the letter of its chain, and the number and name of its residue. */
type Place = { readonly chain: string; readonly residue: number; readonly name: string }

/** The first model of a file of the Protein Data Bank, columns as in its format 3.3; bonds by distance. */
export function readPdb(text: string): Sample & { readonly places: readonly Place[] } {
  const lines = text.slice(0, text.includes('\nENDMDL') ? text.indexOf('\nENDMDL') : undefined).split('\n')
  const atoms = lines.filter(line => /^(ATOM|HETATM)/.test(line) && ' A'.includes(line.charAt(16)))
  const names = atoms.map(line => line.slice(12, 16).trim())
  const frame = Float32Array.from(atoms.flatMap(line => [30, 38, 46].map(from => Number(line.slice(from, from + 8)))))
  const elements = Uint8Array.from(atoms, line => NUMBERS[line.slice(76, 78).trim()] ?? 0)
  const topology: Topology = {
    names,
    elements,
    charges: new Float32Array(names.length).fill(Number.NaN),
    radii: new Float32Array(names.length),
    masses: new Float32Array(names.length),
    bonds: bondsByDistance(frame, elements),
  }
  const places = atoms.map(line => ({
    chain: line.charAt(21),
    residue: Number(line.slice(22, 26)),
    name: line.slice(17, 20).trim(),
  }))
  return { molecule: moleculeOf(topology), frame, places }
}

function bondsByDistance(frame: Float32Array, elements: Uint8Array): Uint32Array {
  const cells = new Map<string, number[]>()
  const cellOf = (at: number): number[] => [0, 1, 2].map(axis => Math.floor((frame[at * 3 + axis] ?? 0) / 2))
  const bonds: number[] = []
  for (let atom = 0; atom * 3 < frame.length; atom++) {
    const [x = 0, y = 0, z = 0] = cellOf(atom)
    for (let near = 0; near < 27; near++)
      for (const other of cells.get(
        [x + (near % 3) - 1, y + (Math.floor(near / 3) % 3) - 1, z + Math.floor(near / 9) - 1].join(),
      ) ?? [])
        if (
          Math.hypot(...[0, 1, 2].map(axis => (frame[atom * 3 + axis] ?? 0) - (frame[other * 3 + axis] ?? 0))) <
          (elements[atom] === 1 || elements[other] === 1 ? LONGEST_TO_HYDROGEN : LONGEST_BOND)
        )
          bonds.push(other, atom)
    const key = [x, y, z].join()
    cells.set(key, [...(cells.get(key) ?? []), atom])
  }
  return Uint32Array.from(bonds)
}

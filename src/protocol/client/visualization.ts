import type { ReportFault } from '../fault.ts'
import { type Json, isJsonList, isJsonObject } from '../json.ts'
import { wrongType } from '../shape.ts'

/** The molecule of a unit. Lists are by atom index. */
export type Topology = {
  readonly names: readonly string[]
  /** Atomic numbers; 0 where unknown. */
  readonly elements: Uint8Array
  /** In elementary charges, ångström and atomic mass units; NaN where unknown. */
  readonly charges: Float32Array
  readonly radii: Float32Array
  readonly masses: Float32Array
  /** Flat pairs of atom indexes. */
  readonly bonds: Uint32Array
}

/**
 * `{"atoms": [[name, charge, radius, mass, element?], …], "bonds": [[a, b], …]}`. A malformed atom
 * keeps its index without a name; invalid bonds are left out; both are reported once.
 */
export function decodeTopology(value: Json, path: readonly string[], report: ReportFault): Topology | undefined {
  const atoms = isJsonObject(value) ? value['atoms'] : undefined
  if (!isJsonObject(value) || !isJsonList(atoms)) {
    report(wrongType([...path, 'atoms'], 'list', atoms ?? null))
    return undefined
  }
  const broken = atoms.find(atom => !isJsonList(atom) || typeof atom[0] !== 'string')
  if (broken !== undefined) report(wrongType([...path, 'atoms'], 'a list that starts with a name', broken))
  const part = (at: number) => Float32Array.from(atoms, atom => numberAt(atom, at) ?? NaN)
  return {
    names: atoms.map(atom => (isJsonList(atom) && typeof atom[0] === 'string' ? atom[0] : '')),
    elements: Uint8Array.from(atoms, atom => elementOf(numberAt(atom, 4))),
    charges: part(1),
    radii: part(2),
    masses: part(3),
    bonds: decodeBonds(value['bonds'] ?? [], atoms.length, [...path, 'bonds'], report),
  }
}

const MAX_ELEMENT = 118

function elementOf(number: number | undefined): number {
  return number !== undefined && Number.isInteger(number) && number > 0 && number <= MAX_ELEMENT ? number : 0
}

function numberAt(list: Json, at: number): number | undefined {
  const value = isJsonList(list) ? list[at] : undefined
  return typeof value === 'number' ? value : undefined
}

function decodeBonds(value: Json, atoms: number, path: readonly string[], report: ReportFault): Uint32Array {
  const ends = numbersOf(value, 2)
  if (!ends) {
    report(wrongType(path, 'pairs of numbers', value))
    return new Uint32Array()
  }
  const bonds: number[] = []
  for (let at = 0; at < ends.length; at += 2) {
    const from = ends[at] ?? -1
    const to = ends[at + 1] ?? -1
    if (isAtom(from, atoms) && isAtom(to, atoms)) bonds.push(from, to)
  }
  if (bonds.length < ends.length) report(wrongType(path, 'indexes of atoms', value))
  return Uint32Array.from(bonds)
}

function isAtom(index: number, atoms: number) {
  return Number.isInteger(index) && index >= 0 && index < atoms
}

/** Positions from `[[x, y, z], …]` or `[x, y, z, …]`; `undefined`, and reported, for anything else. */
export function decodeFrame(
  value: Json,
  path: readonly (string | number)[],
  report: ReportFault,
): Float32Array<ArrayBuffer> | undefined {
  const numbers = numbersOf(value, 3)
  if (!numbers) report(wrongType(path, 'three numbers an atom', value))
  return numbers && Float32Array.from(numbers)
}

// The numbers of a flat list, or of a list of lists of `size`.
function numbersOf(value: Json, size: number): readonly number[] | undefined {
  if (!isJsonList(value)) return undefined
  const numbers: number[] = []
  for (const item of value) {
    if (typeof item === 'number') numbers.push(item)
    else if (isJsonList(item) && item.length === size && numbers.length % size === 0) {
      for (const inner of item) {
        if (typeof inner !== 'number') return undefined
        numbers.push(inner)
      }
    } else return undefined
  }
  return numbers.length % size === 0 ? numbers : undefined
}

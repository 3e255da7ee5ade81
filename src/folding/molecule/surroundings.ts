/*
 * A residue and what is beside it.
 */
import { centerOf, distance, pointAt, type Vector } from './vectors.ts'
import type { Molecule } from './molecule.ts'

/** Ångström between atoms of residues that are beside each other. */
const NEAR = 4.5

export type Surroundings = {
  /** 1 for each atom of the residue and of those beside it. */
  readonly atoms: Uint8Array
  /** The middle of the residue's atoms, in ångström. */
  readonly center: Vector
}

/** Undefined where a residue, counted from 1, has no atoms with places in the frame. */
export function surroundingsOf({ residues }: Molecule, residue: number, frame: Float32Array): Surroundings | undefined {
  if (residues === undefined || residue === 0) return undefined
  const atoms = Uint32Array.from(residues.keys()).filter(
    atom => residues[atom] === residue && pointAt(frame, atom).every(Number.isFinite),
  )
  if (atoms.length === 0) return undefined
  const inside = Array.from(atoms, atom => pointAt(frame, atom))
  const center = centerOf(frame, atoms)
  const reach = NEAR + Math.max(...inside.map(place => distance(place, center)))
  const beside = new Set<number>()
  residues.forEach((one, atom) => {
    const place = pointAt(frame, atom)
    if (one > 0 && distance(place, center) < reach && inside.some(other => distance(other, place) < NEAR))
      beside.add(one)
  })
  return { atoms: Uint8Array.from(residues, one => (beside.has(one) ? 1 : 0)), center }
}

/*
 * What each atom is part of, by bonds and elements: a polymer, water, an ion, or something else.
 */
import { HYDROGEN, OXYGEN } from './atoms.ts'
import { bondedAtoms, partnersOf, type Bonded } from './bonded.ts'
import type { Molecule } from './molecule.ts'
import type { AminoAcid, Polymers } from './polymers.ts'

/** Stored in a `Uint8Array`, one byte an atom. 0 is for others: ligands, lipids, and what is bonded to a side chain. */
export const POLYMER = 1
export const WATER = 2
export const ION = 3

/** Water has an oxygen and two hydrogens, and in some models one or two places without mass. */
const LARGEST_WATER = 5
/** Atoms that are not hydrogen: tryptophan has ten. More are a side chain with something bonded to it. */
const LARGEST_SIDE_CHAIN = 12

/** Without bonds nothing is known: all are 0. */
export const kindsOf = (
  { classes, bonds }: Pick<Molecule, 'classes' | 'bonds'>,
  { peptides, strands }: Polymers,
): Uint8Array => {
  const kinds = new Uint8Array(classes.length)
  if (bonds.length === 0) return kinds
  const bonded = bondedAtoms(classes.length, bonds)
  markSolvent(kinds, classes, bonded)
  const residues = peptides.flat()
  for (const { n, ca, c, o } of residues) for (const atom of [n, ca, c, o]) kinds[atom] = POLYMER
  for (const residue of residues) markSideChain(kinds, classes, bonded, residue)
  for (const { c4 } of strands.flat()) markAll(kinds, bonded, c4)
  return kinds
}

const markSolvent = (kinds: Uint8Array, classes: Uint8Array, bonded: Bonded): void => {
  classes.forEach((atomClass, atom) => {
    const partners = partnersOf(bonded, atom)
    if (partners.length === 0) kinds[atom] = ION
    else if (atomClass === OXYGEN && isWater(classes, bonded, atom)) {
      kinds[atom] = WATER
      for (const partner of partners) kinds[partner] = WATER
    }
  })
}

const isWater = (classes: Uint8Array, bonded: Bonded, oxygen: number): boolean => {
  const partners = partnersOf(bonded, oxygen)
  return (
    partners.length < LARGEST_WATER &&
    partners.filter(partner => classes[partner] === HYDROGEN).length === 2 &&
    partners.every(partner => partnersOf(bonded, partner).every(other => other === oxygen || partners.includes(other)))
  )
}

const markSideChain = (kinds: Uint8Array, classes: Uint8Array, bonded: Bonded, { n, ca, c }: AminoAcid): void => {
  const found: number[] = []
  const visit = (atom: number): void => {
    for (const partner of partnersOf(bonded, atom))
      if (kinds[partner] !== POLYMER && !found.includes(partner)) found.push(partner)
  }
  for (const atom of [n, ca, c]) visit(atom)
  const isHeavy = (atom: number): boolean => classes[atom] !== HYDROGEN
  let heavy = 0
  for (const atom of found) {
    if (isHeavy(atom)) heavy += 1
    if (heavy > LARGEST_SIDE_CHAIN) return
    visit(atom)
  }
  for (const atom of found) kinds[atom] = POLYMER
}

const markAll = (kinds: Uint8Array, bonded: Bonded, first: number): void => {
  const queue = [first]
  for (const atom of queue) {
    if (kinds[atom] === POLYMER) continue
    kinds[atom] = POLYMER
    queue.push(...partnersOf(bonded, atom))
  }
}

export const isSolvent = (kind: number | undefined): boolean => kind === WATER || kind === ION

/** Positions of all atoms but the solvent; of all atoms where there is nothing else. */
export const withoutSolvent = (kinds: Uint8Array, frame: Float32Array): Float32Array => {
  const solute: number[] = []
  kinds.forEach((kind, atom) => {
    if (!isSolvent(kind)) solute.push(frame[atom * 3] ?? NaN, frame[atom * 3 + 1] ?? NaN, frame[atom * 3 + 2] ?? NaN)
  })
  return solute.length === 0 ? frame : Float32Array.from(solute)
}

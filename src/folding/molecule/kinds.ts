/*
 * What each atom is part of, by bonds and elements: a residue of a polymer, water, an ion, or something else.
 */
import { HYDROGEN, isBoundMetal, OXYGEN, SULFUR } from './atoms.ts'
import { bondedAtoms, partnersOf, type Bonded, type BondedClasses } from './bonded.ts'
import type { Polymers } from './polymers.ts'
import { pointAt } from './vectors.ts'

/** Stored in a `Uint8Array`, one byte an atom. 0 is for others: ligands, lipids, and what is bonded to a side chain. */
export const POLYMER = 1
export const WATER = 2
export const ION = 3
/** Part of a polymer, from where a ligand or a modified side chain branches off: drawn with what is not a polymer. */
export const BRANCH = 4

/** Water has an oxygen and two hydrogens, and in some models one or two places without mass. */
const LARGEST_WATER = 5
/** Atoms that are not hydrogen: tryptophan has fourteen, and fifteen at the C end. More are a residue with something bonded to it. */
const LARGEST_RESIDUE = 15
const MAX_NUMBER = 0xffff

/**
 * The kind of each atom, and the number of its residue: counted from 1, each peptide from the N end and then each strand
 * from the 5′ end; 0 outside polymers. Without bonds nothing is known: all are 0.
 */
export function kindsOf(
  { classes, bonds }: BondedClasses,
  { peptides, strands }: Polymers,
): { readonly kinds: Uint8Array; readonly residues: Uint16Array } {
  const kinds = new Uint8Array(classes.length)
  const residues = new Uint16Array(classes.length)
  if (bonds.length === 0) return { kinds, residues }
  const bonded = bondedAtoms(classes.length, bonds)
  markSolvent(kinds, classes, bonded)
  const backbones = peptides.flat().map(({ n, ca, c, o }) => [n, ca, c, o])
  // C3′ comes first, so that the oxygen between it and the next phosphorus is its own.
  const nucleotides = strands
    .flat()
    .map(({ c3, c4, c1, base, p }) => [c3, c4, c1, ...base, ...(p === undefined ? [] : [p])])
  const owners = nearestResidues(bonded, [...backbones, ...nucleotides])
  const heavy = new Uint32Array(backbones.length + nucleotides.length + 1)
  const isForeign = new Uint8Array(heavy.length)
  owners.forEach((owner, atom) => {
    const atomClass = classes[atom] ?? 0
    if (atomClass !== HYDROGEN) heavy[owner] = (heavy[owner] ?? 0) + 1
    if (atomClass > SULFUR) isForeign[owner] = 1
  })
  const backboneAtoms = new Set(backbones.flat())
  const alphas = new Set(backbones.map(([, ca]) => ca))
  owners.forEach((owner, atom) => {
    if (owner === 0) return
    const isModified = owner <= backbones.length && ((heavy[owner] ?? 0) > LARGEST_RESIDUE || isForeign[owner] === 1)
    residues[atom] = Math.min(owner, MAX_NUMBER)
    if (!isModified || backboneAtoms.has(atom)) kinds[atom] = isModified && alphas.has(atom) ? BRANCH : POLYMER
  })
  return { kinds, residues }
}

/** For each atom the number of the residue that the fewest bonds lead to, from 1; 0 where none leads to any. */
function nearestResidues(bonded: Bonded, residues: readonly (readonly number[])[]): Uint32Array {
  const owners = new Uint32Array(bonded.starts.length - 1)
  const queue: number[] = []
  residues.forEach((atoms, at) => {
    for (const atom of atoms) {
      owners[atom] = at + 1
      queue.push(atom)
    }
  })
  for (const atom of queue)
    for (const partner of partnersOf(bonded, atom)) {
      if (owners[partner] !== 0) continue
      owners[partner] = owners[atom] ?? 0
      queue.push(partner)
    }
  return owners
}

function markSolvent(kinds: Uint8Array, classes: Uint8Array, bonded: Bonded): void {
  classes.forEach((atomClass, atom) => {
    const partners = partnersOf(bonded, atom)
    if (partners.length === 0) kinds[atom] = isBoundMetal(atomClass) ? 0 : ION
    else if (atomClass === OXYGEN && isWater(classes, bonded, atom)) {
      kinds[atom] = WATER
      for (const partner of partners) kinds[partner] = WATER
    }
  })
}

function isWater(classes: Uint8Array, bonded: Bonded, oxygen: number): boolean {
  const partners = partnersOf(bonded, oxygen)
  return (
    partners.length < LARGEST_WATER &&
    partners.filter(partner => classes[partner] === HYDROGEN).length === 2 &&
    partners.every(partner => partnersOf(bonded, partner).every(other => other === oxygen || partners.includes(other)))
  )
}

export function isPolymer(kind: number | undefined): boolean {
  return kind === POLYMER || kind === BRANCH
}

export function isSolvent(kind: number | undefined): boolean {
  return kind === WATER || kind === ION
}

/** All atoms but the solvent; all atoms where there is nothing else. */
export function soluteOf(kinds: Uint8Array): Uint32Array {
  const atoms = Uint32Array.from(kinds.keys())
  const solute = atoms.filter(atom => !isSolvent(kinds[atom]))
  return solute.length > 0 ? solute : atoms
}

/** x, y and z of the atoms of `soluteOf`, in ångström. */
export function withoutSolvent(kinds: Uint8Array, frame: Float32Array): Float32Array {
  const solute = soluteOf(kinds)
  const places = new Float32Array(solute.length * 3)
  solute.forEach((atom, at) => places.set(pointAt(frame, atom), at * 3))
  return places
}

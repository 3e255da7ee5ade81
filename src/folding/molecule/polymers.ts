/*
 * Chains of amino acids and of nucleotides, found by elements and bonds alone: the names of atoms differ between force
 * fields.
 */
import { CARBON, NITROGEN, OXYGEN, PHOSPHORUS } from './atoms.ts'
import { bondedAtoms, partnersOf, type Bonded, type BondedClasses } from './bonded.ts'

/** Indexes of the backbone's atoms of an amino acid. */
export type AminoAcid = {
  readonly n: number
  readonly ca: number
  readonly c: number
  readonly o: number
  /** Whether its nitrogen has no hydrogen to donate: proline. */
  readonly isProline: boolean
  /** Whether nothing but Cα and one oxygen is bonded to its carbon: the file lacks what follows. */
  readonly isOpen: boolean
}

/** Indexes of the atoms of a nucleotide that its drawing needs. */
export type Nucleotide = {
  /** C4′, C3′ and C1′ of the sugar. */
  readonly c4: number
  readonly c3: number
  readonly c1: number
  /** The phosphorus that links it to the nucleotide before; undefined at the 5′ end. */
  readonly p: number | undefined
  /** Atoms of the base, without hydrogens. */
  readonly base: readonly number[]
}

export type Polymers = {
  /** Each from the N end to the C end. */
  readonly peptides: readonly (readonly AminoAcid[])[]
  /** Each from the 5′ end to the 3′ end. */
  readonly strands: readonly (readonly Nucleotide[])[]
}

/** Ångström between two Cα: residues that a file lacks are not assumed over a longer distance. */
export const LONGEST_GAP = 16

/** The Cα before and after residues that may be missing: each peptide that is cut off, and the next. */
export function gapsOf(peptides: Polymers['peptides']): readonly (readonly [number, number])[] {
  return peptides.flatMap((chain, at) => {
    const [last, next] = [chain.at(-1), peptides[at + 1]?.[0]]
    return last?.isOpen === true && next !== undefined ? [[last.ca, next.ca] as const] : []
  })
}

/** Shorter chains are drawn as small molecules. */
const SHORTEST_CHAIN = 3

export function polymersOf({ classes, bonds }: BondedClasses): Polymers {
  const bonded = bondedAtoms(classes.length, bonds)
  const near = neighborsIn(classes, bonded)
  const aminoAcids = aminoAcidsOf(classes, bonded, near)
  const byNitrogen = new Map(aminoAcids.map(residue => [residue.n, residue]))
  const nucleotides = nucleotidesOf(classes, near)
  const byPhosphorus = new Map(nucleotides.flatMap(unit => (unit.p === undefined ? [] : ([[unit.p, unit]] as const))))
  return {
    peptides: chainsOf(
      aminoAcids,
      ({ n, c }) => near(c, NITROGEN).flatMap(next => (next === n ? [] : (byNitrogen.get(next) ?? [])))[0],
    ),
    strands: chainsOf(
      nucleotides,
      ({ c3 }) =>
        near(c3, OXYGEN).flatMap(oxygen =>
          near(oxygen, PHOSPHORUS).flatMap(phosphorus => byPhosphorus.get(phosphorus) ?? []),
        )[0],
    ),
  }
}

/** The atoms of a class that are bonded to an atom. */
type Neighbors = (atom: number, atomClass: number) => readonly number[]

function neighborsIn(classes: Uint8Array, bonded: Bonded): Neighbors {
  return (atom, atomClass) => [...partnersOf(bonded, atom)].filter(partner => classes[partner] === atomClass)
}

function atomsOf(classes: Uint8Array, atomClass: number): readonly number[] {
  return [...classes.keys()].filter(atom => classes[atom] === atomClass)
}

/** N–Cα–C=O. Of the two oxygens of a C end, the first. */
function aminoAcidsOf(classes: Uint8Array, bonded: Bonded, near: Neighbors): readonly AminoAcid[] {
  const found = new Map<number, AminoAcid>()
  for (const c of atomsOf(classes, CARBON)) {
    const o = near(c, OXYGEN).find(oxygen => near(oxygen, CARBON).length === 1)
    if (o === undefined) continue
    for (const ca of near(c, CARBON)) {
      const nitrogens = near(ca, NITROGEN).filter(nitrogen => near(nitrogen, OXYGEN).length === 0)
      // The nitrogen of a peptide bond is preferred to one of a side chain.
      const n = nitrogens.find(nitrogen => near(nitrogen, CARBON).length > 1) ?? nitrogens[0]
      if (n === undefined || found.has(n)) continue
      const isProline = near(n, CARBON).length > 2
      found.set(n, { n, ca, c, o, isProline, isOpen: partnersOf(bonded, c).length === 2 })
    }
  }
  return [...found.values()]
}

/** A ring of four carbons and an oxygen, one of the carbons bonded to the nitrogen of a base. */
function nucleotidesOf(classes: Uint8Array, near: Neighbors): readonly Nucleotide[] {
  return atomsOf(classes, OXYGEN).flatMap(oxygen => {
    const [a, b, ...others] = near(oxygen, CARBON)
    if (a === undefined || b === undefined || others.length > 0) return []
    const [c1, c4] = near(a, NITROGEN).length > 0 ? [a, b] : [b, a]
    const [root] = near(c1, NITROGEN)
    const c3 = near(c4, CARBON).find(third =>
      near(third, CARBON).some(second => second !== c4 && near(second, CARBON).includes(c1)),
    )
    const c5 = near(c4, CARBON).find(carbon => carbon !== c3)
    if (root === undefined || c3 === undefined || c5 === undefined) return []
    const p = near(c5, OXYGEN).flatMap(ester => near(ester, PHOSPHORUS))[0]
    return [{ c4, c3, c1, p, base: baseAtoms(root, c1, near) }]
  })
}

/** No base has more atoms that are not hydrogen; modified ones may. */
const LARGEST_BASE = 24

function baseAtoms(root: number, sugar: number, near: Neighbors): readonly number[] {
  const found = [root]
  for (let at = 0; at < found.length && found.length < LARGEST_BASE; at++)
    for (const atomClass of [CARBON, NITROGEN, OXYGEN])
      for (const atom of near(found[at] ?? root, atomClass))
        if (atom !== sugar && !found.includes(atom)) found.push(atom)
  return found
}

/** Follows each unit to its next one. A ring begins anywhere. */
function chainsOf<Unit>(
  units: readonly Unit[],
  nextOf: (unit: Unit) => Unit | undefined,
): readonly (readonly Unit[])[] {
  const nexts = new Map(units.map(unit => [unit, nextOf(unit)]))
  const followers = new Set(nexts.values())
  const seen = new Set<Unit>()
  const chains = [...units.filter(unit => !followers.has(unit)), ...units].map(first => {
    const chain: Unit[] = []
    for (let unit: Unit | undefined = first; unit !== undefined && !seen.has(unit); unit = nexts.get(unit)) {
      seen.add(unit)
      chain.push(unit)
    }
    return chain
  })
  return chains.filter(chain => chain.length >= SHORTEST_CHAIN)
}

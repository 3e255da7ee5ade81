/*
 * A unit's protein, ready to be drawn: what each atom is, how it is bonded, and to which chain and residue it belongs
 * where the topology lets that be known.
 */
import type { Topology } from '../../protocol/visualization.ts'
import { classesOf, radiiOf } from './atoms.ts'

/** Atom *n* is the *n*th entry of every list. */
export type Molecule = {
  readonly names: readonly string[]
  /** An `AtomClass` each. */
  readonly classes: Uint8Array
  /** Van der Waals radii in ångström. */
  readonly radii: Float32Array
  /** Elementary charges; NaN where none is known. */
  readonly charges: Float32Array
  /** Pairs of atom indexes, one after the other. */
  readonly bonds: Uint32Array
  /** Counted from 1; 0 for atoms of small molecules, such as water and ions. */
  readonly chains?: Uint16Array
  /** Counted from 1, through all chains; 0 for atoms of no residue. */
  readonly residues?: Uint16Array
}

/** Molecules with fewer atoms are what a protein swims in. */
const SMALLEST_CHAIN = 12

/** No residue of a protein has more atoms. */
const LARGEST_RESIDUE = 40

const MOST_NUMBERS = 0xffff

export const moleculeOf = ({ names, elements, charges, bonds }: Topology): Molecule => {
  const classes = classesOf({ names, elements })
  const chains = chainsOf(names.length, bonds)
  const residues = residuesOf(names, chains)
  return {
    names,
    classes,
    radii: radiiOf(classes),
    charges,
    bonds,
    ...(chains === undefined ? {} : { chains }),
    ...(residues === undefined ? {} : { residues }),
  }
}

/** A chain is what bonds hold together. Undefined without bonds, or when nothing is large enough. */
const chainsOf = (atoms: number, bonds: Uint32Array): Uint16Array | undefined => {
  const roots = rootsOf(atoms, bonds)
  const sizes = new Uint32Array(atoms)
  for (const root of roots) sizes[root] = (sizes[root] ?? 0) + 1
  const numbers = new Map<number, number>()
  const chains = new Uint16Array(atoms)
  roots.forEach((root, atom) => {
    if ((sizes[root] ?? 0) < SMALLEST_CHAIN) return
    const number = numbers.get(root) ?? Math.min(numbers.size + 1, MOST_NUMBERS)
    numbers.set(root, number)
    chains[atom] = number
  })
  return numbers.size === 0 ? undefined : chains
}

/** For each atom, the one that stands for all it is bonded to, directly or not. */
const rootsOf = (atoms: number, bonds: Uint32Array): Uint32Array => {
  const parents = Uint32Array.from({ length: atoms }, (_, atom) => atom)
  const rootOf = (atom: number): number => {
    let root = atom
    for (let parent = parents[root] ?? root; parent !== root; parent = parents[root] ?? root) {
      const above = parents[parent] ?? parent
      parents[root] = above
      root = above
    }
    return root
  }
  for (let at = 0; at + 1 < bonds.length; at += 2) {
    const [a = 0, b = 0] = [bonds[at], bonds[at + 1]]
    if (a >= atoms || b >= atoms) continue
    const [first, second] = [rootOf(a), rootOf(b)]
    parents[Math.max(first, second)] = Math.min(first, second)
  }
  return parents.map((_, atom) => rootOf(atom))
}

/** A residue begins with the backbone's N, when CA and C follow before the next N. Undefined when there is none. */
const residuesOf = (names: readonly string[], chains: Uint16Array | undefined): Uint16Array | undefined => {
  const residues = new Uint16Array(names.length)
  let residue = 0
  let current = 0
  names.forEach((name, atom) => {
    if (chains !== undefined && chains[atom] !== chains[atom - 1]) current = 0
    if (name === 'N' && beginsResidue(names, atom)) {
      residue = Math.min(residue + 1, MOST_NUMBERS)
      current = residue
    }
    residues[atom] = chains?.[atom] === 0 ? 0 : current
  })
  return residue === 0 ? undefined : residues
}

const beginsResidue = (names: readonly string[], at: number): boolean => {
  let hasAlpha = false
  for (let next = at + 1; next < Math.min(names.length, at + LARGEST_RESIDUE); next++) {
    if (names[next] === 'N') return false
    if (names[next] === 'CA') hasAlpha = true
    else if (names[next] === 'C' && hasAlpha) return true
  }
  return false
}

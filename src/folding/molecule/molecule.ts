/*
 * A unit's molecule, ready to be drawn: classes and bonds of its atoms, and the chain and residue of each where they can be
 * inferred from the topology.
 */
import type { Topology } from '../../protocol/client/visualization.ts'
import { computedOnce } from '../shared/computed-once.ts'
import { classesOf, radiiOf } from './atoms.ts'
import { BALL_AND_STICK, CARTOON, type Coloring, type DrawStyle } from './molecule-style.ts'
import { kindsOf } from './kinds.ts'
import { bondOrder } from './lattice.ts'
import { gapsOf, LONGEST_GAP, polymersOf, type Polymers } from './polymers.ts'
import { distance, pointAt } from './vectors.ts'

/** Lists are by atom index. */
export type Molecule = {
  readonly names: readonly string[]
  /** An `AtomClass` per atom. */
  readonly classes: Uint8Array
  /** Van der Waals radii in ångström. */
  readonly radii: Float32Array
  /** Elementary charges; NaN where unknown. */
  readonly charges: Float32Array
  /** Flat pairs of atom indexes. */
  readonly bonds: Uint32Array
  readonly polymers: Polymers
  /** What each atom is part of: see `kinds.ts`. */
  readonly kinds: Uint8Array
  /** What bonds hold together, counted from 1; 0 for atoms of small molecules, such as water and ions. */
  readonly chains?: Uint16Array
  /** See `kindsOf`; 0 for atoms outside residues. */
  readonly residues?: Uint16Array
}

/** Molecules with fewer atoms are solvent or ions. */
const SMALLEST_CHAIN = 12

const MAX_NUMBER = 0xffff

export function moleculeOf({ names, elements, charges, bonds }: Topology): Molecule {
  const classes = classesOf({ names, elements })
  const chains = chainsOf(names.length, bonds)
  const polymers = polymersOf({ classes, bonds })
  const { kinds, residues } = kindsOf({ classes, bonds }, polymers)
  return {
    names,
    classes,
    radii: radiiOf(classes),
    charges,
    bonds,
    polymers,
    kinds,
    ...(chains === undefined ? {} : { chains }),
    ...(residues.some(residue => residue > 0) ? { residues } : {}),
  }
}

/** Of a large topology it takes a while. */
export const knownMolecule = computedOnce(moleculeOf)

const known = new WeakMap<Molecule, Uint16Array>()

/**
 * The chain of each residue, both counted from 1: each peptide and strand, joined where residues seem to be missing between two. The
 * first frame given decides.
 */
export function residueChains(molecule: Molecule, frame: Float32Array | undefined): Uint16Array {
  const found = known.get(molecule)
  if (found !== undefined) return found
  const { peptides, strands } = molecule.polymers
  const joined = new Set(
    gapsOf(peptides).flatMap(([from, to]) =>
      frame !== undefined && distance(pointAt(frame, from), pointAt(frame, to)) < LONGEST_GAP ? [to] : [],
    ),
  )
  let number = 0
  const numbers = [...peptides, ...strands].flatMap(chain => {
    const [first] = chain
    if (first === undefined || !('ca' in first) || !joined.has(first.ca)) number += 1
    return chain.map(() => number)
  })
  const chains = Uint16Array.of(0, ...numbers)
  if (frame !== undefined) known.set(molecule, chains)
  return chains
}

/** The chain of each atom: see `residueChains`; 0 outside residues. Without polymers, what bonds hold together. */
export function polymerChains(molecule: Molecule, frame: Float32Array | undefined): Uint16Array | undefined {
  const { residues, chains } = molecule
  if (residues === undefined) return chains
  const ofResidues = residueChains(molecule, frame)
  return residues.map(residue => ofResidues[residue] ?? 0)
}

/** Whether it has a chain of amino acids or nucleotides, which a cartoon shows. */
export function hasBackbone({ polymers: { peptides, strands } }: Molecule): boolean {
  return peptides.length + strands.length > 0
}

/** The wanted style, or the one that shows this molecule best; a cartoon needs a backbone. */
export function drawnStyle(wanted: DrawStyle | undefined, topology: Topology | undefined): DrawStyle {
  if (topology === undefined || (wanted !== undefined && wanted !== CARTOON)) return wanted ?? BALL_AND_STICK
  return hasBackbone(knownMolecule(topology)) ? CARTOON : BALL_AND_STICK
}

/** The wanted coloring if the molecule has its data; without one, what tells most in a style. */
export function drawnColoring(wanted: Coloring | undefined, style: DrawStyle, molecule: Molecule): Coloring {
  const { polymers, residues, chains, charges } = molecule
  if (wanted === undefined)
    return style < CARTOON || residues === undefined
      ? 'element'
      : polymers.peptides.length + polymers.strands.length > 1
        ? 'chain'
        : 'residue'
  const isUsable =
    wanted === 'chain'
      ? chains !== undefined
      : wanted === 'residue' || wanted === 'structure'
        ? residues !== undefined
        : wanted !== 'charge' || charges.some(Number.isFinite)
  return isUsable ? wanted : 'element'
}

/** Chains are connected components. Undefined without bonds, or when none is large enough. */
function chainsOf(atoms: number, bonds: Uint32Array): Uint16Array | undefined {
  const order = bondOrder(atoms, bonds)
  const starts = [...order.atoms.keys()].filter(at => order.before[at] === order.atoms[at])
  const parts = starts.map((start, at) => order.atoms.subarray(start, starts[at + 1]))
  const large = parts.filter(part => part.length >= SMALLEST_CHAIN)
  const chains = new Uint16Array(atoms)
  large.forEach((part, at) => {
    for (const atom of part) chains[atom] = Math.min(at + 1, MAX_NUMBER)
  })
  return large.length === 0 ? undefined : chains
}

/*
 * Colors of atoms for light and dark backgrounds. The legend uses the same ones.
 */
import { isBoundMetal, OTHER, type AtomClass } from '../folding/molecule/atoms.ts'
import { isPolymer, isSolvent } from '../folding/molecule/kinds.ts'
import { polymerChains, residueChains } from '../folding/molecule/molecule.ts'
import { secondaryStructure } from '../folding/molecule/secondary-structure.ts'
import type { Coloring, Molecule, Theme } from './viewer.types.ts'

/** `#rrggbb`, by the atom's class: carbon, hydrogen, nitrogen, oxygen, sulfur, other, and then the elements of `atoms.ts`. */
const ELEMENTS: Readonly<Record<Theme, string>> = {
  light:
    '#857f78 #e0d9cd #3f6cd6 #d4402f #dfa71c #2f9c86 #e07a1a #6fae3d #2f9e44 #9c4a2f #7b3fa0 #c98a12 #8a5fd0 #7a4bc4 #3f8f2f #4a9a5a #8a62b8 #c2603f #c0628a #3f9a6a #b5702f #6d7aa8 #b08d3a #7d8a99',
  dark: '#9b948b #f1ece2 #5b86f0 #e8523f #f0bd38 #3fb89e #f5953a #8fd05a #4fc468 #c4664a #a566cc #e5a733 #a983ea #9a6fe0 #5fb84c #66bd78 #b088de #e48363 #e088ad #5fc08c #d98e4c #8f9ccb #d3b15c #9aa8b8',
}

/** CSS color of an atom's class. */
export function elementColor(atomClass: AtomClass, theme: Theme): string {
  const colors = ELEMENTS[theme].split(' ')
  return colors[atomClass] ?? colors[OTHER] ?? ''
}

/** Of one lightness, distinguished by hue. The first is the accent color. */
const CHAINS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#b0507f', '#3b8a8f', '#c48a2e', '#5a74c4', '#6c9440', '#c2603f', '#8a62b8', '#3f8f66', '#a97c52', '#4f8dbb'],
  dark: ['#d276a2', '#55b3b8', '#e2ae55', '#8299ea', '#92bd62', '#e48363', '#b088de', '#62b98c', '#cfa27a', '#74b4e2'],
}

/** Of atoms outside all chains. */
const OUTSIDE_RESIDUES: Readonly<Record<Theme, string>> = { light: '#a9b8c0', dark: '#66757d' }

/** Colorings by a scale. */
export type RampColoring = Exclude<Coloring, 'element' | 'chain' | 'structure'>

const RAMPS: Readonly<Record<RampColoring, Readonly<Record<Theme, readonly string[]>>>> = {
  // From the beginning of the chain to its end.
  residue: {
    light: ['#3b56b8', '#2f86b5', '#2f9c86', '#7ba23c', '#d6a52a', '#d0702e', '#b03a5c'],
    dark: ['#6f8af0', '#4fb0e0', '#4cc0a6', '#a3c95e', '#efc04c', '#ee9150', '#e0688c'],
  },
  // From −1 over 0 to +1.
  charge: {
    light: ['#c0392b', '#d98a7c', '#dcd6cc', '#8195d8', '#3455c4'],
    dark: ['#f0563f', '#c98577', '#bdb7ad', '#8b9de2', '#5f86ff'],
  },
  // From still to far.
  motion: {
    light: ['#8d9498', '#c39a5f', '#d4682f', '#ac2458'],
    dark: ['#727b80', '#bb9350', '#ef7d3a', '#ff5f8f'],
  },
}

/** Stops of a color scale from its first to its last value. */
export function rampOf(coloring: RampColoring, theme: Theme): readonly string[] {
  return RAMPS[coloring][theme]
}

/** Color of the nth chain, from 1; 0 for atoms outside all chains, such as the solvent. */
export function chainColor(chain: number, theme: Theme): string {
  return [OUTSIDE_RESIDUES[theme], ...CHAINS[theme]][chainIndex(chain, theme)] ?? ''
}

function chainIndex(chain: number, theme: Theme): number {
  return chain === 0 ? 0 : ((chain - 1) % CHAINS[theme].length) + 1
}

/** By class of secondary structure, and of nucleotides. */
const STRUCTURES: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#8d9498', '#b0507f', '#c48a2e', '#3b8a8f'],
  dark: ['#9aa3a8', '#d276a2', '#e2ae55', '#55b3b8'],
}
const NUCLEOTIDE = 3

/** CSS color of a class of `secondaryStructure`. */
export function structureColor(structure: number, theme: Theme): string {
  return STRUCTURES[theme][structure] ?? OUTSIDE_RESIDUES[theme]
}

/** Ångström around the mean place that get the last color of the scale. */
export const MOST_MOTION = 3

type AtomLook = {
  readonly coloring: Coloring
  readonly theme: Theme
  /** Whose secondary structure it is. */
  readonly frame?: Float32Array | undefined
  /** How far each atom moves around its mean place, in ångström. */
  readonly motion?: Float32Array | undefined
  readonly isCartoon?: boolean
}

/** In a cartoon, metals without bonds are larger than atoms of ligands. */
const METAL_FACTOR = 2.2

/**
 * Four bytes an atom: red, green, blue, and the van der Waals radius in hundredths of an ångström (2.55 at most).
 * Chains, residues and secondary structure are colors of residues; what is none is colored by element beside them, and in a cartoon modified
 * side chains are, too.
 */
export function atomBytes(molecule: Molecule, look: AtomLook): Uint8Array {
  const bytes = new Uint8Array(molecule.names.length * 4)
  const colorOf = coloringOf(molecule, look)
  molecule.classes.forEach((atomClass, atom) => {
    const color = colorOf(atom)
    const radius = (molecule.radii[atom] ?? 0) * (look.isCartoon === true && isBoundMetal(atomClass) ? METAL_FACTOR : 1)
    bytes.set(
      [color >> 16, (color >> 8) & 0xff, color & 0xff, radius > 0 ? Math.min(255, Math.round(radius * 100)) : 0],
      atom * 4,
    )
  })
  return bytes
}

function coloringOf(
  molecule: Molecule,
  { coloring, theme, frame, motion, isCartoon = false }: AtomLook,
): (atom: number) => number {
  const elements = ELEMENTS[theme].split(' ').map(parse)
  const byElement = (atom: number): number => elements[molecule.classes[atom] ?? OTHER] ?? 0
  const outside = parse(OUTSIDE_RESIDUES[theme])
  const hasScheme = (atom: number): boolean =>
    molecule.residues === undefined || (isCartoon ? isPolymer(molecule.kinds[atom]) : molecule.residues[atom] !== 0)
  const inPolymers = (ofAtom: (atom: number) => number) => (atom: number) =>
    hasScheme(atom) ? ofAtom(atom) : isSolvent(molecule.kinds[atom]) ? outside : byElement(atom)
  switch (coloring) {
    case 'element':
      return byElement
    case 'chain': {
      const chains = polymerChains(molecule, frame)
      const colors = [outside, ...CHAINS[theme].map(parse)]
      return inPolymers(atom => colors[chainIndex(chains?.[atom] ?? 0, theme)] ?? outside)
    }
    case 'residue': {
      const ramp = tableOf(rampOf('residue', theme))
      const shares = sharesOf(residueChains(molecule, frame))
      return inPolymers(atom => atShare(ramp, shares[molecule.residues?.[atom] ?? 0] ?? 0))
    }
    case 'structure': {
      const classes = frame === undefined ? [] : secondaryStructure(molecule.polymers.peptides, frame)
      const ofResidues = Uint8Array.of(0, ...classes.flatMap(chain => [...chain]))
      const colors = STRUCTURES[theme].map(parse)
      return inPolymers(atom => colors[ofResidues[molecule.residues?.[atom] ?? 0] ?? NUCLEOTIDE] ?? outside)
    }
    case 'charge': {
      const ramp = tableOf(rampOf('charge', theme))
      return atom => atShare(ramp, ((molecule.charges[atom] ?? 0) + 1) / 2, 0.5)
    }
    case 'motion': {
      const ramp = tableOf(rampOf('motion', theme))
      return atom => atShare(ramp, (motion?.[atom] ?? 0) / MOST_MOTION)
    }
    default:
      return coloring satisfies never
  }
}

/** How far along its chain each residue is, from 0 to 1. */
function sharesOf(chains: Uint16Array): Float32Array {
  const [firsts, lasts] = [new Map<number, number>(), new Map<number, number>()]
  chains.forEach((chain, residue) => {
    if (!firsts.has(chain)) firsts.set(chain, residue)
    lasts.set(chain, residue)
  })
  return Float32Array.from(chains, (chain, residue) => {
    const [first = 0, last = 0] = [firsts.get(chain), lasts.get(chain)]
    return last === first ? 0 : (residue - first) / (last - first)
  })
}

const STEPS = 128

function parse(color: string): number {
  return Number.parseInt(color.slice(1), 16)
}

/** Red, green and blue from 0 to 1. */
export function channelsOf(color: string): readonly [number, number, number] {
  const value = parse(color)
  return [(value >> 16) / 255, ((value >> 8) & 0xff) / 255, (value & 0xff) / 255]
}

function tableOf(stops: readonly string[]): Uint32Array {
  return Uint32Array.from({ length: STEPS + 1 }, (_, step) => {
    const place = (step / STEPS) * (stops.length - 1)
    const from = Math.min(Math.floor(place), stops.length - 2)
    return mix(parse(stops[from] ?? '#000000'), parse(stops[from + 1] ?? '#000000'), place - from)
  })
}

function mix(a: number, b: number, share: number): number {
  const channel = (shift: number): number =>
    Math.round(((a >> shift) & 0xff) * (1 - share) + ((b >> shift) & 0xff) * share) << shift
  return channel(16) | channel(8) | channel(0)
}

function atShare(table: Uint32Array, share: number, unknown = 0): number {
  const value = Number.isNaN(share) ? unknown : share
  return table[Math.round(Math.min(1, Math.max(0, value)) * STEPS)] ?? 0
}

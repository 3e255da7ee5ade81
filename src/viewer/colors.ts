/*
 * Colors of atoms for light and dark backgrounds. The legend uses the same ones.
 */
import type { AtomClass } from '../folding/molecule/atoms.ts'
import { POLYMER } from '../folding/molecule/kinds.ts'
import type { Ball } from './ball.ts'
import type { Coloring, Molecule, Theme } from './viewer.types.ts'

/** `#rrggbb`, by the atom's class: carbon, hydrogen, nitrogen, oxygen, sulfur, other. */
const ELEMENTS: Readonly<Record<Theme, readonly [string, string, string, string, string, string]>> = {
  light: ['#857f78', '#e0d9cd', '#3f6cd6', '#d4402f', '#dfa71c', '#2f9c86'],
  dark: ['#9b948b', '#f1ece2', '#5b86f0', '#e8523f', '#f0bd38', '#3fb89e'],
}

/** CSS color of an atom's class. */
export function elementColor(atomClass: AtomClass, theme: Theme): string {
  return ELEMENTS[theme][atomClass]
}

/** Of one lightness, distinguished by hue. The first is the accent color. */
const CHAINS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#b0507f', '#3b8a8f', '#c48a2e', '#5a74c4', '#6c9440', '#c2603f', '#8a62b8', '#3f8f66', '#a97c52', '#4f8dbb'],
  dark: ['#d276a2', '#55b3b8', '#e2ae55', '#8299ea', '#92bd62', '#e48363', '#b088de', '#62b98c', '#cfa27a', '#74b4e2'],
}

/** Of atoms outside all chains. */
const OUTSIDE_RESIDUES: Readonly<Record<Theme, string>> = { light: '#a9b8c0', dark: '#66757d' }

/** Colorings by a scale. */
export type RampColoring = Exclude<Coloring, 'element' | 'chain'>

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
  // From the middle to the outside.
  depth: {
    light: ['#5b2a6e', '#a63a6b', '#dd7a4f', '#f2d08a'],
    dark: ['#8a4fa3', '#d0588c', '#f0955f', '#fbe0a0'],
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
  return chain === 0
    ? OUTSIDE_RESIDUES[theme]
    : (CHAINS[theme][(chain - 1) % CHAINS[theme].length] ?? OUTSIDE_RESIDUES[theme])
}

/** The wanted coloring if the molecule has its data, otherwise by element. */
export function usableColoring(
  wanted: Coloring,
  molecule: Pick<Molecule, 'chains' | 'residues' | 'charges'>,
): Coloring {
  if (wanted === 'chain' && molecule.chains === undefined) return 'element'
  if (wanted === 'residue' && molecule.residues === undefined) return 'element'
  if (wanted === 'charge' && !molecule.charges.some(Number.isFinite)) return 'element'
  return wanted
}

/** Ångström around the mean place that get the last color of the scale. */
export const MOST_MOTION = 3

type AtomFacts = {
  readonly motion?: Float32Array | undefined
  readonly depths?: Float32Array | undefined
  readonly isCartoon?: boolean
}

/**
 * Four bytes an atom: red, green, blue, and the van der Waals radius in hundredths of an ångström (2.55 at most).
 * `motion` is how far each atom moves around its mean place, in ångström, and `depths` the share of the way from the middle to the
 * outside. In a cartoon, whose ribbons have no elements, polymers are
 * colored by chain, and a single chain by residue.
 */
export function atomBytes(
  molecule: Molecule,
  wanted: Coloring,
  theme: Theme,
  { motion, depths, isCartoon = false }: AtomFacts = {},
): Uint8Array {
  const bytes = new Uint8Array(molecule.names.length * 4)
  const coloring = usableColoring(wanted, molecule)
  const ofAtom = coloringOf(molecule, coloring, theme, { motion, depths })
  const ofPolymer = isCartoon && coloring === 'element' ? coloringOf(molecule, ribbonColoring(molecule), theme) : ofAtom
  const colorOf = (atom: number): number => (molecule.kinds[atom] === POLYMER ? ofPolymer : ofAtom)(atom)
  for (let atom = 0; atom < molecule.names.length; atom++) {
    const color = colorOf(atom)
    const to = atom * 4
    bytes[to] = color >> 16
    bytes[to + 1] = (color >> 8) & 0xff
    bytes[to + 2] = color & 0xff
    const radius = molecule.radii[atom] ?? 0
    bytes[to + 3] = radius > 0 ? Math.min(255, Math.round(radius * 100)) : 0
  }
  return bytes
}

function ribbonColoring({ polymers: { peptides, strands }, chains, residues }: Molecule): Coloring {
  return peptides.length + strands.length > 1 && chains !== undefined
    ? 'chain'
    : residues === undefined
      ? 'chain'
      : 'residue'
}

function coloringOf(
  molecule: Molecule,
  coloring: Coloring,
  theme: Theme,
  { motion, depths }: AtomFacts = {},
): (atom: number) => number {
  switch (coloring) {
    case 'element': {
      const colors = ELEMENTS[theme].map(parse)
      return atom => colors[molecule.classes[atom] ?? 5] ?? 0
    }
    case 'chain': {
      const count = CHAINS[theme].length
      const colors = Array.from({ length: count + 1 }, (_, chain) => parse(chainColor(chain, theme)))
      return atom => {
        const chain = molecule.chains?.[atom] ?? 0
        return colors[chain === 0 ? 0 : ((chain - 1) % count) + 1] ?? 0
      }
    }
    case 'residue': {
      const ramp = tableOf(rampOf('residue', theme))
      const outsideColor = parse(OUTSIDE_RESIDUES[theme])
      let last = 1
      for (const residue of molecule.residues ?? []) if (residue > last) last = residue
      return atom => {
        const residue = molecule.residues?.[atom] ?? 0
        return residue === 0 ? outsideColor : atShare(ramp, last === 1 ? 0 : (residue - 1) / (last - 1))
      }
    }
    case 'charge': {
      const ramp = tableOf(rampOf('charge', theme))
      return atom => atShare(ramp, ((molecule.charges[atom] ?? 0) + 1) / 2, 0.5)
    }
    case 'depth': {
      const ramp = tableOf(rampOf('depth', theme))
      return atom => atShare(ramp, depths?.[atom] ?? 1)
    }
    case 'motion': {
      const ramp = tableOf(rampOf('motion', theme))
      return atom => atShare(ramp, (motion?.[atom] ?? 0) / MOST_MOTION)
    }
    default:
      return coloring satisfies never
  }
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

/** The share of the way from the middle of a sphere to its surface, of each atom. */
export function depthsOf(positions: Float32Array, { center: [x, y, z], radius }: Ball, atoms: number): Float32Array {
  return Float32Array.from({ length: atoms }, (_, atom) => {
    const at = atom * 3
    const [across = NaN, beside = NaN, above = NaN] = positions.subarray(at, at + 3)
    return Math.hypot(across - x, beside - y, above - z) / radius
  })
}

import { t } from '@lingui/core/macro'
import type { Topology } from '../../protocol/client/visualization.ts'
import { atomClass, atomClassLabel, elementSymbol, OTHER } from './atoms.ts'
import { formatNumber } from '../text/format.ts'
import type { Molecule } from './molecule.ts'
import { residuePlace } from './residue-names.ts'
import { cross, distance, dot, minus, pointAt } from './vectors.ts'

/** Smaller ones are written as zero. */
const SMALLEST_CHARGE = 0.005

/** Texts about one atom. */
export type AtomLabels = {
  readonly name: string
  readonly element: string
  /** '5 of 120', counted from 1 as in structure files. */
  readonly index: string
  /** In elementary charges; undefined when unknown, or zero. */
  readonly charge: string | undefined
  /** Undefined outside polymers. */
  readonly residue: string | undefined
  readonly chain: string | undefined
}

export function atomLabels(
  topology: Topology,
  molecule: Molecule,
  atom: number,
  frame: Float32Array | undefined,
): AtomLabels {
  const name = topology.names[atom] ?? ''
  const number = topology.elements[atom] ?? 0
  const charge = topology.charges[atom] ?? NaN
  const { name: residueName, number: residue = 0, chain = 0 } = residuePlace(molecule, atom, frame) ?? {}
  return {
    name: name === '' ? t`Unnamed atom` : name,
    element: number === 0 ? t`${elementLabel(name, number)}, guessed from its name` : elementLabel(name, number),
    index: t`${formatNumber(atom + 1)} of ${formatNumber(topology.names.length)}`,
    charge:
      Math.abs(charge) >= SMALLEST_CHARGE
        ? `${charge < 0 ? '−' : '+'}${formatNumber(Math.abs(charge), { digits: 2 })} e`
        : undefined,
    residue: residue === 0 ? undefined : residueLabel(residueName, residue),
    chain: chain === 0 ? undefined : t`chain ${chain}`,
  }
}

/** 'LEU 12', or 'residue 12' for none of the usual ones. */
export function residueLabel(name: string | undefined, residue: number): string {
  return name === undefined ? t`residue ${residue}` : `${name} ${formatNumber(residue)}`
}

function elementLabel(name: string, number: number): string {
  const foundClass = atomClass(name, number)
  if (foundClass !== OTHER) return atomClassLabel(foundClass)
  const symbol = elementSymbol(name, number)
  return symbol === 'X' ? t`Unknown element` : t`Element ${symbol}`
}

/** In ångström; undefined when a position is unknown. */
export function distanceBetween(positions: Float32Array, a: number, b: number): number | undefined {
  const angstroms = distance(pointAt(positions, a), pointAt(positions, b))
  return Number.isFinite(angstroms) ? angstroms : undefined
}

/** Degrees at the second of three atoms; of four, between the planes of the first and the last three. Undefined when a position is unknown. */
export function angleBetween(positions: Float32Array, atoms: readonly number[]): number | undefined {
  const [a, b, c, d] = atoms.map(atom => pointAt(positions, atom))
  if (a === undefined || b === undefined || c === undefined) return undefined
  const [u, v] = [minus(a, b), minus(c, b)]
  const angle =
    d === undefined
      ? Math.atan2(Math.hypot(...cross(u, v)), dot(u, v))
      : Math.atan2(dot(u, cross(v, minus(d, c))) * -Math.hypot(...v), -dot(cross(u, v), cross(v, minus(d, c))))
  return Number.isFinite(angle) ? (angle * 180) / Math.PI : undefined
}

export function formatAngle(degrees: number): string {
  return `${degrees < -0.05 ? '−' : ''}${formatNumber(Math.abs(degrees), { digits: 1 })}°`
}

export function formatDistance(angstroms: number): string {
  return `${formatNumber(angstroms, { digits: 2 })} Å`
}

/** A scale bar of 1, 2, 5, 10 … ångström that is at most `most` pixels wide. */
export function scaleBarOf(
  angstromsPerPixel: number,
  most: number,
): { readonly words: string; readonly pixels: number } | undefined {
  if (!(angstromsPerPixel > 0) || !Number.isFinite(angstromsPerPixel)) return undefined
  const longest = angstromsPerPixel * most
  const power = 10 ** Math.floor(Math.log10(longest))
  const length = [5, 2, 1].map(step => step * power).find(step => step <= longest) ?? power
  return {
    words: `${formatNumber(length, { digits: Math.max(0, -Math.floor(Math.log10(length))) })} Å`,
    pixels: length / angstromsPerPixel,
  }
}

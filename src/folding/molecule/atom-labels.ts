import { t } from '@lingui/core/macro'
import type { Topology } from '../../protocol/visualization.ts'
import { atomClass, classWord, elementSymbol, OTHER } from './atoms.ts'
import { formatNumber } from '../shared/format.ts'
import type { Molecule } from './molecule.ts'

/** What is known of one atom, in words. */
export type AtomWords = {
  readonly name: string
  readonly element: string
  /** Its number from 1, as in files of structures. */
  readonly index: string
  /** In elementary charges; undefined where none was given. */
  readonly charge: string | undefined
  /** `residue 12, chain 1`, as far as the names tell. */
  readonly place: string | undefined
}

export const atomWords = (
  topology: Topology,
  { chains, residues }: Pick<Molecule, 'chains' | 'residues'>,
  atom: number,
): AtomWords => {
  const name = topology.names[atom] ?? ''
  const number = topology.elements[atom] ?? 0
  const charge = topology.charges[atom] ?? NaN
  const [residue = 0, chain = 0] = [residues?.[atom], chains?.[atom]]
  const places = [...(residue === 0 ? [] : [`residue ${residue}`]), ...(chain === 0 ? [] : [`chain ${chain}`])]
  return {
    name: name === '' ? t`An atom without a name` : name,
    element: `${elementWord(name, number)}${number === 0 ? t`, guessed from its name` : ''}`,
    index: `${formatNumber(atom + 1)} of ${formatNumber(topology.names.length)}`,
    charge: Number.isFinite(charge) ? `${charge < 0 ? '−' : '+'}${Math.abs(charge).toFixed(2)} e` : undefined,
    place: places.length === 0 ? undefined : places.join(', '),
  }
}

const elementWord = (name: string, number: number): string => {
  const known = atomClass(name, number)
  if (known !== OTHER) return classWord(known)
  const symbol = elementSymbol(name, number)
  return symbol === 'X' ? t`Unknown element` : t`Element ${symbol}`
}

/** In ångström; undefined when one of the two is nowhere. */
export const distanceBetween = (positions: Float32Array, a: number, b: number): number | undefined => {
  const [ax = NaN, ay = NaN, az = NaN] = positions.subarray(a * 3, a * 3 + 3)
  const [bx = NaN, by = NaN, bz = NaN] = positions.subarray(b * 3, b * 3 + 3)
  const distance = Math.hypot(ax - bx, ay - by, az - bz)
  return Number.isFinite(distance) ? distance : undefined
}

export const formatDistance = (angstroms: number): string => `${angstroms.toFixed(2)} Å`

/** The longest of 1, 2, 5, 10 … ångström that is at most so many pixels wide, and its width in pixels. */
export const scaleBarOf = (
  angstromsPerPixel: number,
  most: number,
): { readonly words: string; readonly pixels: number } | undefined => {
  if (!(angstromsPerPixel > 0) || !Number.isFinite(angstromsPerPixel)) return undefined
  const longest = angstromsPerPixel * most
  const power = 10 ** Math.floor(Math.log10(longest))
  const length = [5, 2, 1].map(step => step * power).find(step => step <= longest) ?? power
  return {
    words: `${formatNumber(length, { digits: Math.max(0, -Math.floor(Math.log10(length))) })} Å`,
    pixels: length / angstromsPerPixel,
  }
}

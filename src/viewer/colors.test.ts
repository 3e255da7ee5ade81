import { describe, expect, it } from 'vitest'
import { ATOM_CLASSES } from '../folding/molecule/atoms.ts'
import { atomBytes, chainColor, channelsOf, elementColor, MOST_MOTION, rampOf } from './colors.ts'
import { BRANCH, POLYMER, WATER } from '../folding/molecule/kinds.ts'
import type { Molecule, Theme } from './viewer.types.ts'

const molecule: Molecule = {
  names: ['N', 'CA', 'S', 'O'],
  classes: Uint8Array.of(2, 0, 4, 3),
  radii: Float32Array.of(1.55, 1.7, 9, Number.NaN),
  charges: Float32Array.of(-1, 0, 5, Number.NaN),
  bonds: new Uint32Array(),
  polymers: { peptides: [], strands: [] },
  kinds: new Uint8Array(4),
  chains: Uint16Array.of(1, 1, 12, 0),
}

function hexes(bytes: Uint8Array): string[] {
  return [0, 1, 2, 3].map(
    atom => `#${[0, 1, 2].map(channel => (bytes[atom * 4 + channel] ?? 0).toString(16).padStart(2, '0')).join('')}`,
  )
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map(value =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

const aminoAcid = { n: 0, ca: 1, c: 1, o: 3, isProline: false, isOpen: false }
const peptide: Molecule = {
  ...molecule,
  polymers: { peptides: [[aminoAcid, aminoAcid, aminoAcid]], strands: [] },
  kinds: Uint8Array.of(POLYMER, POLYMER, BRANCH, 0),
  residues: Uint16Array.of(1, 2, 3, 0),
}

describe('colors of atoms', () => {
  it('are by element those of the legend, with the radius in the fourth byte', () => {
    const bytes = atomBytes(molecule, { coloring: 'element', theme: 'dark' })
    expect(hexes(bytes)).toEqual([2, 0, 4, 3].map(value => elementColor(value as 0, 'dark')))
    expect([3, 7, 11, 15].map(at => bytes[at])).toEqual([155, 170, 255, 0])
  })

  it('are by chain those of the legend, cyclically, with another one outside chains', () => {
    expect(hexes(atomBytes(molecule, { coloring: 'chain', theme: 'light' }))).toEqual(
      [1, 1, 12, 0].map(chain => chainColor(chain, 'light')),
    )
    expect(chainColor(12, 'light')).toBe(chainColor(2, 'light'))
  })

  it('follow a scale from the first to the last residue', () => {
    const [first = '', middle = '', last = ''] = hexes(atomBytes(peptide, { coloring: 'residue', theme: 'light' }))
    const ramp = rampOf('residue', 'light')
    expect({ first, middle, last }).toEqual({ first: ramp[0], middle: ramp[3], last: ramp[6] })
  })

  it('show charges around 0; unknown ones as 0', () => {
    const ramp = rampOf('charge', 'dark')
    expect(hexes(atomBytes(molecule, { coloring: 'charge', theme: 'dark' }))).toEqual([
      ramp[0],
      ramp[2],
      ramp[4],
      ramp[2],
    ])
  })

  it('show the motion of atoms, and none where it is unknown', () => {
    const motion = Float32Array.of(0, MOST_MOTION, 99, Number.NaN)
    const ramp = rampOf('motion', 'light')
    expect(hexes(atomBytes(molecule, { coloring: 'motion', theme: 'light', motion }))).toEqual([
      ramp[0],
      ramp[3],
      ramp[3],
      ramp[0],
    ])
  })

  it('are of polymers where they are by chain, residue or structure: what is bonded to none is by element', () => {
    const mixed = { ...peptide, kinds: Uint8Array.of(POLYMER, POLYMER, 0, WATER) }
    const [first, , ligand, water] = hexes(atomBytes(mixed, { coloring: 'residue', theme: 'light', isCartoon: true }))
    const [, , covered] = hexes(atomBytes(mixed, { coloring: 'residue', theme: 'light' }))
    expect(covered).toBe(rampOf('residue', 'light').at(-1))
    expect(first).toEqual(rampOf('residue', 'light')[0])
    expect(ligand).toEqual(elementColor(4, 'light'))
    expect(water).toEqual(chainColor(0, 'light'))
  })

  it('contrast with the background of their theme, except hydrogen, whose outline does', () => {
    const grounds: Readonly<Record<Theme, number>> = { light: 0.97, dark: 0.012 }
    for (const theme of ['light', 'dark'] as const)
      for (const atomClass of ATOM_CLASSES.filter(value => theme === 'dark' || value !== 1)) {
        const [a, b] = [luminance(elementColor(atomClass, theme)), grounds[theme]]
        expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toBeGreaterThan(1.9)
      }
  })
})

import { describe, expect, it } from 'vitest'
import { moleculeOf } from './molecule.ts'
import { atomLabels, angleBetween, formatAngle, distanceBetween, formatDistance, scaleBarOf } from './atom-labels.ts'

const topology = {
  names: ['CA', 'HW1', '', 'ZN'],
  elements: Uint8Array.of(6, 0, 0, 30),
  charges: Float32Array.of(0.07, -0.417, NaN, 2),
  radii: new Float32Array(4),
  masses: new Float32Array(4),
  bonds: new Uint32Array(),
}

describe('texts about an atom', () => {
  it('has name, element, index and charge, and its residue where that is known', () => {
    // Glycine, alanine and leucine without its last carbon.
    const names = 'N CA C O N CA C O CB N CA C O CB CG CD1'.split(' ')
    const peptide = {
      ...topology,
      names,
      elements: Uint8Array.from(names, name => ({ N: 7, O: 8 })[name] ?? 6),
      charges: new Float32Array(16).fill(0.07).fill(0.001, 5, 6),
      bonds: Uint32Array.of(
        0,
        1,
        1,
        2,
        2,
        3,
        2,
        4,
        4,
        5,
        5,
        6,
        6,
        7,
        5,
        8,
        6,
        9,
        9,
        10,
        10,
        11,
        11,
        12,
        10,
        13,
        13,
        14,
        14,
        15,
      ),
    }
    const molecule = moleculeOf(peptide)
    const [glycine, alanine, cut] = [1, 5, 10].map(atom => atomLabels(peptide, molecule, atom, undefined))
    expect(glycine).toEqual({
      name: 'CA',
      element: 'Carbon',
      index: '2 of 16',
      charge: '+0.07 e',
      residue: 'GLY 1',
      chain: 'chain 1',
    })
    expect(alanine?.residue).toBe('ALA 2')
    expect(alanine?.charge).toBeUndefined()
    expect(cut?.residue).toBe('residue 3')
  })

  it('mention a guessed or unknown element', () => {
    expect([1, 2, 3].map(atom => atomLabels(topology, moleculeOf(topology), atom, undefined))).toEqual([
      {
        name: 'HW1',
        element: 'Hydrogen, guessed from its name',
        index: '2 of 4',
        charge: '−0.42 e',
        residue: undefined,
        chain: undefined,
      },
      {
        name: 'Unnamed atom',
        element: 'Unknown element, guessed from its name',
        index: '3 of 4',
        charge: undefined,
        residue: undefined,
        chain: undefined,
      },
      { name: 'ZN', element: 'Element Zn', index: '4 of 4', charge: '+2.00 e', residue: undefined, chain: undefined },
    ])
  })
})

describe('a distance', () => {
  it('is that between the places of two atoms', () => {
    const positions = Float32Array.of(0, 0, 0, 1, 2, 2, NaN, 0, 0)
    expect(distanceBetween(positions, 0, 1)).toBe(3)
    expect(distanceBetween(positions, 0, 2)).toBeUndefined()
    expect(distanceBetween(positions, 0, 9)).toBeUndefined()
    expect(formatDistance(3)).toBe('3.00 Å')
  })
})

describe('an angle', () => {
  const positions = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, NaN, 0, 0)
  it.each([
    [[0, 1, 2], '90.0°'],
    [[0, 1, 2, 3], '−90.0°'],
    [[3, 2, 1, 0], '−90.0°'],
    [[0, 1, 2, 0], '0.0°'],
  ])('is that of three atoms, or between the planes of four: %o', (atoms, words) => {
    expect(formatAngle(angleBetween(positions, atoms) ?? NaN)).toBe(words)
  })
  it('is unknown where a place is', () => expect(angleBetween(positions, [0, 1, 4])).toBeUndefined())
})

describe('a scale', () => {
  it.each([
    [0.1, { words: '10 Å', pixels: 100 }],
    [0.07, { words: '5 Å', pixels: 71.43 }],
    [0.4, { words: '20 Å', pixels: 50 }],
    [1, { words: '100 Å', pixels: 100 }],
    [0.001, { words: '0.1 Å', pixels: 100 }],
  ])('of %d Å a pixel is %o', (perPixel, { words, pixels }) => {
    const bar = scaleBarOf(perPixel, 100)
    expect({ words: bar?.words, toFixed: bar?.pixels.toFixed(2) }).toEqual({ words: words, toFixed: pixels.toFixed(2) })
  })

  it('is none where there is nothing to measure', () =>
    expect([0, NaN, Infinity].map(perPixel => scaleBarOf(perPixel, 100))).toEqual([undefined, undefined, undefined]))
})

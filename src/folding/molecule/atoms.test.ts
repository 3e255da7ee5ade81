import { describe, expect, it } from 'vitest'
import {
  atomClass,
  CARBON,
  classesOf,
  elementSymbol,
  HYDROGEN,
  legendOf,
  NITROGEN,
  OTHER,
  OXYGEN,
  PHOSPHORUS,
  radiiOf,
  SULFUR,
} from './atoms.ts'

describe('the class of an atom', () => {
  it('goes by its element number [4.24]', () => {
    expect([6, 1, 3, 7, 10, 8, 16, 15, 30, 118].map(element => atomClass('CA', element))).toEqual([
      CARBON,
      HYDROGEN,
      HYDROGEN,
      NITROGEN,
      NITROGEN,
      OXYGEN,
      SULFUR,
      PHOSPHORUS,
      21,
      OTHER,
    ])
  })

  it('is guessed from the first letter of its name where no number is given [4.24]', () => {
    expect(['CA', 'HB2', '1HG1', 'nz', 'OXT', 'SD', 'P', '', '???'].map(name => atomClass(name))).toEqual([
      CARBON,
      HYDROGEN,
      HYDROGEN,
      NITROGEN,
      OXYGEN,
      SULFUR,
      PHOSPHORUS,
      OTHER,
      OTHER,
    ])
  })

  it('has a radius [9.15]', () => {
    expect(radiiOf(Uint8Array.of(0, 1, 2, 3, 4, 5))).toEqual(Float32Array.of(1.7, 1.09, 1.55, 1.52, 1.8, 2))
    expect(radiiOf(Uint8Array.of(PHOSPHORUS, 21))).toEqual(Float32Array.of(1.8, 1.39))
    expect(radiiOf(Uint8Array.of(SULFUR, HYDROGEN, 99))).toEqual(Float32Array.of(1.8, 1.09, 2))
  })

  it('has a symbol, and other elements theirs', () => {
    expect(elementSymbol('CA')).toBe('C')
    expect(elementSymbol('X', 10)).toBe('N')
    expect(elementSymbol('P', 15)).toBe('P')
    expect(elementSymbol('OG', 118)).toBe('Og')
    expect(elementSymbol('?')).toBe('X')
  })
})

describe('a legend', () => {
  const atoms = { names: ['N', 'CA', 'HA', 'C', 'O', 'ZN', 'CB'], elements: Uint8Array.of(7, 6, 3, 6, 0, 30, 0) }

  it('counts each class, and how many were guessed', () => {
    expect(legendOf(atoms)).toEqual([
      { atomClass: CARBON, label: 'Carbon', count: 3, guessed: 1 },
      { atomClass: HYDROGEN, label: 'Hydrogen', count: 1, guessed: 0 },
      { atomClass: NITROGEN, label: 'Nitrogen', count: 1, guessed: 0 },
      { atomClass: OXYGEN, label: 'Oxygen', count: 1, guessed: 1 },
      { atomClass: 21, label: 'Element Zn', count: 1, guessed: 0 },
    ])
  })

  it('agrees with the classes', () => {
    expect(classesOf(atoms)).toEqual(Uint8Array.of(2, 0, 1, 0, 3, 21, 0))
  })

  it('is empty without atoms', () => {
    expect(legendOf({ names: [], elements: new Uint8Array() })).toEqual([])
  })
})

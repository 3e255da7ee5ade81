import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLines, unpackLines } from './packed-lines.ts'

describe('Packed lines', () => {
  it('round-trip any text', () => {
    const line = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('\uFEFFmarked'), fc.constant(''))
    fc.assert(
      fc.property(fc.array(line), lines => {
        expect(unpackLines(packLines(lines))).toEqual(lines)
      }),
    )
  })

  it('take one byte per ASCII character', () => {
    const { bytes, ends } = packLines(['ab', '', 'c'])
    expect([...bytes]).toEqual([0x61, 0x62, 0x63])
    expect([...ends]).toEqual([2, 2, 3])
  })

  it('do not join surrogates across lines', () => {
    expect(unpackLines(packLines(['\uD83D', '\uDE00', 'é']))).toEqual(['\uFFFD', '\uFFFD', 'é'])
  })

  it('may be none', () => {
    expect(unpackLines(packLines([]))).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLines, unpackLines } from './packed-lines.ts'

describe('Packed lines', () => {
  it('come out as they went in, whatever they hold', () => {
    const line = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('\uFEFFmarked'), fc.constant(''))
    fc.assert(
      fc.property(fc.array(line), lines => {
        expect(unpackLines(packLines(lines))).toEqual(lines)
      }),
    )
  })

  it('take one byte for each letter of ASCII', () => {
    const { bytes, ends } = packLines(['ab', '', 'c'])
    expect([[...bytes], [...ends]]).toEqual([
      [0x61, 0x62, 0x63],
      [2, 2, 3],
    ])
  })

  it('do not join halves of a character that lie on two lines', () => {
    expect(unpackLines(packLines(['\uD83D', '\uDE00', 'é']))).toEqual(['\uFFFD', '\uFFFD', 'é'])
  })

  it('may be none', () => {
    expect(unpackLines(packLines([]))).toEqual([])
  })
})

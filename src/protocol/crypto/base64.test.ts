import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64, encodeBase64Url } from './base64.ts'

describe('Base64', () => {
  it('is encoded as by other implementations', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
        expect(encodeBase64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
      }),
    )
  })

  it('is read in either alphabet, padded or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
        const padded = encodeBase64(bytes)
        const url = encodeBase64Url(bytes)
        const pad = padded.slice(url.length)
        for (const text of [padded, url, url + pad, padded.replaceAll('=', '')])
          expect(decodeBase64(text)).toEqual(bytes)
      }),
    )
  })

  it.each(['A', 'AAAAA', 'AA=', 'AAA==', '====', 'A===', 'AA*A', 'AA A', 'ÄÄÄÄ', '🧬AA', 'AA=A'])(
    'does not read %j',
    text => {
      expect(decodeBase64(text)).toBeUndefined()
    },
  )

  it('of no bytes is empty', () => {
    expect(decodeBase64('')).toEqual(new Uint8Array())
    expect(encodeBase64(new Uint8Array())).toBe('')
  })
})

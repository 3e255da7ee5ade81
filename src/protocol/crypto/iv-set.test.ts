import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIvSet } from './iv-set.ts'

function iv(high: number, low: number) {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setUint32(0, high)
  new DataView(bytes.buffer).setUint32(4, low)
  return bytes
}

describe('The IVs of a key', () => {
  it('are each new once', () => {
    const word = fc.oneof(fc.nat(20), fc.nat(0xffffffff))
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { maxLength: 300 }), pairs => {
        const set = createIvSet()
        const seen = new Set<string>()
        for (const [high, low] of pairs) {
          const name = high === 0 && low === 0 ? '0/1' : `${high}/${low}`
          expect(set.add(iv(high, low))).toBe(seen.has(name) ? 'reused' : 'added')
          seen.add(name)
        }
        expect(set.size).toBe(seen.size)
      }),
    )
  })

  it('are at most as many as allowed, and known ones are still known then', () => {
    const set = createIvSet(100)
    for (let n = 1; n <= 100; n++) expect(set.add(iv(n, 7))).toBe('added')
    expect(set.add(iv(101, 7))).toBe('full')
    expect(set.add(iv(50, 7))).toBe('reused')
    expect(set.size).toBe(100)
  })

  it('are a million by default', () => {
    const set = createIvSet()
    const bytes = new Uint8Array(16)
    const view = new DataView(bytes.buffer)
    let added = 0
    for (let n = 0; n < 1_000_001; n++) {
      view.setUint32(0, Math.imul(n + 1, 2654435761))
      view.setUint32(4, n)
      if (set.add(bytes) === 'added') added++
    }
    expect(added).toBe(1_000_000)
  })
})

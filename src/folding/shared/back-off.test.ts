import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mulberry } from '../../../test/molecule/sample.ts'
import { askDelay, spreadDelay, withJitter, LOCAL, LOOKED_AT, REMOTE, retryAfterOf, backOffDelay } from './back-off.ts'

describe('a wait before the next try', () => {
  it('begins with the first and doubles up to the most', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 1e9].map(failures => backOffDelay(failures, REMOTE))).toEqual([
      1000, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
    ])
    expect([1, 2, 3, 4, 9].map(failures => backOffDelay(failures, LOCAL))).toEqual([1000, 2000, 4000, 5000, 5000])
  })

  it('is a second for the first sixty requests without an answer, then up to 10 s, or 30 s where nobody looks', () => {
    expect([1, 60, 61, 62, 63, 64, 65, 66, 99].map(unanswered => askDelay(unanswered, 9, LOOKED_AT))).toEqual([
      1000, 1000, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
    ])
    expect(askDelay(99, 1, REMOTE)).toBe(30_000)
    expect([1, 2, 9].map(failures => askDelay(0, failures, LOOKED_AT))).toEqual([1000, 2000, 10_000])
  })

  it('is at least what the server demands', () => {
    expect(backOffDelay(1, REMOTE, 90_000)).toBe(90_000)
    expect(backOffDelay(9, REMOTE, 5000)).toBe(30_000)
  })

  it('gets jitter of 0 to 50 %', () => {
    fc.assert(
      fc.property(fc.nat(120_000), fc.double({ min: 0, max: 1, noNaN: true }), (wait, random) => {
        expect(withJitter(wait, random)).toBeGreaterThanOrEqual(wait)
        expect(withJitter(wait, random)).toBeLessThanOrEqual(Math.ceil(wait * 1.5))
      }),
    )
  })

  it('spreads ten thousand pages that lost one node, however long it is away [4.12]', () => {
    const PAGES = 10_000
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 120_000 }), fc.integer(), (away, seed) => {
        const double = mulberry(seed)
        const [asked, opened] = [new Map<number, number>(), new Map<number, number>()]
        const count = (seconds: Map<number, number>, at: number): number => {
          const total = (seconds.get(Math.floor(at / 1000)) ?? 0) + 1
          seconds.set(Math.floor(at / 1000), total)
          return total
        }
        let [mostAsked, mostOpened] = [0, 0]
        for (let page = 0; page < PAGES; page++) {
          let [at, unanswered] = [0, 0]
          do {
            at += withJitter(askDelay(unanswered, 1, LOOKED_AT), double())
            if (at < away) unanswered += 1
            mostAsked = Math.max(mostAsked, count(asked, at))
          } while (at < away)
          mostOpened = Math.max(mostOpened, count(opened, at + (unanswered > 0 ? spreadDelay(double()) : 0)))
        }
        // A request costs a node little; a socket and its login are what it can drown in.
        expect(mostAsked).toBeLessThanOrEqual(PAGES)
        // Where the node was back before the first page asked, all come with the jitter of their first second.
        expect(mostOpened).toBeLessThanOrEqual(away <= 1500 ? PAGES : PAGES * 0.3)
      }),
      { numRuns: 6 },
    )
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  it.each([
    ['120', 120_000],
    [' 5 ', 5000],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
    ['999999999', 3_600_000],
    ['0', undefined],
    ['-5', undefined],
    ['Fri, 20 Nov 2026 11:00:00 GMT', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is %j ms', (header, wait) => {
    expect(retryAfterOf(header, now)).toBe(wait)
  })
})

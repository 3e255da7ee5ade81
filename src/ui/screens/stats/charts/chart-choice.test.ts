import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measures, ranges, readChoice, writeChoice } from './chart-choice.ts'

describe('what a chart shows', () => {
  it('is read back from the address as it was written, beside what else stands there', () => {
    const choice = fc.record({
      whose: fc.constantFrom('user' as const, 'team' as const),
      measure: fc.constantFrom(...measures.map(({ id }) => id)),
      range: fc.constantFrom(...ranges.map(({ id }) => id)),
    })
    fc.assert(
      fc.property(choice, choice, (before, chosen) => {
        const written = writeChoice(writeChoice(new URLSearchParams('x=1'), before), chosen)
        expect(readChoice(written)).toEqual(chosen)
        expect(written.get('x')).toBe('1')
      }),
    )
  })

  it('is the donor’s PPD of a month when the address says nothing, or nonsense', () => {
    const usual = { whose: 'user', measure: 'ppd', range: 'month' }
    expect(readChoice(new URLSearchParams())).toEqual(usual)
    expect(readChoice(new URLSearchParams('chart=constructor&measure=__proto__&range=7'))).toEqual(usual)
    expect(writeChoice(new URLSearchParams(), readChoice(new URLSearchParams())).toString()).toBe('')
  })
})

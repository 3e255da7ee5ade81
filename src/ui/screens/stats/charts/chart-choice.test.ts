import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measures, ranges, readChoice, writeChoice } from './chart-choice.ts'

describe('search parameters of the charts', () => {
  it('are read as they were written, and keep other parameters', () => {
    const choice = fc.record({
      subject: fc.constantFrom('user' as const, 'team' as const),
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

  it('default to the donor’s PPD over a month when missing or invalid', () => {
    const defaults = { subject: 'user', measure: 'ppd', range: 'month' }
    expect(readChoice(new URLSearchParams())).toEqual(defaults)
    expect(readChoice(new URLSearchParams('chart=constructor&measure=__proto__&range=7'))).toEqual(defaults)
    expect(writeChoice(new URLSearchParams(), readChoice(new URLSearchParams())).toString()).toBe('')
  })
})

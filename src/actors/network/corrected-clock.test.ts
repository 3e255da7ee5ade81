import { expect, it } from 'vitest'
import { createCorrectedClock } from './corrected-clock.ts'

it.each([
  { found: -200, within: 600, expected: [-200] },
  { found: 9000, within: 10_000, expected: [] },
  { found: 3_600_000, within: 10_000, expected: [3_600_000] },
])(
  'is corrected by what is precise or beyond its error: $found ms within $within ms',
  ({ found, within, expected }) => {
    const offsets: number[] = []
    const clock = createCorrectedClock(
      () => 1000,
      offset => offsets.push(offset),
    )
    clock.compare(found, within)
    const offset = expected[0] ?? 0
    expect([offsets, clock.offset(), clock.now()]).toEqual([expected, offset, 1000 + offset])
  },
)

it('keeps a known offset where a slow answer agrees with it', () => {
  const clock = createCorrectedClock(
    () => 1000,
    () => undefined,
  )
  clock.compare(60_000, 600)
  clock.compare(65_000, 10_000)
  expect(clock.offset()).toBe(60_000)
})

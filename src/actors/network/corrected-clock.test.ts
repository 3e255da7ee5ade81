import { expect, it } from 'vitest'
import { createCorrectedClock } from './corrected-clock.ts'

/** A clock that is right at first, and a server that answers when it is told to. */
function start() {
  const offsets: number[] = []
  let time = 1000
  let steady = 50
  const waiting: (() => void)[] = []
  const clock = createCorrectedClock(
    () => time,
    () => steady,
    () => new Promise<void>(resolve => waiting.push(resolve)),
    offset => offsets.push(offset),
  )
  return {
    clock,
    offsets,
    pass: (ms: number) => {
      time += ms
      steady += ms
    },
    set: (by: number) => {
      time += by
    },
    /** Requests without an answer. */
    asked: () => waiting.length,
    answer: (offset: number) => {
      clock.compare(offset, 600)
      for (const resolve of waiting.splice(0)) resolve()
    },
  }
}

it.each([
  { found: -200, within: 600, expected: [] },
  { found: -700, within: 600, expected: [-700] },
  { found: 9000, within: 10_000, expected: [] },
  { found: 3_600_000, within: 10_000, expected: [3_600_000] },
])(
  'is corrected by what is beyond its error, so that it does not go back and forth: $found ms within $within ms',
  ({ found, within, expected }) => {
    const { clock, offsets } = start()
    clock.compare(found, within)
    const offset = expected[0] ?? 0
    expect(offsets).toEqual(expected)
    expect(clock.offset()).toEqual(offset)
    expect(clock.now()).toEqual(1000 + offset)
  },
)

it('keeps a known offset where a slow answer agrees with it', () => {
  const { clock } = start()
  clock.compare(60_000, 600)
  clock.compare(65_000, 10_000)
  expect(clock.offset()).toBe(60_000)
})

it.each([3_600_000, -3_600_000])(
  'has a server asked once when it was set by %i ms, and no command has a time before',
  async by => {
    const { clock, pass, set, asked, answer } = start()
    pass(60_000)
    expect(await clock.settled()).toBe(61_000)
    expect(asked()).toBe(0)
    set(by)
    const times = [clock.settled(), clock.settled()]
    expect(asked()).toBe(1)
    answer(-by)
    expect(await Promise.all(times)).toEqual([61_000, 61_000])
    pass(60_000)
    expect(await clock.settled()).toBe(121_000)
    expect(asked()).toBe(0)
  },
)

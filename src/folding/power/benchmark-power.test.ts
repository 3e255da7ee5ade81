import { expect, test } from 'vitest'
import { row } from '../../../test/unit-rows.ts'
import { benchmarkKey } from '../unit/statistics.ts'
import { benchmarkEfficiencies, type BenchmarkDraw } from './benchmark-power.ts'

const fast = row({ project: 18_000, resources: 'RTX 4090', ppd: 24_000_000 })
const slow = row({ project: 18_000, resources: 'RTX 4090', ppd: 12_000_000 })
const unknown = row({ project: 18_001, resources: 'RTX 4090', ppd: 1 })
function of(draws: ReadonlyMap<object, BenchmarkDraw>) {
  return benchmarkEfficiencies(
    [fast, slow, unknown],
    each => draws.get(each) ?? { watts: undefined, origin: undefined, most: 1 },
  )
}
function entered(watts: number, most: number | undefined): BenchmarkDraw {
  return { watts, origin: 'entered', most }
}

test('a benchmark has points per kilowatt hour of its units together, and how much of the power of makers they used', () => {
  const found = of(
    new Map([
      [fast, entered(315, 450)],
      [slow, entered(315, 450)],
    ]),
  )
  expect([...found]).toEqual([
    [benchmarkKey(fast), { pointsPerKwh: (36_000_000 / (630 * 24)) * 1000, origin: 'entered', share: 0.7 }],
  ])
})

test('a guess is the power of makers, so that no share is told of it, nor where makers name none', () => {
  const guessed: BenchmarkDraw = { watts: 450, origin: 'guess', most: 450 }
  expect(of(new Map([[fast, guessed]])).get(benchmarkKey(fast))).toEqual({
    pointsPerKwh: (24_000_000 / (450 * 24)) * 1000,
    origin: 'guess',
  })
  expect(of(new Map([[fast, entered(300, undefined)]])).get(benchmarkKey(fast))).not.toHaveProperty('share')
})

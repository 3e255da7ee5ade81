import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoreAt, HOUR_MS } from './score-curve.ts'
import { createPopulation } from './population.ts'
import { donorRank, teamRank } from './ranks.ts'
import { milestoneFor } from './award.ts'

const START = Date.UTC(2025, 0, 1)
const growth = fc.record({
  seed: fc.nat(),
  key: fc.string(),
  start: fc.integer({ min: START, max: START + 1_000 * HOUR_MS }),
  rate: fc.double({ min: 1, max: 1e7, noNaN: true }),
  perUnit: fc.constant(90_000),
})

test('points and units never decrease', () => {
  fc.assert(
    fc.property(growth, fc.integer({ min: 0, max: 20_000 }), (curve, hour) => {
      const [before, after] = [scoreAt(curve, START + hour * HOUR_MS), scoreAt(curve, START + (hour + 1) * HOUR_MS)]
      expect(after.score).toBeGreaterThanOrEqual(before.score)
      expect(after.wus).toBeGreaterThanOrEqual(before.wus)
    }),
  )
})

test('nothing changes within an hour, and the average rate is kept over a year', () => {
  const curve = { seed: 1, key: 'x', start: START, rate: 1_000, perUnit: 90_000 }
  const year = 365 * 24

  expect(scoreAt(curve, START + 10.9 * HOUR_MS)).toEqual(scoreAt(curve, START + 10 * HOUR_MS))
  expect(scoreAt(curve, START)).toEqual({ score: 0, wus: 0 })
  expect(Math.abs(scoreAt(curve, START + year * HOUR_MS).score / (year * 1_000) - 1)).toBeLessThan(0.01)
})

test('the same seed gives the same population, another seed another one', () => {
  expect(createPopulation(3)).toEqual(createPopulation(3))
  expect(createPopulation(3).members.map(({ name }) => name)).not.toEqual(
    createPopulation(4).members.map(({ name }) => name),
  )
  const names = createPopulation(3).members.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test.each([
  ['donors', donorRank],
  ['teams', teamRank],
])('more points never give a worse rank: %s', (_who, rank) => {
  fc.assert(
    fc.property(fc.array(fc.nat(1e12), { minLength: 2 }), scores => {
      const ranks = [...scores].sort((one, other) => other - one).map(score => rank(score, scores))
      expect([...ranks].sort((one, other) => one - other)).toEqual(ranks)
    }),
  )
})

test.each([
  [0, 0],
  [1, 1],
  [4, 2],
  [9, 5],
  [10, 10],
  [19_999, 10_000],
  [20_000, 20_000],
  [999_999, 500_000],
])('the milestone of %i is %i', (count, reached) => {
  expect(milestoneFor(count)).toBe(reached)
})

import { chance } from '../clients/random.ts'

export const HOUR_MS = 3_600_000
export type Sum = { score: number; wus: number }

/**
 * Parameters of a donor's or team's points over time. The points at any time are computed from them, without stored
 * credits.
 */
export type ScoreCurve = {
  seed: number
  key: string
  /** Epoch ms of the first unit. */
  start: number
  /** Points per hour, on average. */
  rate: number
  /** Points per unit, on average. */
  perUnit: number
}

const DAY = 24
const WEEK = 7 * DAY
// Amplitudes of the daily and weekly waves. With the jitter they sum up to less than 1, so that points never decrease.
const BY_DAY = 0.4
const BY_WEEK = 0.25
const JITTER = 0.3

/** The sum of a wave with mean 0 from hour `from` to hour `to`. */
function waveSum(share: number, period: number, phase: number, from: number, to: number): number {
  const at = (hour: number): number => Math.sin((2 * Math.PI * (hour + phase * period)) / period)
  return ((share * period) / (2 * Math.PI)) * (at(to) - at(from))
}

/** Points and units at `at` (epoch ms). They change on the hour, at a varying rate, and never decrease. */
export function scoreAt({ seed, key, start, rate, perUnit }: ScoreCurve, at: number): Sum {
  const from = Math.floor(start / HOUR_MS)
  const to = Math.floor(at / HOUR_MS)
  if (to <= from) return { score: 0, wus: 0 }
  const phase = chance(seed, key, 'phase')
  const hours =
    to -
    from +
    waveSum(BY_DAY, DAY, phase, from, to) +
    waveSum(BY_WEEK, WEEK, phase, from, to) +
    JITTER * chance(seed, key, to)
  const score = Math.floor(Math.max(0, hours) * rate)
  return { score, wus: Math.floor(score / perUnit) }
}

export function add(one: Sum, other: Sum): Sum {
  return { score: one.score + other.score, wus: one.wus + other.wus }
}
export const NOTHING: Sum = { score: 0, wus: 0 }

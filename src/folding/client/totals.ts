/*
 * Totals of a fleet, updated incrementally: one client's summary is added, replaced or subtracted without summing the
 * others again. All numbers are integers, so that this is exact.
 */
import type { StateTone } from '../shared/appearance.ts'
import { isSameValue } from '../shared/equal.ts'

export type Summary = {
  readonly clients: number
  readonly connected: number
  /** Clients whose first connection is being made. */
  readonly loading: number
  /** Connected clients with a unit that is not paused. */
  readonly active: number
  /** CPUs and GPUs of units whose core runs. */
  readonly cpus: number
  readonly gpus: number
  /** Points per day of the units that run now. */
  readonly ppd: number
  /** Clients that were connected less than 5 minutes ago, and the points per day that they had. */
  readonly recent: number
  readonly recentPpd: number
  readonly units: number
  /** Clients with a group in which several units failed or were lost in a row. */
  readonly failing: number
} & { readonly [T in StateTone]: number }

export const emptySummary: Summary = Object.freeze({
  clients: 0,
  connected: 0,
  loading: 0,
  active: 0,
  cpus: 0,
  gpus: 0,
  ppd: 0,
  recent: 0,
  recentPpd: 0,
  units: 0,
  failing: 0,
  running: 0,
  finishing: 0,
  waiting: 0,
  paused: 0,
  transfer: 0,
  failed: 0,
  done: 0,
  unknown: 0,
})

export function addSummary(a: Summary, b: Summary): Summary {
  return combine(a, b, 1)
}

export function subtractSummary(a: Summary, b: Summary): Summary {
  return combine(a, b, -1)
}

/**
 * Totals after one client's summary changed; `before` is undefined for a new client, `after` for a removed one. The same
 * object when nothing changed, so that selectors do not fire.
 */
export function replaceSummary(
  totals: Summary,
  before: Summary = emptySummary,
  after: Summary = emptySummary,
): Summary {
  return isSameValue(before, after) ? totals : addSummary(subtractSummary(totals, before), after)
}

const NUMBERS = Object.keys(emptySummary) as (keyof Summary)[]

function combine(a: Summary, b: Summary, sign: 1 | -1): Summary {
  const sums: Record<keyof Summary, number> = { ...a }
  for (const name of NUMBERS) sums[name] += sign * b[name]
  return sums
}

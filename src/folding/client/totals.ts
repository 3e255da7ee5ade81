/*
 * Totals of a fleet, updated incrementally: one client's summary is added, replaced or subtracted without summing the
 * others again. All numbers are integers, so that this is exact.
 */
import type { StateTone } from '../shared/appearance.ts'

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
  return isSameSummary(before, after) ? totals : addSummary(subtractSummary(totals, before), after)
}

export function isSameSummary(a: Summary, b: Summary): boolean {
  return (
    a === b ||
    (a.clients === b.clients &&
      a.connected === b.connected &&
      a.loading === b.loading &&
      a.active === b.active &&
      a.cpus === b.cpus &&
      a.gpus === b.gpus &&
      a.ppd === b.ppd &&
      a.recent === b.recent &&
      a.recentPpd === b.recentPpd &&
      a.units === b.units &&
      a.failing === b.failing &&
      a.running === b.running &&
      a.finishing === b.finishing &&
      a.waiting === b.waiting &&
      a.paused === b.paused &&
      a.transfer === b.transfer &&
      a.failed === b.failed &&
      a.done === b.done &&
      a.unknown === b.unknown)
  )
}

function combine(a: Summary, b: Summary, sign: 1 | -1): Summary {
  return {
    clients: a.clients + sign * b.clients,
    connected: a.connected + sign * b.connected,
    loading: a.loading + sign * b.loading,
    active: a.active + sign * b.active,
    cpus: a.cpus + sign * b.cpus,
    gpus: a.gpus + sign * b.gpus,
    ppd: a.ppd + sign * b.ppd,
    recent: a.recent + sign * b.recent,
    recentPpd: a.recentPpd + sign * b.recentPpd,
    units: a.units + sign * b.units,
    failing: a.failing + sign * b.failing,
    running: a.running + sign * b.running,
    finishing: a.finishing + sign * b.finishing,
    waiting: a.waiting + sign * b.waiting,
    paused: a.paused + sign * b.paused,
    transfer: a.transfer + sign * b.transfer,
    failed: a.failed + sign * b.failed,
    done: a.done + sign * b.done,
    unknown: a.unknown + sign * b.unknown,
  }
}

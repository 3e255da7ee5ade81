/*
 * Averages and ranks. Values that are not finite numbers never count (docs/product.md §9).
 */
import { groupBy } from '../shared/group-by.ts'
import { t } from '@lingui/core/macro'
import { compareTexts } from '../text/format.ts'
import type { UnitRow } from './unit-rows.ts'

export type Spread = {
  readonly average: number
  readonly min: number
  readonly max: number
  readonly count: number
}

/** Average, minimum and maximum of the finite values; undefined without any. */
export function spreadOf(values: Iterable<number | undefined>): Spread | undefined {
  let count = 0
  let mean = 0
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value === undefined || !Number.isFinite(value)) continue
    count += 1
    // A running mean stays finite where a sum would not.
    mean += value / count - mean / count
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return count === 0 ? undefined : { average: Math.min(max, Math.max(min, mean)), min, max, count }
}

/**
 * TPF (seconds) and PPD of units that report them; the average PPD is rounded (docs/product.md §9). Undefined without values.
 */
export function unitStatistics(rows: readonly UnitRow[]): {
  readonly tpf: Spread | undefined
  readonly ppd: Spread | undefined
  readonly points: PointTotals
} {
  const ppd = spreadOf(rows.map(row => row.ppd))
  return {
    tpf: spreadOf(rows.map(row => row.tpf)),
    ppd: ppd === undefined ? undefined : { ...ppd, average: Math.round(ppd.average) },
    points: pointTotals(rows),
  }
}

/** Points of units whose estimate is known. */
export type PointTotals = {
  readonly estimated: number
  /** Of those whose credit is known too. */
  readonly logged: number
  readonly estimatedOfLogged: number
  readonly loggedCount: number
}

function pointTotals(rows: readonly UnitRow[]): PointTotals {
  let [all, logged, ofLogged, loggedCount] = [0, 0, 0, 0]
  for (const { estimated, credited } of rows) {
    if (estimated === undefined) continue
    all += estimated
    if (credited === undefined) continue
    logged += credited
    ofLogged += estimated
    loggedCount += 1
  }
  return { estimated: all, logged, estimatedOfLogged: ofLogged, loggedCount }
}

/** The speed of a project on some hardware. */
export type Benchmark = {
  readonly key: string
  readonly project: number
  readonly resources: string | undefined
  readonly core: string | undefined
  /** Units with a known time per frame. */
  readonly count: number
  /** Seconds. `latestTpf`: of the unit that ended (or else was assigned) last. */
  readonly averageTpf: number
  readonly fastestTpf: number
  readonly slowestTpf: number
  readonly latestTpf: number
  /** Over the units that have one, rounded. */
  readonly averagePpd: number | undefined
  /** Ratio to the average of all projects on the same resources; undefined with fewer than two projects. */
  readonly relativePpd: number | undefined
}

/** Benchmarks by project × resources × core, sorted by project, then fastest first, of units that are not left out. */
export function benchmarksOf(rows: readonly UnitRow[]): readonly Benchmark[] {
  const timed = rows.filter(
    ({ project, tpf, leftOut }) => project !== undefined && tpf !== undefined && leftOut === undefined,
  )
  const usual = usualPpd(timed)
  const benchmarks = [...groupBy(timed, benchmarkKey)].flatMap(
    ([key, group]) => benchmarkOf(key, group, usual.get(group[0]?.resources)) ?? [],
  )
  return benchmarks.sort((a, b) => a.project - b.project || a.averageTpf - b.averageTpf || compareTexts(a.key, b.key))
}

export function benchmarkKey(row: UnitRow): string {
  return JSON.stringify([row.project, row.resources, row.core])
}

/** 'Top 100' to 'Top 1,000,000', else 'Unranked' (docs/product.md §9). Ranks count from 1. */
export function rankBucket(rank: unknown): string {
  if (typeof rank !== 'number' || !(rank >= 1)) return UNRANKED
  return BUCKETS.find(([limit]) => rank <= limit)?.[1] ?? UNRANKED
}

const UNRANKED = t`Unranked`

const BUCKETS: readonly (readonly [number, string])[] = [
  [100, t`Top 100`],
  [1000, t`Top 1,000`],
  [10_000, t`Top 10,000`],
  [100_000, t`Top 100,000`],
  [1_000_000, t`Top 1,000,000`],
]

/** Average PPD by resources, for resources with several projects. */
function usualPpd(rows: readonly UnitRow[]): ReadonlyMap<string | undefined, number | undefined> {
  const usual = new Map<string | undefined, number | undefined>()
  for (const [resources, group] of groupBy(rows, row => row.resources)) {
    const paid = group.filter(({ ppd }) => ppd !== undefined)
    if (resources !== undefined && new Set(paid.map(({ project }) => project)).size > 1)
      usual.set(resources, spreadOf(paid.map(({ ppd }) => ppd))?.average)
  }
  return usual
}

function benchmarkOf(key: string, rows: readonly UnitRow[], usual: number | undefined): Benchmark | undefined {
  const tpf = spreadOf(rows.map(row => row.tpf))
  const latest = rows.reduce((a, b) => (lastSeen(b) > lastSeen(a) ? b : a))
  if (tpf === undefined || latest.project === undefined || latest.tpf === undefined) return undefined
  const ppd = spreadOf(rows.map(row => row.ppd))
  return {
    key,
    project: latest.project,
    resources: latest.resources,
    core: latest.core,
    count: tpf.count,
    averageTpf: tpf.average,
    fastestTpf: tpf.min,
    slowestTpf: tpf.max,
    latestTpf: latest.tpf,
    averagePpd: ppd === undefined ? undefined : Math.round(ppd.average),
    relativePpd: ppd === undefined || usual === undefined || usual === 0 ? undefined : ppd.average / usual,
  }
}

function lastSeen(row: UnitRow): number {
  return row.ended ?? row.assigned ?? 0
}

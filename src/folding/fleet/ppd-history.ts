/*
 * Points per day over time, computed from the stored history of ended units (`folding/unit/history.ts`) and the units that
 * run now. Instants are epoch milliseconds. Nothing is recorded while the page is open: each client keeps its last 500
 * ended units, so that the series also covers the time when no dashboard was open.
 *
 * A client reports no credit, so points are estimates, the client's own `ppd` times the run time of the unit, until the API told what
 * it logged (`folding/unit/credits.ts`). Only units that were credited have points. The points of a unit are spread evenly over its run time, which is assumed to end with
 * the unit: when it was paused in between is not in the history.
 */
import type { Unit } from '../../protocol/client/client-data.ts'
import { type ArchivedUnit, type History, endOf } from '../unit/history.ts'
import type { Sample } from '../account/series.ts'
import { isSameList } from '../shared/equal.ts'
import { positive } from '../shared/read.ts'
import { formatWholePercent } from '../text/format.ts'
import { isWorking } from '../unit/unit-meaning.ts'
import { assignedAt, assignmentOf, loggedCredit, ppdOf, runTime } from '../unit/unit-progress.ts'

const SECOND = 1000
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The time in which a unit earned its points, evenly: `points` is `ppd` times the length in days. */
export type PointSpan = {
  readonly from: number
  /** After `from`. */
  readonly to: number
  readonly ppd: number
  readonly points: number
}

/** The spans of one client, oldest end first. The same object while its units are the same. */
export type ClientSpans = {
  readonly machine: string
  readonly spans: readonly PointSpan[]
}

/** Clients with points, by the client's own id. */
export type PpdHistory = ReadonlyMap<string, ClientSpans>

/** Longer run times, in milliseconds, are errors: no unit has a deadline that far away. */
export const LONGEST_RUN = 120 * DAY

/** The span of an ended unit, with the points that the API logged for it where they are known. */
export function spanOf(unit: Unit): PointSpan | undefined {
  const span = estimatedSpan(unit)
  const points = loggedCredit(unit)
  return span === undefined || points === undefined
    ? span
    : { ...span, points, ppd: (points * DAY) / (span.to - span.from) }
}

/**
 * The span of an ended unit; undefined if it earned nothing, or if neither its end nor its run time is known. Its points:
 * `ppd` times run time, else the base credit, which is without bonus. Without a run time it is that since the assignment.
 */
export function estimatedSpan(unit: Unit): PointSpan | undefined {
  const to = endOf(unit)
  if (to === undefined || unit.result !== 'credited') return undefined
  const ran = positive(unit.run_time) ?? 0
  // Parsing times takes most of the time for a large history, so the assignment is parsed only where it is needed.
  const run = ran > 0 ? ran * SECOND : to - (assignedAt(unit) ?? to)
  if (run <= 0 || run > LONGEST_RUN) return undefined
  const reported = ppdOf(unit)
  const base = positive(assignmentOf(unit)?.credit)
  const points = reported === undefined || reported === 0 ? base : (reported * run) / DAY
  if (points === undefined || points === 0) return undefined
  return { from: to - run, to, ppd: (points * DAY) / run, points }
}

/** The span so far of a unit whose core runs; undefined for any other unit. `now`: on the client's clock. */
export function runningSpanOf(unit: Unit, now: number): PointSpan | undefined {
  const ppd = ppdOf(unit) ?? 0
  const ran = runTime(unit, now) ?? 0
  const assigned = assignedAt(unit) ?? -Infinity
  if (ppd === 0 || ran === 0 || !isWorking(unit, now)) return undefined
  const from = Math.max(now - Math.min(ran * SECOND, LONGEST_RUN), Math.min(assigned, now - SECOND))
  return { from, to: now, ppd, points: (ppd * (now - from)) / DAY }
}

const spanCache = new WeakMap<ArchivedUnit, PointSpan | null>()

/** `spanOf`, computed once for each unit. */
export function spanOfKept(archived: ArchivedUnit): PointSpan | undefined {
  const cached = spanCache.get(archived)
  if (cached !== undefined) return cached ?? undefined
  const span = spanOf(archived.unit)
  spanCache.set(archived, span ?? null)
  return span
}

/**
 * Computes the spans of the next `count` units, so that `ppdHistoryOf` takes little time for a large history. False when
 * there are no more.
 */
export function prepareSpans(units: Iterator<ArchivedUnit>, count: number): boolean {
  for (let done = 0; done < count; done++) {
    const next = units.next()
    if (next.done === true) return false
    spanOfKept(next.value)
  }
  return true
}

/**
 * The spans of all clients of a history. `before`: the result for an earlier state of the history, whose clients are
 * reused where nothing changed, so that what is cached per client stays valid.
 */
export function ppdHistoryOf({ units }: Pick<History, 'units'>, before?: PpdHistory): PpdHistory {
  const byClient = new Map<string, PointSpan[]>()
  for (const archived of units.values()) {
    const span = spanOfKept(archived)
    if (span === undefined) continue
    const spans = byClient.get(archived.machine)
    if (spans === undefined) byClient.set(archived.machine, [span])
    else spans.push(span)
  }
  const all = new Map<string, ClientSpans>()
  for (const [client, spans] of byClient) {
    spans.sort((a, b) => a.to - b.to)
    const previous = before?.get(client)
    all.set(client, previous !== undefined && isSameList(previous.spans, spans) ? previous : { machine: client, spans })
  }
  return all
}

/** A range of time in steps. `from` and `to` are epoch milliseconds, `step` milliseconds. */
export type Buckets = { readonly from: number; readonly to: number; readonly step: number }

/** More steps than this are never computed. */
const MAX_BUCKETS = 2000

/** Points per day in each step from `from` to `to`: the points that fall into a step, over its length. */
export function ppdIn(spans: Iterable<PointSpan>, { from, to, step }: Buckets): readonly number[] {
  const count = Math.min(MAX_BUCKETS, Math.max(0, Math.ceil((to - from) / step)))
  const points = new Float64Array(count)
  const end = from + count * step
  for (const span of spans) {
    const last = Math.min(span.to, to, end)
    if (span.from >= last || last <= from) continue
    for (let at = Math.max(0, Math.floor((span.from - from) / step)); at < count; at++) {
      const start = from + at * step
      if (start >= last) break
      points[at] = (points[at] ?? 0) + span.ppd * (Math.min(last, start + step) - Math.max(span.from, start))
    }
  }
  return Array.from(points, (value, at) => value / (Math.min(to, from + (at + 1) * step) - (from + at * step)))
}

export type PpdRange = 'day' | 'week' | 'month' | 'quarter' | 'all'

/** Days of each range, and hours of a step. Steps of a range up to a week are hours, of longer ones days in UTC. */
const RANGES: Readonly<Record<PpdRange, { readonly days: number; readonly step: number }>> = {
  day: { days: 1, step: HOUR },
  week: { days: 7, step: HOUR },
  month: { days: 30, step: DAY },
  quarter: { days: 91, step: DAY },
  all: { days: 1825, step: DAY },
}

/** The length of a step of a range, milliseconds. */
export function stepOf(range: PpdRange): number {
  return RANGES[range].step
}

/**
 * Points per day over a range that ends at `until`: one sample a step, at the middle of the step. The range begins with
 * the first known span; it is empty without one.
 */
export function ppdSeries(spans: readonly PointSpan[], range: PpdRange, until: number): readonly Sample[] {
  const { days, step } = RANGES[range]
  const first = spans.reduce((earliest, span) => Math.min(earliest, span.from), Infinity)
  if (first >= until) return []
  const from = Math.floor(Math.max(first, until - days * DAY) / step) * step
  return ppdIn(spans, { from, to: until, step }).map((value, index) => {
    const start = from + index * step
    return { at: (start + Math.min(until, start + step)) / 2, value }
  })
}

/** Days over which the usual PPD is taken. */
export const USUAL_DAYS = 14
/** With less known time or fewer units, nothing is usual yet: a first small unit is far below what follows. */
export const LEAST_USUAL = { hours: 12, units: 5 } as const

/**
 * The PPD that is usual for a client: the median over the time in which it computed credited units, within the last 14
 * days. Units that ran at once count together. Time in which it computed nothing has no influence, so a client that
 * folds only at night is compared with its nights; neither has a short run of bad or very good units. Undefined with
 * less than `LEAST_USUAL`. `spans`: oldest end first.
 */
export function usualPpd(spans: readonly PointSpan[], now: number): number | undefined {
  const from = now - USUAL_DAYS * DAY
  if (spans.filter(span => span.to > from && span.from < now).length < LEAST_USUAL.units) return undefined
  const levels = levelsOf(spans, from, now).sort((a, b) => a.ppd - b.ppd)
  const whole = levels.reduce((sum, { time }) => sum + time, 0)
  if (whole < LEAST_USUAL.hours * HOUR) return undefined
  let passed = 0
  for (const { ppd, time } of levels) {
    passed += time
    if (passed * 2 >= whole) return Math.round(ppd)
  }
  return undefined
}

type Level = { readonly ppd: number; readonly time: number }

/** How long which sum of PPD lasted, wherever it was above zero. `spans`: oldest end first. */
function levelsOf(spans: readonly PointSpan[], from: number, to: number): Level[] {
  const edges: { readonly at: number; readonly change: number; readonly count: 1 | -1 }[] = []
  for (let index = spans.length - 1; index >= 0; index--) {
    const span = spans[index]
    if (span === undefined || span.to <= from) break
    if (span.from >= to) continue
    edges.push({ at: Math.max(from, span.from), change: span.ppd, count: 1 })
    edges.push({ at: Math.min(to, span.to), change: -span.ppd, count: -1 })
  }
  edges.sort((a, b) => a.at - b.at)
  const levels: Level[] = []
  let ppd = 0
  let count = 0
  let since = 0
  for (const edge of edges) {
    if (count > 0 && edge.at > since) levels.push({ ppd, time: edge.at - since })
    count += edge.count
    // Exactly zero between units, whatever was lost by rounding.
    ppd = count === 0 ? 0 : ppd + edge.change
    since = edge.at
  }
  return levels
}

/** Estimated points of the units that ended in the 24 hours before `now`. `spans`: oldest end first. */
export function pointsOfDay(spans: readonly PointSpan[], now: number): number {
  let points = 0
  for (let index = spans.length - 1; index >= 0; index--) {
    const span = spans[index]
    if (span === undefined || span.to <= now - DAY) break
    if (span.to <= now) points += span.points
  }
  return Math.round(points)
}

/** Points of one day in local time; `from` is its midnight, epoch milliseconds. */
export type DayPoints = { readonly from: number; readonly points: number }

/** Points of the last `days` days in local time, the present one last: until `now`. */
export function pointsByDay(spans: readonly PointSpan[], now: number, days: number): readonly DayPoints[] {
  const midnight = (ago: number): number => {
    const date = new Date(now)
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() - ago).getTime()
  }
  return Array.from({ length: days }, (_, index) => {
    const ago = days - 1 - index
    const [from, to] = [midnight(ago), Math.min(now, midnight(ago - 1))]
    const points = spans.reduce(
      (sum, span) => sum + (span.ppd * Math.max(0, Math.min(span.to, to) - Math.max(span.from, from))) / DAY,
      0,
    )
    return { from, points: Math.round(points) }
  })
}

/** Days and steps of the small chart of a client. */
const TREND_DAYS = 7
const TREND_STEP = 6 * HOUR

/** What is derived from a client's history, for tables of clients. */
export type ClientPoints = {
  /** See `usualPpd`. */
  readonly usualPpd: number | undefined
  /** See `pointsOfDay`. */
  readonly pointsDay: number
}

/** How often values that depend on the time are computed again, milliseconds. */
const REFRESH = 10 * 60_000

/** Recomputes a value of a client every ten minutes: of each client at another time, so that thousands do not coincide. */
function refreshed<T>(compute: (spans: readonly PointSpan[], now: number) => T) {
  const cache = new WeakMap<ClientSpans, { readonly slot: number; readonly value: T }>()
  return (client: ClientSpans, now: number): T => {
    const slot = Math.floor((now + ((client.spans[0]?.to ?? 0) % REFRESH)) / REFRESH)
    const cached = cache.get(client)
    if (cached?.slot === slot) return cached.value
    const value = compute(client.spans, now)
    cache.set(client, { slot, value })
    return value
  }
}

/** The numbers of a client. The same object for ten minutes, unless a unit ended. */
export const clientPoints = refreshed((spans, now): ClientPoints => ({
  usualPpd: usualPpd(spans, now),
  pointsDay: pointsOfDay(spans, now),
}))

/** PPD of the last 7 days in steps of 6 hours, oldest first. The same list for ten minutes, unless a unit ended. */
export const clientTrend = refreshed((spans, now): readonly number[] =>
  ppdIn(spans, { from: now - TREND_DAYS * DAY, to: now, step: TREND_STEP }),
)

/** What is more is rather a sign that the history is incomplete. */
const MOST_SHARE = 2

/** A share of what is usual, as far as it says something. */
export function shareText(share: number): string {
  return `${share > MOST_SHARE ? '>' : ''}${formatWholePercent(Math.min(share, MOST_SHARE))}`
}

type Shown = { readonly isConnected: boolean; readonly ppd: number; readonly usualPpd: number | undefined }

/** PPD now as a share of the usual PPD; undefined while either is unknown, and while nothing runs. */
export function shareOfUsual({ isConnected, ppd, usualPpd }: Shown): number | undefined {
  return !isConnected || ppd === 0 || usualPpd === undefined || usualPpd <= 0 ? undefined : ppd / usualPpd
}

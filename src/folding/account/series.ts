/*
 * Time series of points. Instants are epoch milliseconds. Missing points leave a gap; nothing is interpolated across it.
 */
import { MAX_POINTS, type SeriesPoint, type SeriesRef } from '../../protocol/api/series.ts'

export function teamSeries(team: number): SeriesRef {
  return `team-${team}`
}
/** `uid` and `pid` are `id` and `pid` of GET /user/{name}. */
export function userSeries(uid: number, pid: number): SeriesRef {
  return `user-${uid}-${pid}`
}

export type Measure = 'ppd' | 'score' | 'wus'

/** `value` is undefined in a gap. */
export type Sample = { readonly at: number; readonly value: number | undefined }

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Points arrive about hourly; two that are farther apart have a gap between them. */
export const MAX_STEP = 3 * HOUR

/** Merges points in order, one per instant (the fresh one wins), the newest 10,000. The same list when nothing is new. */
export function mergePoints(existing: readonly SeriesPoint[], fresh: readonly SeriesPoint[]): readonly SeriesPoint[] {
  const last = existing.at(-1)
  const added = fresh.filter(point => !isKnown(existing, point))
  if (added.length === 0) return existing
  const [only] = added
  if (added.length === 1 && only !== undefined && (last === undefined || only.at > last.at))
    return [...existing, only].slice(-MAX_POINTS)
  const byTime = new Map(existing.map(point => [point.at, point]))
  for (const point of added) byTime.set(point.at, point)
  return [...byTime.values()].sort((a, b) => a.at - b.at).slice(-MAX_POINTS)
}

function isKnown(points: readonly SeriesPoint[], { at, score, wus }: SeriesPoint): boolean {
  const existing = points[indexAfter(points, at) - 1]
  return existing !== undefined && existing.at === at && existing.score === score && existing.wus === wus
}

/** The index of the first point after `at`. */
function indexAfter(points: readonly SeriesPoint[], at: number): number {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.at ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** The score at an instant, linearly interpolated; undefined before the first point, after the last and in a gap. */
export function scoreAt(points: readonly SeriesPoint[], at: number): number | undefined {
  const after = indexAfter(points, at)
  const before = points[after - 1]
  if (before === undefined) return undefined
  if (before.at === at) return before.score
  const next = points[after]
  if (next === undefined || next.at - before.at > MAX_STEP) return undefined
  return before.score + ((next.score - before.score) * (at - before.at)) / (next.at - before.at)
}

/** Points per day at each point: the growth of the score in the 24 hours before. Undefined where unknown. */
export function ppdSamples(points: readonly SeriesPoint[]): readonly Sample[] {
  return points.map(({ at, score }) => {
    const before = scoreAt(points, at - DAY)
    return { at, value: before === undefined ? undefined : score - before }
  })
}

/** Samples of a measure from an instant on, with an undefined sample in the middle of each gap. */
export function samplesOf(points: readonly SeriesPoint[], measure: Measure, from = -Infinity): readonly Sample[] {
  const samples =
    measure === 'ppd' ? ppdSamples(points) : points.map(point => ({ at: point.at, value: point[measure] }))
  return withGaps(samples.filter(({ at }) => at >= from))
}

function withGaps(samples: readonly Sample[]): readonly Sample[] {
  return samples.flatMap((sample, index) => {
    const before = samples[index - 1]
    return before === undefined || sample.at - before.at <= MAX_STEP
      ? [sample]
      : [{ at: (before.at + sample.at) / 2, value: undefined }, sample]
  })
}

/** The last point of a day (UTC), with the growth of the score in the 24 hours before. */
export type DayOfPoints = SeriesPoint & { readonly ppd: number | undefined }

/** One row per day with points, newest first. */
export function daysOf(points: readonly SeriesPoint[], from = -Infinity): readonly DayOfPoints[] {
  const lastOfDay = new Map<number, SeriesPoint>()
  for (const point of points) if (point.at >= from) lastOfDay.set(Math.floor(point.at / DAY), point)
  return [...lastOfDay.values()].reverse().map(point => {
    const before = scoreAt(points, point.at - DAY)
    return { ...point, ppd: before === undefined ? undefined : point.score - before }
  })
}

export type Range = 'day' | 'week' | 'month' | 'year' | 'all'

const lengths: Readonly<Record<Range, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
  all: Infinity,
}

/** The start of a range that ends at the last point. */
export function rangeStart(points: readonly SeriesPoint[], range: Range): number {
  return (points.at(-1)?.at ?? 0) - lengths[range]
}

/** An SVG path through samples in a box of this size, broken at gaps; '' for fewer than two values. */
export function linePath(samples: readonly Sample[], width: number, height: number): string {
  const values = samples.flatMap(({ value }) => value ?? [])
  const [first, last] = [samples[0], samples.at(-1)]
  if (values.length < 2 || first === undefined || last === undefined || last.at === first.at) return ''
  const low = Math.min(0, ...values)
  const span = Math.max(...values) - low || 1
  let isDown = false
  return samples
    .map(({ at, value }) => {
      if (value === undefined) {
        isDown = false
        return ''
      }
      const x = ((at - first.at) / (last.at - first.at)) * width
      const y = height - ((value - low) / span) * height
      const move = isDown ? 'L' : 'M'
      isDown = true
      return `${move}${x.toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

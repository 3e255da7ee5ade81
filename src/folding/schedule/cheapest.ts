/*
 * Which time is cheapest. Times are epoch milliseconds.
 */
import type { PricedSpan } from '../power/price.ts'
import type { CheapestRule } from './schedule.ts'
import { dailySpans, lengthOf, type Span } from './spans.ts'

const HOUR_MS = 3_600_000

export function clipped<Part extends Span>(spans: readonly Part[], from: number, to: number): readonly Part[] {
  return spans.flatMap(span => {
    const [begin, end] = [Math.max(span.begin, from), Math.min(span.end, to)]
    return begin < end ? [{ ...span, begin, end }] : []
  })
}

/** In order, those that touch or overlap as one. */
export function united(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = []
  for (const { begin, end } of [...spans].sort((a, b) => a.begin - b.begin)) {
    const last = all.at(-1)
    if (last !== undefined && begin <= last.end)
      all[all.length - 1] = { begin: last.begin, end: Math.max(last.end, end) }
    else all.push({ begin, end })
  }
  return all
}

/** The cheapest parts with a length of `most` together; of those with the same price the earlier, unknown prices last. */
export function cheapestParts(spans: readonly PricedSpan[], most: number): readonly Span[] {
  const priceOf = ({ price }: PricedSpan): number => price ?? Number.POSITIVE_INFINITY
  const ranked = [...spans].sort((a, b) => (priceOf(a) === priceOf(b) ? a.begin - b.begin : priceOf(a) - priceOf(b)))
  const chosen: Span[] = []
  let left = most
  for (const { begin, end } of ranked) {
    if (left <= 0) break
    chosen.push({ begin, end: Math.min(end, begin + left) })
    left -= end - begin
  }
  return united(chosen)
}

/**
 * When a rule applies until `to`. Of a time that has begun, what was chosen before `at` stays and counts: prices may become
 * known, or change, meanwhile. `before`: what was chosen then. `prices`: of a range, without gaps.
 */
export function cheapestSpans(
  rule: CheapestRule,
  timeZone: string,
  prices: (from: number, to: number) => readonly PricedSpan[],
  before: readonly Span[],
  at: number,
  to: number,
): readonly Span[] {
  const { hours, below, silent } = rule
  const isOffered = ({ price }: PricedSpan): boolean =>
    price === undefined ? silent === 'apply' : below === undefined || price < below
  const next = dailySpans(rule, timeZone, at, to).flatMap(day => {
    const used = lengthOf(clipped(before, day.begin, Math.min(at, day.end)))
    const most = hours === undefined ? Number.POSITIVE_INFINITY : hours * HOUR_MS - used
    return cheapestParts(prices(Math.max(at, day.begin), day.end).filter(isOffered), most)
  })
  return united([...clipped(before, Number.NEGATIVE_INFINITY, at), ...next])
}

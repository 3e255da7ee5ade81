/*
 * What a kilowatt hour costs, or how much CO₂ it causes, over time. Time for which no price is known is a gap, not zero.
 */
import * as v from 'valibot'
import { spansOf, type Span } from '../schedule/spans.ts'
import { MOST_PRICE, type Tariff } from './power.ts'

const instant = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(8.64e15))

/** A price from `begin` until before `end`, epoch milliseconds. */
export const priceInterval = v.pipe(
  v.object({
    begin: instant,
    end: instant,
    price: v.pipe(v.number(), v.finite(), v.minValue(-MOST_PRICE), v.maxValue(MOST_PRICE)),
  }),
  v.check(({ begin, end }) => begin < end, 'must end after it begins'),
)
export type PriceInterval = Readonly<v.InferOutput<typeof priceInterval>>

/** In order and without overlaps. */
export type PriceList = readonly PriceInterval[]

/** Two years of quarter hours. */
export const MOST_INTERVALS = 70_080

/** Intervals of any order; one that overlaps the one before it is left out. The newest are kept. */
export function pricesInOrder(intervals: readonly PriceInterval[]): PriceList {
  const all: PriceInterval[] = []
  for (const next of [...intervals].sort((a, b) => a.begin - b.begin))
    if (next.begin >= (all.at(-1)?.end ?? -Infinity)) all.push(next)
  return all.slice(-MOST_INTERVALS)
}

export function hasOverlaps(inOrder: readonly PriceInterval[]): boolean {
  return inOrder.some(({ begin }, index) => begin < (inOrder[index - 1]?.end ?? -Infinity))
}

/** A list with the prices of another, which count where both have one. The newest are kept. */
export function withPrices(existing: PriceList, added: PriceList): PriceList {
  const all: PriceInterval[] = []
  let at = 0
  for (const interval of existing) {
    let { begin } = interval
    for (let next = added[at]; next !== undefined && next.begin < interval.end; next = added[at]) {
      if (next.begin > begin) all.push({ ...interval, begin, end: next.begin })
      begin = Math.max(begin, next.end)
      if (next.end > interval.end) break
      all.push(next)
      at++
    }
    if (begin < interval.end) all.push(begin === interval.begin ? interval : { ...interval, begin })
  }
  return [...all, ...added.slice(at)].slice(-MOST_INTERVALS)
}

/** A part of a range with one price; undefined: not known. */
export type PricedSpan = Span & { readonly price: number | undefined }

export type PriceContext = {
  readonly timeZone: string
  /** By the name of the input. */
  readonly lists: Readonly<Record<string, PriceList>>
}

export const NO_LISTS: PriceContext['lists'] = Object.freeze({})

/** The prices from `from` until `to`, in order and without a gap: where none is known there is a part that says so. */
export function pricesIn(
  tariff: Tariff | null | undefined,
  { timeZone, lists }: PriceContext,
  from: number,
  to: number,
): readonly PricedSpan[] {
  if (from >= to) return []
  switch (tariff?.kind) {
    case undefined:
      return [{ begin: from, end: to, price: undefined }]
    case 'fixed':
      return [{ begin: from, end: to, price: tariff.price }]
    case 'bands':
      return bandPrices(tariff, timeZone, from, to)
    case 'list':
      return listPrices(Object.hasOwn(lists, tariff.input) ? (lists[tariff.input] ?? []) : [], from, to)
  }
}

function bandPrices(
  { bands, otherwise }: Extract<Tariff, { kind: 'bands' }>,
  timeZone: string,
  from: number,
  to: number,
): readonly PricedSpan[] {
  const spans = bands.map(band => ({ price: band.price, spans: spansOf(band, timeZone, from, to) }))
  const edges = spans.flatMap(band => band.spans.flatMap(({ begin, end }) => [begin, end]))
  const times = [...new Set([from, ...edges.filter(at => at > from && at < to), to])].sort((a, b) => a - b)
  const priceAtTime = (at: number): number | undefined =>
    spans.find(band => band.spans.some(({ begin, end }) => begin <= at && at < end))?.price ?? otherwise ?? undefined
  return joined(
    times.slice(0, -1).map((begin, index) => ({ begin, end: times[index + 1] ?? to, price: priceAtTime(begin) })),
  )
}

function listPrices(list: PriceList, from: number, to: number): readonly PricedSpan[] {
  const found: PricedSpan[] = []
  let at = from
  for (let index = firstAfter(list, from); at < to; index++) {
    const next = list[index]
    const begin = Math.min(to, next?.begin ?? to)
    if (begin > at) found.push({ begin: at, end: begin, price: undefined })
    if (next === undefined || begin >= to) break
    found.push({ begin: Math.max(at, begin), end: Math.min(to, next.end), price: next.price })
    at = next.end
  }
  return joined(found)
}

/** The index of the first interval that ends after an instant. */
function firstAfter(list: PriceList, at: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.end ?? 0) > at) high = middle
    else low = middle + 1
  }
  return low
}

function joined(spans: readonly PricedSpan[]): readonly PricedSpan[] {
  const all: PricedSpan[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last?.price === span.price && last?.end === span.begin) all[all.length - 1] = { ...last, end: span.end }
    else all.push(span)
  }
  return all
}

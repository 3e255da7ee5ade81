/*
 * Energy, points, cost and CO₂ over time. A record is a list of segments; time without a segment is not known, and
 * stays so in every sum. Instants are epoch milliseconds.
 */
import * as v from 'valibot'
import { MOST_PRICE, ORIGINS, worseOrigin, type Origin } from './power.ts'
import type { PricedSpan } from './price.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR_DAYS = 365.25
/** Of samples; zones differ from UTC by whole quarters of an hour, and markets have prices for them. */
export const SLOT = HOUR / 4
/** Ten years of days, and a month of quarter hours. */
const MOST_SEGMENTS = 8000

const amount = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(1e15))
const money = v.pipe(v.number(), v.finite(), v.minValue(-1e15), v.maxValue(1e15))

/**
 * What was used in some time. `seconds`: of it that is known. `cost` is that of `pricedWattHours`, `grams` of CO₂ that of
 * `gradedWattHours`: of the rest they are not known. `origin`: the worst of its parts; null without any.
 */
export const usedFields = {
  seconds: amount,
  wattHours: amount,
  points: amount,
  cost: money,
  pricedWattHours: amount,
  grams: money,
  gradedWattHours: amount,
  origin: v.nullable(v.picklist(ORIGINS)),
}
const segment = v.object({ from: amount, until: amount, ...usedFields })
export const energyRecord = v.pipe(v.array(segment), v.maxLength(MOST_SEGMENTS))

export type Used = Readonly<Omit<v.InferOutput<typeof segment>, 'from' | 'until'>>
export type Segment = Readonly<v.InferOutput<typeof segment>>
/** In order and without overlaps. */
export type EnergyRecord = readonly Segment[]

export const NOTHING_USED: Used = Object.freeze({
  seconds: 0,
  wattHours: 0,
  points: 0,
  cost: 0,
  pricedWattHours: 0,
  grams: 0,
  gradedWattHours: 0,
  origin: null,
})

/** A draw that stayed the same from `from` until `until`. `ppd`: points per day then. */
export type Sample = {
  readonly from: number
  readonly until: number
  readonly watts: number
  readonly ppd: number
  readonly origin: Origin
}

/** The prices of some time; see `pricesIn`. */
export type Rates = { readonly price: readonly PricedSpan[]; readonly co2: readonly PricedSpan[] }

export const NO_RATES: Rates = Object.freeze({ price: Object.freeze([]), co2: Object.freeze([]) })

export function plus(a: Used, b: Used): Used {
  return {
    seconds: a.seconds + b.seconds,
    wattHours: a.wattHours + b.wattHours,
    points: a.points + b.points,
    cost: a.cost + b.cost,
    pricedWattHours: a.pricedWattHours + b.pricedWattHours,
    grams: a.grams + b.grams,
    gradedWattHours: a.gradedWattHours + b.gradedWattHours,
    origin: worseOrigin(a.origin ?? undefined, b.origin ?? undefined) ?? null,
  }
}

function timesShare(used: Used, share: number): Used {
  return share === 1
    ? used
    : {
        seconds: used.seconds * share,
        wattHours: used.wattHours * share,
        points: used.points * share,
        cost: used.cost * share,
        pricedWattHours: used.pricedWattHours * share,
        grams: used.grams * share,
        gradedWattHours: used.gradedWattHours * share,
        origin: used.origin,
      }
}

/** The price of a number of watts over a time, and the watt hours of which it is. */
function priced(watts: number, from: number, until: number, spans: readonly PricedSpan[]) {
  let [cost, wattHours] = [0, 0]
  for (const { begin, end, price } of spans) {
    const time = Math.min(end, until) - Math.max(begin, from)
    if (price === undefined || time <= 0) continue
    const used = (watts * time) / HOUR
    wattHours += used
    cost += (used / 1000) * price
  }
  return { cost, wattHours }
}

/** What a sample used. */
export function usedBy({ from, until, watts, ppd, origin }: Sample, rates: Rates): Used {
  if (until <= from) return NOTHING_USED
  const money = priced(watts, from, until, rates.price)
  const co2 = priced(watts, from, until, rates.co2)
  return {
    seconds: (until - from) / 1000,
    wattHours: (watts * (until - from)) / HOUR,
    points: (ppd * (until - from)) / DAY,
    cost: money.cost,
    pricedWattHours: money.wattHours,
    grams: co2.cost,
    gradedWattHours: co2.wattHours,
    origin,
  }
}

/** A record with a sample at its end, by quarter hours. What the record covers already is not counted again. */
export function withSample(record: EnergyRecord, sample: Sample, rates: Rates): EnergyRecord {
  const next = [...record]
  const covered = record.at(-1)?.until ?? -Infinity
  for (let from = Math.max(sample.from, covered); from < sample.until;) {
    const until = Math.min(sample.until, (Math.floor(from / SLOT) + 1) * SLOT)
    const used = usedBy({ ...sample, from, until }, rates)
    const last = next.at(-1)
    if (last !== undefined && isOfSlot(last, from))
      next[next.length - 1] = { ...plus(last, used), from: last.from, until }
    else next.push({ ...used, from, until })
    from = until
  }
  return next.slice(-MOST_SEGMENTS)
}

/** Whether a segment is of the quarter of an hour that an instant is in. */
export function isOfSlot({ from }: Segment, at: number): boolean {
  return Math.floor(from / SLOT) === Math.floor(at / SLOT)
}

/** What a record has of a range. A segment that is in it in part is counted by its share. */
export function sumOf(record: EnergyRecord, from: number, to: number): Used {
  let sum = NOTHING_USED
  for (const part of record) {
    const time = Math.min(part.until, to) - Math.max(part.from, from)
    if (time > 0) sum = plus(sum, timesShare(part, time / (part.until - part.from)))
  }
  return sum
}

export function sumOfAll(all: Iterable<Used>): Used {
  let sum = NOTHING_USED
  for (const used of all) sum = plus(sum, used)
  return sum
}

/** A pace is known after an hour. */
const LEAST_PACE = HOUR

/** A year of what was used in `time` milliseconds, which say what it is based on. Undefined when they are too few. */
export function yearAtPace(used: Used, time: number): Used | undefined {
  return time < LEAST_PACE ? undefined : timesShare(used, (YEAR_DAYS * DAY) / time)
}

/** Whether all of the energy has a price. */
export function isPriced({ wattHours, pricedWattHours }: Used): boolean {
  return pricedWattHours >= wattHours * (1 - 1e-9)
}

/** Whether the CO₂ of all of the energy is known. */
export function isGraded({ wattHours, gradedWattHours }: Used): boolean {
  return gradedWattHours >= wattHours * (1 - 1e-9)
}

/** Undefined where no energy is known. */
export function pointsPerKwh({ points, wattHours }: Pick<Used, 'points' | 'wattHours'>): number | undefined {
  return wattHours > 0 ? (points / wattHours) * 1000 : undefined
}

/** Points for one unit of the currency; undefined where the price of some energy is not known, or nothing was paid. */
export function pointsPerMoney(used: Used): number | undefined {
  return isPriced(used) && used.cost > 0 && used.cost < MOST_PRICE * 1e9 ? used.points / used.cost : undefined
}

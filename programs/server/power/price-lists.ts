/*
 * Lists of prices, or of grams of CO₂, as programs send them: in our own form, and in those of Tibber, aWATTar, Nord Pool in
 * Home Assistant, Energy-Charts and ENTSO-E. Entries that are none are left out.
 */
import { MOST_PRICE } from '../../../src/folding/power/power.ts'
import { hasOverlaps, type PriceInterval } from '../../../src/folding/power/price.ts'
import { valueAt } from '../values.ts'

/** `factor` and `add`: (price + add) × factor, as for fees and taxes. `per`: what one price is for, unless the list says it. */
export type PriceTerms = {
  readonly per?: 'kWh' | 'MWh' | undefined
  readonly add?: number | undefined
  readonly factor?: number | undefined
}

const HOUR_MS = 3_600_000
/** Of one message. */
export const MOST_ENTRIES = 10_000
/** Days before and after now that a list may be about. */
const MOST_DAYS = 800

type Entry = { readonly begin: number; readonly end: number | undefined; readonly price: number }
type Shape = { readonly entries: readonly (Entry | undefined)[]; readonly per: 'kWh' | 'MWh' }

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
function has(value: unknown, ...keys: readonly string[]): boolean {
  return keys.some(key => valueAt(value, key) !== undefined)
}

/** Epoch milliseconds of a time in ISO 8601, or of a number of seconds or milliseconds. NaN for a time without a zone. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Math.round(Math.abs(value) < 1e11 ? value * 1000 : value)
  const zone = typeof value === 'string' ? /^\d{4}-\d\d-\d\dT[\d:.,]+(.*)$/.exec(value)?.[1] : undefined
  if (zone === '') return Number.NaN
  const at = zone === undefined ? Number.NaN : Date.parse(String(value))
  return Number.isFinite(at) ? at : undefined
}

function priceOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The first of these keys that an entry has. */
function entryOf(
  item: unknown,
  names: { readonly begin: string; readonly end?: string; readonly price: string },
): Entry | undefined {
  const begin = timeOf(valueAt(item, names.begin))
  const price = priceOf(valueAt(item, names.price))
  const end = names.end === undefined ? undefined : timeOf(valueAt(item, names.end))
  return begin === undefined || price === undefined ? undefined : { begin, end, price }
}

function perOf(unit: unknown): 'kWh' | 'MWh' | undefined {
  return typeof unit !== 'string'
    ? undefined
    : /\/\s*MWh/i.test(unit)
      ? 'MWh'
      : /\/\s*kWh/i.test(unit)
        ? 'kWh'
        : undefined
}

function daysOf(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  return keys.flatMap(key => listOf(valueAt(value, key)))
}

/** An ISO 8601 duration such as PT15M and PT60M, in milliseconds. */
function durationOf(value: unknown): number | undefined {
  const [, hours, minutes] = (typeof value === 'string' ? /^PT(?:(\d{1,2})H)?(?:(\d{1,4})M)?$/.exec(value) : null) ?? []
  const time = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return time > 0 ? time : undefined
}

/** A period of ENTSO-E: positions from 1; one that is left out has the price of the one before. */
function entsoe(period: unknown): readonly (Entry | undefined)[] {
  const start = timeOf(valueAt(period, 'timeInterval.start') ?? valueAt(period, 'start'))
  const stop = timeOf(valueAt(period, 'timeInterval.end') ?? valueAt(period, 'end'))
  const step = durationOf(valueAt(period, 'resolution'))
  if (start === undefined || step === undefined) return []
  const points = listOf(valueAt(period, 'points') ?? valueAt(period, 'Point')).map(point => ({
    position: priceOf(valueAt(point, 'position')) ?? Number.NaN,
    price: priceOf(
      (point as Readonly<Record<string, unknown>> | null)?.['price.amount'] ??
        valueAt(point, 'price') ??
        valueAt(point, 'amount'),
    ),
  }))
  return points.map(({ position, price }, index) => {
    const next = points[index + 1]?.position
    const begin = start + (position - 1) * step
    const end = next === undefined ? (stop ?? begin + step) : start + (next - 1) * step
    return price === undefined || !Number.isInteger(position) || position < 1 ? undefined : { begin, end, price }
  })
}

function shapeOf(value: unknown): Shape {
  const fields = { begin: 'begin', end: 'end', price: 'price' }
  if (Array.isArray(value)) return { per: 'kWh', entries: listOf(value).map(item => entryOf(item, fields)) }
  if (has(value, 'prices'))
    return { per: 'kWh', entries: listOf(valueAt(value, 'prices')).map(item => entryOf(item, fields)) }
  if (has(value, 'raw_today', 'raw_tomorrow'))
    return {
      per: perOf(valueAt(value, 'unit_of_measurement')) ?? 'kWh',
      entries: daysOf(value, 'raw_today', 'raw_tomorrow').map(item =>
        entryOf(item, { begin: 'start', end: 'end', price: 'value' }),
      ),
    }
  if (has(value, 'today', 'tomorrow'))
    return {
      per: 'kWh',
      entries: daysOf(value, 'today', 'tomorrow').map(item => entryOf(item, { begin: 'startsAt', price: 'total' })),
    }
  const tibber = valueAt(value, 'data.viewer.homes.0.currentSubscription.priceInfo') ?? valueAt(value, 'priceInfo')
  if (tibber !== undefined) return shapeOf(tibber)
  if (has(value, 'unix_seconds')) return energyCharts(value)
  if (has(value, 'periods', 'period', 'Period')) {
    const periods = valueAt(value, 'periods') ?? valueAt(value, 'Period') ?? [valueAt(value, 'period')]
    return { per: 'MWh', entries: listOf(Array.isArray(periods) ? periods : [periods]).flatMap(entsoe) }
  }
  const data = listOf(valueAt(value, 'data'))
  return {
    per: perOf(valueAt(data[0], 'unit')) ?? 'kWh',
    entries: data.map(item =>
      has(item, 'start_timestamp')
        ? entryOf(item, { begin: 'start_timestamp', end: 'end_timestamp', price: 'marketprice' })
        : entryOf(item, fields),
    ),
  }
}

function energyCharts(value: unknown): Shape {
  const [times, prices] = [listOf(valueAt(value, 'unix_seconds')), listOf(valueAt(value, 'price'))]
  return {
    per: perOf(valueAt(value, 'unit')) ?? 'MWh',
    entries: times.map((time, index) => {
      const [begin, price] = [timeOf(time), priceOf(prices[index])]
      return begin === undefined || price === undefined ? undefined : { begin, end: undefined, price }
    }),
  }
}

/**
 * The intervals of a list, in order; a text says why it is refused. An entry without an end lasts until the next one, and as
 * long as the one before.
 */
export function priceListOf(value: unknown, terms: PriceTerms, now: number): readonly PriceInterval[] | string {
  const { entries, per } = shapeOf(value)
  if (entries.length > MOST_ENTRIES) return `There are more than ${MOST_ENTRIES} prices in it`
  if (entries.some(entry => Number.isNaN(entry?.begin) || Number.isNaN(entry?.end)))
    return 'A time in it has no zone, such as Z or +01:00'
  const { add = 0, factor = 1 } = terms
  const share = (terms.per ?? per) === 'MWh' ? 1 / 1000 : 1
  const priced = entries
    .filter(entry => entry !== undefined)
    .filter(({ begin }) => Math.abs(begin - now) < MOST_DAYS * 24 * HOUR_MS)
    .sort((a, b) => a.begin - b.begin)
  let length = HOUR_MS
  const intervals = priced.flatMap(({ begin, end: listedEnd, price }, index) => {
    const next = priced[index + 1]?.begin
    const end = listedEnd ?? Math.min(next ?? begin + length, begin + HOUR_MS)
    if (end > begin) length = end - begin
    const cost = (price * share + add) * factor
    return begin < end && end - begin <= 32 * 24 * HOUR_MS && Math.abs(cost) <= MOST_PRICE
      ? [{ begin, end, price: cost }]
      : []
  })
  if (intervals.length === 0) return 'There is no price in it'
  return hasOverlaps(intervals) ? 'Its prices overlap' : intervals
}

/*
 * What machines would use while schedules decide as previewed.
 */
import { clipped } from './cheapest.ts'
import type { Segment } from './decide.ts'
import type { PriceAhead } from './conditions.ts'

/** `idle`: watts while nothing folds; `folding`: what folding adds. */
export type ExpectedWatts = { readonly idle: number; readonly folding: number }

/** `money`: of `pricedKWh`, whose price is known. */
export type Forecast = { readonly kWh: number; readonly pricedKWh: number; readonly money: number }

const MS_A_KWH = 3_600_000 * 1000

/** Of parts for which nothing is decided nothing is counted. */
export function forecastOf(
  segments: readonly Segment[],
  { idle, folding }: ExpectedWatts,
  prices: readonly PriceAhead[],
): Forecast {
  let [kWh, pricedKWh, money] = [0, 0, 0]
  for (const { begin, end, state } of segments) {
    if (state === undefined) continue
    const watts = state === 'fold' ? idle + folding : idle
    kWh += (watts * (end - begin)) / MS_A_KWH
    for (const part of clipped(prices, begin, end)) {
      if (part.price === undefined) continue
      const used = (watts * (part.end - part.begin)) / MS_A_KWH
      pricedKWh += used
      money += used * part.price
    }
  }
  return { kWh, pricedKWh, money }
}

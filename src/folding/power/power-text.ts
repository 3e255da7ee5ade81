/*
 * Watts, energy, money and points for them as text. '≈' marks what a guess entered.
 */
import { t } from '@lingui/core/macro'
import { chosenLocales, formatNumber, UNKNOWN } from '../text/format.ts'
import type { Origin } from './power.ts'

/** What the mark means. */
export const GUESS_HINT = t`Contains a guess: the watts of some hardware are what its maker says it may draw at most. Enter yours on the Hardware tab of the machine.`

/** A text that is known or marked as a guess; '???' stays as it is. */
export function withOrigin(text: string, origin: Origin | null | undefined): string {
  return origin === 'guess' && text !== UNKNOWN ? `≈ ${text}` : text
}

export function formatWatts(watts: number | undefined): string {
  if (watts === undefined) return UNKNOWN
  const number = formatNumber(watts)
  return t`${number} W`
}

/** Watt hours as kilowatt hours. */
export function formatKwh(wattHours: number | undefined): string {
  if (wattHours === undefined) return UNKNOWN
  const kwh = wattHours / 1000
  const number = formatNumber(kwh, { digits: kwh < 100 ? 1 : 0 })
  return t`${number} kWh`
}

const formats = new Map<string, Intl.NumberFormat>()

/** An amount of a currency by its ISO 4217 code, with its own decimals: 12.3 → '€12.30'. */
export function formatMoney(amount: number | undefined, currency: string): string {
  if (amount === undefined) return UNKNOWN
  const isLarge = Math.abs(amount) >= 1000
  const key = `${currency} ${String(isLarge)}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(chosenLocales(), {
      style: 'currency',
      currency,
      ...(isLarge ? { maximumFractionDigits: 0 } : {}),
    })
    formats.set(key, format)
  }
  return format.format(amount)
}

export const CO2 = t`CO₂`

export function pointsPer(currency: string): string {
  return t`Points per ${currency}`
}

/** Grams of CO₂ as kilograms. */
export function formatCo2(grams: number | undefined): string {
  if (grams === undefined) return UNKNOWN
  const digits = Math.abs(grams) < 100_000 ? 1 : 0
  return new Intl.NumberFormat(chosenLocales(), {
    style: 'unit',
    unit: 'kilogram',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(grams / 1000)
}

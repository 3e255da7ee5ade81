/*
 * Formatting of numbers and values. Every function returns a text that can be shown: a missing value, or one of the
 * wrong type, is `???` (docs/product.md §2), never blank, NaN, undefined or [object Object].
 */
import { t } from '@lingui/core/macro'
import { i18n } from '@lingui/core'
import { finite } from '../shared/read.ts'

/** The page's locales for `Intl`, best first; undefined (the browser's own) when none was chosen. */
export function chosenLocales(): string | string[] | undefined {
  return i18n.locales ?? (i18n.locale === '' ? undefined : i18n.locale)
}

/** Shown in place of an unknown value. */
export const UNKNOWN = '???'

export type NumberOptions = {
  /** BCP 47 tag; default: the page's locale. */
  readonly locale?: string | undefined
  /** Fixed number of decimals, so that a column keeps its width. Default 0. */
  readonly digits?: number
}

/** A number with grouping: 1234567 → '1,234,567'. */
export function formatNumber(value: unknown, { locale, digits = 0 }: NumberOptions = {}): string {
  const number = finite(value)
  return number === undefined ? UNKNOWN : numberFormat('plain', locale, digits).format(withoutMinusZero(number, digits))
}

/** A whole number without grouping, as in '1234d 5h'. */
export function formatDigits(value: number): string {
  return numberFormat('digits', undefined, 0).format(value)
}

/** A number as people type it: without grouping, with the decimals that it has. `plainNumber` reads it. */
export function formatDecimal(value: number): string {
  return numberFormat('decimal', undefined, 0).format(value)
}

/** A text of digits, such as a time of day, in the digits of the page's locale: '22:00'. */
export function localDigits(text: string): string {
  return text.replaceAll(/\d/g, digit => formatDigits(Number(digit)))
}

/** A number for narrow places: 1234567 → '1.2M'. Show the exact one on hover and focus. */
export function formatCompact(value: unknown, locale?: string): string {
  const number = finite(value)
  return number === undefined ? UNKNOWN : numberFormat('compact', locale, 0).format(withoutMinusZero(number, 1))
}

/** A share clamped to 0..1; undefined when it is not a number. */
export function clampShare(value: unknown): number | undefined {
  const share = finite(value)
  return share === undefined ? undefined : Math.min(1, Math.max(0, share))
}

/** A share (0..1) as a percentage with one decimal, clamped to 0..100 (docs/product.md §9): 0.4237 → '42.4%'. */
export function formatPercent(share: unknown, locale?: string): string {
  const clamped = clampShare(share)
  return clamped === undefined ? UNKNOWN : numberFormat('percent', locale, 1).format(clamped)
}

/** A share of any size in whole percents: 1.4 → '140%'. */
export function formatWholePercent(share: number): string {
  return numberFormat('percent', undefined, 0).format(share)
}

/** A ratio as a difference in whole percents: 1.083 → '+8%'. */
export function formatDifference(times: unknown, locale?: string): string {
  const number = finite(times)
  return number === undefined ? UNKNOWN : numberFormat('difference', locale, 0).format(number - 1)
}

/** Points per day, rounded. */
export function formatPoints(value: unknown, locale?: string): string {
  return formatNumber(value, { locale })
}

/** A PCI id in hexadecimal: 4318 → '0x10de'. */
export function formatHex(value: unknown, width = 4): string {
  const number = finite(value)
  return number === undefined || number < 0 || !Number.isInteger(number)
    ? UNKNOWN
    : `0x${number.toString(16).padStart(width, '0')}`
}

/** Any scalar as text: strings as they are, booleans as Yes or No, numbers without grouping (they are ids here). */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value === '' ? UNKNOWN : value
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  const number = finite(value)
  return number === undefined ? UNKNOWN : String(number)
}

/** At most `limit` characters, including a final '...' where it was cut. Never splits a surrogate pair. */
export function truncate(value: string, limit: number): string {
  if (value.length <= limit) return value
  const characters = Array.from(value)
  return characters.length <= limit ? value : `${characters.slice(0, Math.max(0, limit - 3)).join('')}...`
}

/** 'a, b, c' in English, 'a, b und c' in German. */
export function formatList(texts: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  if (texts.length < 2) return texts[0] ?? ''
  const cached = listFormats.get(type)
  const format = cached ?? new Intl.ListFormat(chosenLocales(), { type, style: 'narrow' })
  if (cached === undefined) listFormats.set(type, format)
  return format.format(texts)
}

/** 'a; b, c': for parts that may be lists themselves. */
export function formatClauses(texts: readonly string[]): string {
  return texts.length === 0 ? '' : texts.reduce((before, next) => t`${before}; ${next}`)
}

const listFormats = new Map<string, Intl.ListFormat>()
i18n.on('change', () => listFormats.clear())

/** A label as a word within a sentence; German writes its nouns with capitals there too. */
export function asWord(label: string): string {
  return i18n.locale.startsWith('de') ? label : label.toLocaleLowerCase()
}

/** Natural order: 'node2' before 'node10', ignoring case and accents. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  collator ??= new Intl.Collator(chosenLocales(), { numeric: true, sensitivity: 'base' })
  return collator.compare(a, b)
}

/** Made when there is something to compare: a browser takes milliseconds to load the data of its first one. */
let collator: Intl.Collator | undefined

type Style = 'plain' | 'digits' | 'decimal' | 'compact' | 'percent' | 'difference'

/** More are not entered, and would show how binary numbers are stored. */
const MOST_DECIMALS = 10

const formats = new Map<string, Intl.NumberFormat>()

// Cached: making an Intl.NumberFormat costs a hundred times more than using it.
function numberFormat(style: Style, locale: string | undefined, digits: number): Intl.NumberFormat {
  const key = `${style} ${digits} ${locale ?? ''}`
  const cached = formats.get(key)
  if (cached !== undefined) return cached
  const made = new Intl.NumberFormat(locale ?? chosenLocales(), styleOptions(style, digits))
  formats.set(key, made)
  return made
}

function styleOptions(style: Style, digits: number): Intl.NumberFormatOptions {
  if (style === 'compact') return { notation: 'compact', maximumFractionDigits: 1 }
  if (style === 'decimal') return { useGrouping: false, maximumFractionDigits: MOST_DECIMALS }
  if (style === 'digits') return { useGrouping: false, maximumFractionDigits: 0 }
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  if (style === 'difference') return { style: 'percent', signDisplay: 'exceptZero', ...decimals }
  return style === 'percent' ? { style: 'percent', ...decimals } : decimals
}

function withoutMinusZero(value: number, digits: number): number {
  return Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value
}

i18n.on('change', () => {
  formats.clear()
  collator = undefined
})

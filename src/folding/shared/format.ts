/*
 * Numbers and texts as people read them. Whatever is given, the answer is a text that can be shown:
 * what is missing or of the wrong type is `???` (docs/product.md §2), never blank, NaN, undefined or [object Object].
 */
import { t } from '@lingui/core/macro'
import { i18n } from '@lingui/core'
import { finite } from './read.ts'

/** The locale that was chosen for the page, best first, for `Intl`; undefined, which is the machine's own, where none was. */
export const chosenLocales = (): string | string[] | undefined =>
  i18n.locales ?? (i18n.locale === '' ? undefined : i18n.locale)

/** What stands where a value is not known. */
export const UNKNOWN = '???'

export type NumberOptions = {
  /** BCP 47 tag; the reader's own when absent. */
  readonly locale?: string | undefined
  /** Decimals, always all of them, so that a column keeps its width. Default 0. */
  readonly digits?: number
}

/** A number in the reader's locale with grouping: 1234567 → '1,234,567'. */
export const formatNumber = (value: unknown, { locale, digits = 0 }: NumberOptions = {}): string => {
  const number = finite(value)
  return number === undefined ? UNKNOWN : numberFormat('plain', locale, digits).format(withoutMinusZero(number, digits))
}

/** A number for narrow places: 1234567 → '1.2M'. The exact one belongs on hover and focus. */
export const formatCompact = (value: unknown, locale?: string): string => {
  const number = finite(value)
  return number === undefined ? UNKNOWN : numberFormat('compact', locale, 0).format(withoutMinusZero(number, 1))
}

/** A share held between 0 and 1; undefined when it is not a number. */
export const clampShare = (value: unknown): number | undefined => {
  const share = finite(value)
  return share === undefined ? undefined : Math.min(1, Math.max(0, share))
}

/** A share (0..1) as a percentage with one decimal, clamped to 0..100 (docs/product.md §9): 0.4237 → '42.4%'. */
export const formatPercent = (share: unknown, locale?: string): string => {
  const clamped = clampShare(share)
  return clamped === undefined ? UNKNOWN : numberFormat('percent', locale, 1).format(clamped)
}

/** How many times something is what it is compared with, as the difference in whole percents: 1.083 → '+8%'. */
export const formatDifference = (times: unknown, locale?: string): string => {
  const number = finite(times)
  return number === undefined ? UNKNOWN : numberFormat('difference', locale, 0).format(number - 1)
}

/** Points per day, rounded, in the reader's locale. */
export const formatPoints = (value: unknown, locale?: string): string => formatNumber(value, { locale })

/** A PCI id as people search for it: 4318 → '0x10de'. */
export const formatHex = (value: unknown, width = 4): string => {
  const number = finite(value)
  return number === undefined || number < 0 || !Number.isInteger(number)
    ? UNKNOWN
    : `0x${number.toString(16).padStart(width, '0')}`
}

/** Any single value as text: texts as they are, booleans as Yes and No, numbers without grouping (they are names here). */
export const formatValue = (value: unknown): string => {
  if (typeof value === 'string') return value === '' ? UNKNOWN : value
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  const number = finite(value)
  return number === undefined ? UNKNOWN : String(number)
}

/** A count with its word: (1, 'unit') → '1 unit', (2, 'unit') → '2 units'. */
export const formatCount = (count: unknown, one: string, many = `${one}s`, locale?: string): string =>
  `${formatNumber(count, { locale })} ${count === 1 ? one : many}`

/** At most `limit` characters; what is longer ends in '...' and is `limit` long with it. Never splits a character in two. */
export const truncate = (value: string, limit: number): string => {
  if (value.length <= limit) return value
  const characters = Array.from(value)
  return characters.length <= limit ? value : `${characters.slice(0, Math.max(0, limit - 3)).join('')}...`
}

/** Compares as people sort: 'node2' before 'node10', case and accents aside. */
export const compareTexts = (a: string, b: string): number => collator.compare(a, b)

type Style = 'plain' | 'compact' | 'percent' | 'difference'

const collator = new Intl.Collator(chosenLocales(), { numeric: true, sensitivity: 'base' })

const formats = new Map<string, Intl.NumberFormat>()

// Making an Intl.NumberFormat costs a hundred times more than using it.
const numberFormat = (style: Style, locale: string | undefined, digits: number): Intl.NumberFormat => {
  const key = `${style} ${digits} ${locale ?? ''}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(locale ?? chosenLocales(), styleOptions(style, digits))
  formats.set(key, made)
  return made
}

const styleOptions = (style: Style, digits: number): Intl.NumberFormatOptions => {
  if (style === 'compact') return { notation: 'compact', maximumFractionDigits: 1 }
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  if (style === 'difference') return { style: 'percent', signDisplay: 'exceptZero', ...decimals }
  return style === 'percent' ? { style: 'percent', ...decimals } : decimals
}

const withoutMinusZero = (value: number, digits: number): number => (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value)

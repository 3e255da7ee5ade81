/* Numbers as people type them: in the digits of their script, and with the marks of their language. */
import { chosenLocales } from './format.ts'

/** The zeros of scripts whose digits keyboards type: Arabic, Persian, Devanagari, Bengali, Thai, and full-width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]

function latinDigit(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const zero = ZEROS.find(first => code >= first && code < first + 10)
  return zero === undefined ? character : String(code - zero)
}

/** The text with Latin digits, without marks of direction. */
export function latinDigits(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u2066-\u2069]/g, '').replaceAll(/\p{Nd}/gu, latinDigit)
}

type Marks = { readonly group: string; readonly decimal: string }

function marksOf(locales: string | string[] | undefined): Marks {
  const parts = new Intl.NumberFormat(locales, { useGrouping: true }).formatToParts(1234567.5)
  const mark = (type: 'group' | 'decimal'): string => parts.find(part => part.type === type)?.value ?? ''
  return { group: mark('group'), decimal: mark('decimal') }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * A typed number as code reads it: '۱٬۲۳۴٫۵', '1.234,5' in German and '1,234.5' in English are '1234.5'. Anything else is
 * returned with Latin digits, for the caller to refuse.
 */
export function plainNumber(typed: string): string {
  const text = latinDigits(typed).trim().replace('\u2212', '-')
  if (/^[+-]?\d*\.?\d*$/.test(text) && !isGrouped(text)) return text
  const { group, decimal } = marksOf(chosenLocales())
  // The Arabic marks are on keyboards of all languages that use them; spaces of any kind group digits.
  const groups = `(?:${escaped(group)}|\u066c|\\s)`
  const decimals = `(?:${escaped(decimal)}|\u066b)`
  // In India, groups before the last one have two digits.
  const grouped = `[1-9]\\d{0,2}(?:${groups}\\d{2,3})*${groups}\\d{3}`
  const match = new RegExp(`^([+-]?)(${grouped}|\\d*)(?:${decimals}(\\d*))?$`).exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction] = match
  return `${sign}${whole.replaceAll(/\D/g, '')}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Whether the point groups digits in the chosen locale, and does so here. */
function isGrouped(text: string): boolean {
  return /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text) && marksOf(chosenLocales()).group === '.'
}

/** Whether the chosen locale writes numbers in digits that a field for numbers of the browser does not take. */
export function hasOwnDigits(): boolean {
  return new Intl.NumberFormat(chosenLocales()).format(0) !== '0'
}

/*
 * Instants (epoch milliseconds) and durations (seconds). Instants on the wire are UTC (docs/protocol.md §6). Nothing
 * here reads a clock: `now` is an argument.
 */
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { isolated, isRightToLeft } from './direction.ts'
import { chosenLocales, formatDigits, UNKNOWN } from './format.ts'
import { finite } from '../shared/read.ts'

export const MINUTE = 60
export const HOUR = 3600
export const DAY = 86_400

export type TimeOptions = {
  readonly locale?: string | undefined
  /** IANA name; default: the browser's own. */
  readonly timeZone?: string | undefined
}

/**
 * Parses an instant of a client, `2026-11-20T13:35:14Z`, to epoch milliseconds. Without a zone it is UTC. Undefined for
 * anything else, including impossible dates.
 */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const usual = parseUsual(value)
  if (usual !== undefined) return usual
  const cached = PARSED.get(value)
  if (cached !== undefined) return cached
  const at = parseInstant(value)
  if (PARSED.size >= MAX_PARSED) PARSED.clear()
  if (at !== undefined) PARSED.set(value, at)
  return at
}

const USUAL_LENGTH = '2026-11-20T13:35:14Z'.length
const SEPARATORS: readonly (readonly [at: number, character: string])[] = [
  [4, '-'],
  [7, '-'],
  [10, 'T'],
  [13, ':'],
  [16, ':'],
  [19, 'Z'],
]
const DAYS_OF_EVERY_MONTH = 28

// The format that clients write, without a regular expression: a history has two instants in each of thousands of units.
function parseUsual(value: string): number | undefined {
  if (value.length !== USUAL_LENGTH) return undefined
  for (const [at, character] of SEPARATORS) if (value[at] !== character) return undefined
  const year = digits(value, 0, 4)
  const month = digits(value, 5, 7)
  const day = digits(value, 8, 10)
  const hours = digits(value, 11, 13)
  const minutes = digits(value, 14, 16)
  const seconds = digits(value, 17, 19)
  const isUsual =
    year >= 1000 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= DAYS_OF_EVERY_MONTH &&
    hours < 24 &&
    minutes < 60 &&
    seconds < 60
  return isUsual ? Date.UTC(year, month - 1, day, hours, minutes, seconds) : undefined
}

// NaN, which fails every comparison, when there is another character.
function digits(value: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const digit = value.charCodeAt(at) - 0x30
    number = digit >= 0 && digit <= 9 ? 10 * number + digit : Number.NaN
  }
  return number
}

// Cached: the same few instants are parsed with every change of a unit.
const MAX_PARSED = 4096
const PARSED = new Map<string, number>()

function parseInstant(value: string): number | undefined {
  const match = INSTANT.exec(value)
  if (match === null) return undefined
  const [, date = '', clock = '', fraction = '', zone = 'Z'] = match
  const at = Date.parse([date, 'T', clock, '.', fraction.slice(0, 3).padEnd(3, '0'), 'Z'].join(''))
  // Date.parse turns the 31st of a shorter month into a day of the next one.
  if (Number.isNaN(at) || (date.slice(-2) > '28' && !new Date(at).toISOString().startsWith(date))) return undefined
  return at - zoneOffset(zone)
}

/** An instant in the wire's format: whole seconds, UTC, `2026-11-20T13:35:14Z`. */
export function formatIso(at: unknown): string {
  const date = instant(at)
  return date === undefined ? UNKNOWN : `${date.toISOString().slice(0, 19)}Z`
}

/** An instant in UTC: '2026-11-20 13:35:14 UTC'. */
export function formatUtc(at: unknown): string {
  const date = instant(at)
  return date === undefined ? UNKNOWN : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** An instant in local time and the page's locale, with seconds. */
export function formatLocal(at: unknown, options: TimeOptions = {}): string {
  const date = instant(at)
  return date === undefined ? UNKNOWN : dateFormat(options, 'medium').format(date)
}

/** An instant in local time without seconds, for tables. */
export function formatLocalShort(at: unknown, options: TimeOptions = {}): string {
  const date = instant(at)
  return date === undefined ? UNKNOWN : dateFormat(options, 'short').format(date)
}

/** The local time of day of an instant, without seconds: '2:35 PM'. */
export function formatClock(at: unknown, { locale, timeZone }: TimeOptions = {}): string {
  const date = instant(at)
  if (date === undefined) return UNKNOWN
  const key = `clock ${locale ?? ''} ${timeZone ?? ''}`
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale ?? chosenLocales(), { timeStyle: 'short', timeZone })
  formats.set(key, format)
  return format.format(date)
}

/** The local date of an instant. */
export function formatDate(at: unknown, options: TimeOptions = {}): string {
  const date = instant(at)
  return date === undefined ? UNKNOWN : dateFormat(options, undefined).format(date)
}

/** Local time and UTC, for hover and focus: 'Nov 20, 2026, 2:35:14 PM (2026-11-20 13:35:14 UTC)'. */
export function formatBothClocks(at: unknown, options: TimeOptions = {}): string {
  return instant(at) === undefined
    ? UNKNOWN
    : `${formatLocal(at, options)} (${isRightToLeft() ? isolated(formatUtc(at)) : formatUtc(at)})`
}

/** Relative time: 'just now', '42 s ago', '3 min ago', '5 h ago', '12 d ago', 'in 3 min'. */
export function formatRelative(at: unknown, now: number): string {
  const instantAt = finite(at)
  if (instantAt === undefined || !Number.isFinite(now)) return UNKNOWN
  const seconds = (instantAt - now) / 1000
  const distance = Math.abs(seconds)
  if (distance < 5) return t`just now`
  return seconds < 0 ? pastText(distance) : futureText(distance)
}

/**
 * A duration in its two largest units: '45s', '1m 32s', '3h 5m', '2d 4h'. From a minute on both units are always there,
 * so that the width stays the same. A negative duration counts as zero.
 */
export function formatInterval(seconds: unknown): string {
  const duration = finite(seconds)
  if (duration === undefined) return UNKNOWN
  const whole = Math.max(0, Math.round(duration))
  if (whole < MINUTE) return secondsText(count(whole))
  if (whole < HOUR) return t`${count(whole / MINUTE)}m ${count(whole % MINUTE)}s`
  if (whole < DAY) return t`${count(whole / HOUR)}h ${count((whole % HOUR) / MINUTE)}m`
  return t`${count(whole / DAY)}d ${count((whole % DAY) / HOUR)}h`
}

/**
 * Parses a duration to seconds: the client's `eta` ('45s', '2m 40s', '3h 5m', '2d 4h', docs/protocol.md §6), longer forms
 * of other clients ('1 hour 24 mins', '2.5 days') and plain numbers (seconds). Undefined for anything else.
 */
export function parseInterval(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string' || value.length > 60) return undefined
  const cached = INTERVALS.get(value)
  if (cached !== undefined) return cached
  if (!INTERVAL.test(value)) return undefined
  let seconds = 0
  for (const [, amount = '', unit = ''] of value.matchAll(INTERVAL_PART)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit.charAt(0).toLowerCase()] ?? 0)
  }
  if (INTERVALS.size >= MAX_PARSED) INTERVALS.clear()
  INTERVALS.set(value, seconds)
  return seconds
}

// Cached: the units of thousands of clients have the same few.
const INTERVALS = new Map<string, number>()

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/
const INTERVAL =
  /^\s*(?:\d+(?:\.\d+)?\s*(?:y|years?|w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?![a-z])[\s,]*)+$/i
const INTERVAL_PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  y: 365 * DAY,
  w: 7 * DAY,
  d: DAY,
  h: HOUR,
  m: MINUTE,
  s: 1,
}

// The range of Date; beyond it toISOString throws.
const MAX_DATE = 8.64e15

function instant(at: unknown): Date | undefined {
  const value = finite(at)
  return value === undefined || Math.abs(value) > MAX_DATE ? undefined : new Date(value)
}

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

function secondsText(whole: string): string {
  return t`${whole}s`
}

/** A whole number in the digits of the page's locale. */
function count(value: number): string {
  return formatDigits(Math.floor(value))
}

function pastText(seconds: number): string {
  if (seconds < 59.5) return t`${count(Math.round(seconds))} s ago`
  if (seconds < 59.5 * MINUTE) return t`${count(Math.round(seconds / MINUTE))} min ago`
  if (seconds < 47.5 * HOUR) return t`${count(Math.round(seconds / HOUR))} h ago`
  return t`${count(Math.round(seconds / DAY))} d ago`
}

function futureText(seconds: number): string {
  if (seconds < 59.5) return t`in ${count(Math.round(seconds))} s`
  if (seconds < 59.5 * MINUTE) return t`in ${count(Math.round(seconds / MINUTE))} min`
  if (seconds < 47.5 * HOUR) return t`in ${count(Math.round(seconds / HOUR))} h`
  return t`in ${count(Math.round(seconds / DAY))} d`
}

const formats = new Map<string, Intl.DateTimeFormat>()
i18n.on('change', () => formats.clear())

function dateFormat({ locale, timeZone }: TimeOptions, timeStyle: 'short' | 'medium' | undefined): Intl.DateTimeFormat {
  const key = `${timeStyle ?? 'day'} ${locale ?? ''} ${timeZone ?? ''}`
  const cached = formats.get(key)
  if (cached !== undefined) return cached
  const made = new Intl.DateTimeFormat(locale ?? chosenLocales(), {
    dateStyle: timeStyle === undefined ? 'long' : 'medium',
    timeStyle,
    timeZone,
  })
  formats.set(key, made)
  return made
}

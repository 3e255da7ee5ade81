/*
 * Instants and lengths of time. Instants are epoch milliseconds, lengths are seconds; texts of the wire are
 * UTC (docs/protocol.md §6). Nothing here reads a clock: 'now' is given.
 */
import { t } from '@lingui/core/macro'
import { chosenLocales, UNKNOWN } from './format.ts'
import { finite } from './read.ts'

export const MINUTE = 60
export const HOUR = 3600
export const DAY = 86_400

export type TimeOptions = {
  readonly locale?: string | undefined
  /** IANA name; the reader's own when absent. */
  readonly timeZone?: string | undefined
}

/**
 * An instant as the client writes it, `2026-11-20T13:35:14Z`, as epoch milliseconds. Without a zone it is UTC.
 * Undefined for anything else, impossible dates included.
 */
export const parseTime = (value: unknown): number | undefined => {
  if (typeof value !== 'string') return undefined
  const known = PARSED.get(value)
  if (known !== undefined) return known
  const at = parseInstant(value)
  if (PARSED.size >= MOST_PARSED) PARSED.clear()
  if (at !== undefined) PARSED.set(value, at)
  return at
}

// The same few instants are looked at with every change of a unit.
const MOST_PARSED = 4096
const PARSED = new Map<string, number>()

const parseInstant = (value: string): number | undefined => {
  const match = INSTANT.exec(value)
  if (match === null) return undefined
  const [, date = '', clock = '', fraction = '', zone = 'Z'] = match
  const at = Date.parse(t`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`)
  // Date.parse takes the 31st of a short month for a day of the next.
  if (Number.isNaN(at) || (date.slice(-2) > '28' && !new Date(at).toISOString().startsWith(date))) return undefined
  return at - zoneOffset(zone)
}

/** An instant as the wire writes it: whole seconds, UTC, `2026-11-20T13:35:14Z`. */
export const formatIso = (at: unknown): string => {
  const date = instant(at)
  return date === undefined ? UNKNOWN : `${date.toISOString().slice(0, 19)}Z`
}

/** An instant in UTC for people: '2026-11-20 13:35:14 UTC'. */
export const formatUtc = (at: unknown): string => {
  const date = instant(at)
  return date === undefined ? UNKNOWN : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** An instant on the reader's own clock, in the reader's locale, with seconds. */
export const formatLocal = (at: unknown, options: TimeOptions = {}): string => {
  const date = instant(at)
  return date === undefined ? UNKNOWN : dateFormat(options, 'medium').format(date)
}

/** An instant on the reader's own clock without seconds, for tables. */
export const formatLocalShort = (at: unknown, options: TimeOptions = {}): string => {
  const date = instant(at)
  return date === undefined ? UNKNOWN : dateFormat(options, 'short').format(date)
}

/** The day of an instant on the reader's own clock, in words of the reader's locale. */
export const formatDate = (at: unknown, options: TimeOptions = {}): string => {
  const date = instant(at)
  return date === undefined ? UNKNOWN : dateFormat(options, undefined).format(date)
}

/** Both clocks, for hover and focus: 'Nov 20, 2026, 2:35:14 PM (2026-11-20 13:35:14 UTC)'. */
export const formatBothClocks = (at: unknown, options: TimeOptions = {}): string =>
  instant(at) === undefined ? UNKNOWN : `${formatLocal(at, options)} (${formatUtc(at)})`

/** How long ago or how soon: 'just now', '42 s ago', '3 min ago', '5 h ago', '12 d ago', 'in 3 min'. */
export const formatRelative = (at: unknown, now: number): string => {
  const instantAt = finite(at)
  if (instantAt === undefined || !Number.isFinite(now)) return UNKNOWN
  const seconds = (instantAt - now) / 1000
  const distance = Math.abs(seconds)
  if (distance < 5) return t`just now`
  const length = roughLength(distance)
  return seconds < 0 ? `${length} ago` : `in ${length}`
}

/**
 * A length of time in its two largest units, whole: '45s', '1m 32s', '3h 5m', '2d 4h'. Both units are always
 * written from a minute on, so that texts keep their width. Below zero counts as zero.
 */
export const formatInterval = (seconds: unknown): string => {
  const given = finite(seconds)
  if (given === undefined) return UNKNOWN
  const whole = Math.max(0, Math.round(given))
  if (whole < MINUTE) return `${whole}s`
  if (whole < HOUR) return t`${Math.floor(whole / MINUTE)}m ${whole % MINUTE}s`
  if (whole < DAY) return t`${Math.floor(whole / HOUR)}h ${Math.floor((whole % HOUR) / MINUTE)}m`
  return t`${Math.floor(whole / DAY)}d ${Math.floor((whole % DAY) / HOUR)}h`
}

/**
 * Seconds of a length of time as the client writes it in `eta` ('45s', '2m 40s', '3h 5m', '2d 4h',
 * docs/protocol.md §6); longer words of other clients ('1 hour 24 mins', '2.5 days') and plain numbers (seconds) are
 * read too. Undefined when it is not a length of time.
 */
export const parseInterval = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string' || value.length > 60 || !INTERVAL.test(value)) return undefined
  let seconds = 0
  for (const [, amount = '', unit = ''] of value.matchAll(INTERVAL_PART)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit.charAt(0).toLowerCase()] ?? 0)
  }
  return seconds
}

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
const FARTHEST = 8.64e15

const instant = (at: unknown): Date | undefined => {
  const value = finite(at)
  return value === undefined || Math.abs(value) > FARTHEST ? undefined : new Date(value)
}

const zoneOffset = (zone: string): number => {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

const roughLength = (seconds: number): string => {
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  if (seconds < 59.5 * MINUTE) return `${Math.round(seconds / MINUTE)} min`
  if (seconds < 47.5 * HOUR) return `${Math.round(seconds / HOUR)} h`
  return `${Math.round(seconds / DAY)} d`
}

const formats = new Map<string, Intl.DateTimeFormat>()

const dateFormat = (
  { locale, timeZone }: TimeOptions,
  timeStyle: 'short' | 'medium' | undefined,
): Intl.DateTimeFormat => {
  const key = `${timeStyle ?? 'day'} ${locale ?? ''} ${timeZone ?? ''}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale ?? chosenLocales(), {
    dateStyle: timeStyle === undefined ? 'long' : 'medium',
    timeStyle,
    timeZone,
  })
  formats.set(key, made)
  return made
}

/*
 * When rules of time apply, as spans of instants. A time that a day does not have, since clocks are set forward, is the
 * moment at which they are; of a time that a day has twice, it is the first. So each boundary happens once a day, and
 * rules that follow each other neither overlap nor leave a gap.
 */
import { Temporal } from 'temporal-polyfill'
import type { Times } from './schedule.ts'
import { minutesOf } from './shift-rule.ts'

/** From `begin` until before `end`, epoch milliseconds. */
export type Span = { readonly begin: number; readonly end: number }

export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { begin, end }) => sum + end - begin, 0)
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ISO_DATE = 10

/** Days of zones, by both: conversions between zones are slow. */
const knownDays = new Map<string, Span>()
const MOST_DAYS = 10_000

/** The instant of a time of day, in minutes up to 1440, on a date of the zone. Epoch milliseconds. */
function instantOf(day: Temporal.PlainDate, minutes: number, timeZone: string): number {
  const key = `${day.toString()} ${timeZone}`
  const whole = knownDays.get(key) ?? {
    begin: convertedInstant(day, 0, timeZone),
    end: convertedInstant(day, 1440, timeZone),
  }
  if (knownDays.size >= MOST_DAYS) knownDays.clear()
  knownDays.set(key, whole)
  // On other days the clocks are set.
  return whole.end - whole.begin === DAY_MS
    ? whole.begin + minutes * MINUTE_MS
    : convertedInstant(day, minutes, timeZone)
}

function convertedInstant(day: Temporal.PlainDate, minutes: number, timeZone: string): number {
  const date = minutes === 1440 ? day.add({ days: 1 }) : day
  const wanted = date.toPlainDateTime({ hour: Math.floor((minutes % 1440) / 60), minute: minutes % 60 })
  const found = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
  if (found.toPlainDateTime().equals(wanted)) return found.epochMilliseconds
  // Skipped: `found` is before the clocks are set forward.
  return (found.getTimeZoneTransition('next') ?? found).epochMilliseconds
}

/** The span of a rule that begins on a date; undefined when there is none. */
function spanOn(rule: Times, day: Temporal.PlainDate, timeZone: string): Span | undefined {
  if (!isOnDate(rule, day)) return undefined
  const [from, until] = [minutesOf(rule.from), minutesOf(rule.until)]
  const begin = instantOf(day, from, timeZone)
  const end = instantOf(until > from ? day : day.add({ days: 1 }), until, timeZone)
  return begin < end ? { begin, end } : undefined
}

function isOnDate(rule: Times, day: Temporal.PlainDate): boolean {
  if (rule.kind === 'week') return rule.days.includes(day.dayOfWeek)
  const date = day.toString().slice(0, ISO_DATE)
  return rule.first <= date && date <= rule.last
}

type Known = { readonly timeZone: string; readonly from: number; readonly to: number; readonly spans: readonly Span[] }
const lastByRule = new WeakMap<object, Known>()

/** Days computed at once, before and after: the next question is near. */
const AHEAD_DAYS = 9

/** What is known of a rule, computed for some days more than it is asked for. */
function remembered(
  rule: object,
  timeZone: string,
  from: number,
  to: number,
  compute: (from: number, to: number) => readonly Span[],
): readonly Span[] {
  const last = lastByRule.get(rule)
  const ahead = AHEAD_DAYS * DAY_MS
  const entry =
    last?.timeZone === timeZone && last.from <= from && to <= last.to
      ? last
      : { timeZone, from: from - ahead, to: to + ahead, spans: compute(from - ahead, to + ahead) }
  lastByRule.set(rule, entry)
  return entry.spans.filter(({ begin, end }) => begin < to && end > from)
}

/**
 * The spans of a rule that have a part in [from, to), in order, those that touch as one: a rule for each whole day is
 * one long span.
 */
export function spansOf(rule: Times, timeZone: string, from: number, to: number): readonly Span[] {
  return remembered(rule, timeZone, from, to, (first, last) => computed(rule, timeZone, first, last))
}

function computed(rule: Times, timeZone: string, from: number, to: number): readonly Span[] {
  const dateAt = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  const last = dateAt(to)
  const spans: Span[] = []
  // A span of the day before may still last.
  for (
    let day = dateAt(from).subtract({ days: 2 });
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    const span = spanOn(rule, day, timeZone)
    const before = spans.at(-1)
    if (span === undefined) continue
    if (before !== undefined && span.begin <= before.end)
      spans[spans.length - 1] = { begin: before.begin, end: Math.max(before.end, span.end) }
    else spans.push(span)
  }
  return spans
}

/** The next days of a zone from the one that an instant is in: 23, 24 or 25 hours, as the clocks go. */
export function daysFrom(at: number, timeZone: string, count: number): readonly (Span & { readonly date: string })[] {
  const first = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate()
  return Array.from({ length: count }, (_, index) => {
    const day = first.add({ days: index })
    return { date: day.toString(), begin: instantOf(day, 0, timeZone), end: instantOf(day, 1440, timeZone) }
  })
}

/** Each day's time from `from` until `until` that has a part in [at, to), in order; to an earlier or the same time: of the next day. */
export function dailySpans(
  rule: { readonly from: string; readonly until: string },
  timeZone: string,
  at: number,
  to: number,
): readonly Span[] {
  const [start, stop] = [minutesOf(rule.from), minutesOf(rule.until)]
  return remembered(rule, timeZone, at, to, (first, last) => {
    const spans: Span[] = []
    let day = Temporal.Instant.fromEpochMilliseconds(first).toZonedDateTimeISO(timeZone).toPlainDate()
    for (day = day.subtract({ days: 2 }); ; day = day.add({ days: 1 })) {
      const begin = instantOf(day, start, timeZone)
      if (begin >= last) return spans
      const end = instantOf(stop > start ? day : day.add({ days: 1 }), stop, timeZone)
      if (begin < end) spans.push({ begin, end })
    }
  })
}

const months = new Map<string, Span>()
const MOST_ZONES = 1000

/** The month of a zone that an instant is in. */
export function monthOf(at: number, timeZone: string): Span {
  const last = months.get(timeZone)
  if (last !== undefined && last.begin <= at && at < last.end) return last
  const first = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().with({ day: 1 })
  const month = { begin: instantOf(first, 0, timeZone), end: instantOf(first.add({ months: 1 }), 0, timeZone) }
  if (months.size >= MOST_ZONES) months.clear()
  months.set(timeZone, month)
  return month
}

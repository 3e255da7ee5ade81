/*
 * The dates of log lines. Lines have only a time of day (docs/protocol.md §8), so dates are inferred: the newest line was
 * written when it was received, and where the time of day goes back, a midnight lies between.
 */
import type { LineNumbers } from './line-numbers.ts'
import type { LogLines } from './log-lines.ts'

export type LogDays = {
  /** Lines from number `from` up to `end` (exclusive) were scanned. */
  readonly from: number
  readonly end: number
  /** Numbers of the lines that begin another day, ascending. */
  readonly midnights: readonly number[]
  /** Time of day, in seconds, of the first and the last scanned line that has one. */
  readonly firstTime: number | undefined
  readonly lastTime: number | undefined
}

export const noDays: LogDays = { from: 0, end: 0, midnights: [], firstTime: undefined, lastTime: undefined }

// Lines of several threads are slightly out of order, and clocks get corrected: a small step back is not a midnight.
const MIN_STEP_BACK = 3600
const DAY_MS = 86_400_000

/** The days from line `from` to the end of the log. Scans only lines that were not scanned before. */
export function daysFrom(days: LogDays, log: LogLines, from: number): LogDays {
  const wanted = Math.max(from, log.first)
  const isOther = days.end <= log.first || days.end > log.end
  const current = isOther ? { ...noDays, from: log.end, end: log.end } : days
  return scanDays(scanDays(current, log, current.end, log.end), log, Math.min(wanted, current.from), current.from)
}

// Scans lines directly before or after the known ones.
function scanDays(days: LogDays, log: LogLines, from: number, to: number): LogDays {
  if (from >= to) return days
  const isAfter = from === days.end && days.from < days.end
  const found: number[] = []
  let firstTime = isAfter ? days.firstTime : undefined
  let last = isAfter ? days.lastTime : undefined
  for (let number = from; number < to; number++) {
    const time = timeOfLine(log, number)
    if (time === undefined) continue
    if (last !== undefined && time < last - MIN_STEP_BACK) found.push(number)
    firstTime ??= time
    last = time
  }
  if (isAfter)
    return {
      ...days,
      end: to,
      midnights: found.length === 0 ? days.midnights : [...days.midnights, ...found],
      firstTime,
      lastTime: last,
    }
  const isMidnightBetween = last !== undefined && days.firstTime !== undefined && days.firstTime < last - MIN_STEP_BACK
  const between = isMidnightBetween ? firstWithTime(log, to, days.end) : []
  return {
    from,
    end: Math.max(to, days.end),
    midnights: [...found, ...between, ...days.midnights],
    firstTime: firstTime ?? days.firstTime,
    lastTime: days.lastTime ?? last,
  }
}

function firstWithTime(log: LogLines, from: number, to: number): readonly number[] {
  for (let number = from; number < to; number++) if (timeOfLine(log, number) !== undefined) return [number]
  return []
}

/**
 * The date of a line: its midnight in UTC, epoch milliseconds. `receivedAt`: when the newest line was received. Undefined
 * while no line has a time, and for lines that were not scanned.
 */
export function dayOfLine(days: LogDays, number: number, receivedAt: number): number | undefined {
  if (days.lastTime === undefined || number < days.from || number >= days.end) return undefined
  const newest = Math.floor((receivedAt + MIN_STEP_BACK * 1000 - days.lastTime * 1000) / DAY_MS) * DAY_MS
  const later = days.midnights.filter(midnight => midnight > number).length
  return newest - later * DAY_MS
}

/**
 * How a line was found by its time: `exact`: as asked for. `unmatched`: no line matches, so it is any line of that time.
 * `later`: the log begins after that time, and the line is the first one.
 */
export type LineFinding = { readonly number: number; readonly how: 'exact' | 'unmatched' | 'later' }

// A line is written a moment before or after the page hears of its cause.
const TOLERANCE = 5000

/**
 * The newest line that was written until `at` (epoch milliseconds), among `numbers` or among all; undefined while no line
 * has a time. `receivedAt`: when the newest line was received.
 */
export function lineAtTime(
  log: LogLines,
  numbers: LineNumbers | undefined,
  at: number,
  receivedAt: number,
): LineFinding | undefined {
  const days = daysFrom(noDays, log, log.first)
  const isWrittenUntil = (number: number): boolean | undefined => {
    const time = timeOfLine(log, number)
    const day = time === undefined ? undefined : dayOfLine(days, number, receivedAt)
    return time === undefined || day === undefined ? undefined : day + time * 1000 <= at + TOLERANCE
  }
  let first: number | undefined
  let last: number | undefined
  for (let number = log.end - 1; number >= log.first; number--) {
    const isBefore = isWrittenUntil(number)
    if (isBefore === undefined) continue
    first = number
    if (!isBefore) continue
    last = number
    break
  }
  if (last === undefined) return first === undefined ? undefined : { number: first, how: 'later' }
  if (numbers === undefined) return { number: last, how: 'exact' }
  const matching = numbers.findLast(number => number >= log.first && number <= last)
  return matching === undefined ? { number: last, how: 'unmatched' } : { number: matching, how: 'exact' }
}

const ESCAPE = 0x1b
const LETTER_M = 0x6d
const COLON = 0x3a
const ZERO = 0x30
const MAX_ESCAPE = 16

/** A line's time of day in seconds (UTC), read from its bytes: 100,000 lines take a few milliseconds. */
export function timeOfLine(log: LogLines, number: number): number | undefined {
  const line = log.locate(number)
  if (line === undefined) return undefined
  const { bytes, end } = line
  let { start } = line
  while (bytes[start] === ESCAPE && start < end) {
    const close = bytes.subarray(start, Math.min(end, start + MAX_ESCAPE)).indexOf(LETTER_M)
    if (close < 0) return undefined
    start += close + 1
  }
  if (end - start < 9 || bytes[start + 2] !== COLON || bytes[start + 5] !== COLON || bytes[start + 8] !== COLON)
    return undefined
  const hours = twoDigits(bytes, start)
  const minutes = twoDigits(bytes, start + 3)
  const seconds = twoDigits(bytes, start + 6)
  return hours < 24 && minutes < 60 && seconds <= 60 ? hours * 3600 + minutes * 60 + seconds : undefined
}

// NaN when there are no two digits; it fails every comparison.
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - ZERO
  const ones = (bytes[at + 1] ?? 0) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

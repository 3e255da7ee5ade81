/*
 * On which day a log line was written. Lines say the time of day alone (docs/protocol.md §8), so days are inferred: the
 * newest line was written when it came, and wherever the time of day falls back, a midnight lies between.
 */
import type { LogLines } from './log-lines.ts'

export type LogDays = {
  /** Lines from number `from` to before `end` have been looked at. */
  readonly from: number
  readonly end: number
  /** Numbers of the lines with which another day begins, ascending. */
  readonly midnights: readonly number[]
  /** Seconds of the day of the first and the last of these lines that say one. */
  readonly firstTime: number | undefined
  readonly lastTime: number | undefined
}

export const noDays: LogDays = { from: 0, end: 0, midnights: [], firstTime: undefined, lastTime: undefined }

// Lines of several threads are not quite in order, and clocks are corrected: a small step back is no midnight.
const STEP_BACK = 3600
const DAY_MS = 86_400_000

/** What is known of the days from line `from` to the end of the log. Looks only at lines that were not looked at. */
export const daysFrom = (days: LogDays, log: LogLines, from: number): LogDays => {
  const wanted = Math.max(from, log.first)
  const isOther = days.end <= log.first || days.end > log.end
  const known = isOther ? { ...noDays, from: log.end, end: log.end } : days
  return looking(looking(known, log, known.end, log.end), log, Math.min(wanted, known.from), known.from)
}

// Lines directly before or directly behind the known ones.
const looking = (days: LogDays, log: LogLines, from: number, to: number): LogDays => {
  if (from >= to) return days
  const isBehind = from === days.end && days.from < days.end
  const found: number[] = []
  let firstTime = isBehind ? days.firstTime : undefined
  let last = isBehind ? days.lastTime : undefined
  for (let number = from; number < to; number++) {
    const time = timeOfLine(log, number)
    if (time === undefined) continue
    if (last !== undefined && time < last - STEP_BACK) found.push(number)
    firstTime ??= time
    last = time
  }
  if (isBehind)
    return {
      ...days,
      end: to,
      midnights: found.length === 0 ? days.midnights : [...days.midnights, ...found],
      firstTime,
      lastTime: last,
    }
  const isMidnightBetween = last !== undefined && days.firstTime !== undefined && days.firstTime < last - STEP_BACK
  const between = isMidnightBetween ? firstWithTime(log, to, days.end) : []
  return {
    from,
    end: Math.max(to, days.end),
    midnights: [...found, ...between, ...days.midnights],
    firstTime: firstTime ?? days.firstTime,
    lastTime: days.lastTime ?? last,
  }
}

const firstWithTime = (log: LogLines, from: number, to: number): readonly number[] => {
  for (let number = from; number < to; number++) if (timeOfLine(log, number) !== undefined) return [number]
  return []
}

/**
 * The day of a line: its midnight in UTC, as epoch milliseconds. `heardAt`: when the newest line came. Undefined while
 * no line says a time, and for lines that were not looked at.
 */
export const dayOfLine = (days: LogDays, number: number, heardAt: number): number | undefined => {
  if (days.lastTime === undefined || number < days.from || number >= days.end) return undefined
  const newest = Math.floor((heardAt + STEP_BACK * 1000 - days.lastTime * 1000) / DAY_MS) * DAY_MS
  const later = days.midnights.filter(midnight => midnight > number).length
  return newest - later * DAY_MS
}

const ESCAPE = 0x1b
const LETTER_M = 0x6d
const COLON = 0x3a
const ZERO = 0x30
const LONGEST_ESCAPE = 16

/** Seconds since midnight UTC that a line says, read from its bytes: a hundred thousand of them in a few milliseconds. */
export const timeOfLine = (log: LogLines, number: number): number | undefined => {
  const line = log.placeOf(number)
  if (line === undefined) return undefined
  const { bytes, end } = line
  let { start } = line
  while (bytes[start] === ESCAPE && start < end) {
    const close = bytes.subarray(start, Math.min(end, start + LONGEST_ESCAPE)).indexOf(LETTER_M)
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

// Not a number where there are no two digits, which is smaller than nothing.
const twoDigits = (bytes: Uint8Array, at: number): number => {
  const tens = (bytes[at] ?? 0) - ZERO
  const ones = (bytes[at + 1] ?? 0) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/* The times and days that stand beside log lines, in UTC as clients write them, or on this computer's clock. */
import { chosenLocales } from '../shared/format.ts'
import { daysFrom, dayOfLine, noDays, timeOfLine } from './log-days.ts'
import type { LogLines } from './log-lines.ts'

/** The time of day to show instead of the written one, and the day in words where it is another than the line's before. */
export type LineClock = { readonly clock: string | undefined; readonly day: string | undefined }

/** `offsetAt`: minutes by which a place's clock is ahead of UTC at an instant, in epoch ms; undefined shows UTC. */
export type ClockOptions = {
  readonly heardAt: number
  readonly offsetAt: ((at: number) => number) | undefined
  readonly locale?: string | undefined
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Knows the days of the lines that it was asked about, and looks only at what is new to it. */
export const createLogClock = () => {
  let days = noDays

  /** For shown lines one after another: `numbers` of them, and `before`, the number of the one above them if there is one. */
  return (
    log: LogLines,
    numbers: readonly number[],
    before: number | undefined,
    { heardAt, offsetAt, locale }: ClockOptions,
  ): readonly LineClock[] => {
    days = daysFrom(days, log, before ?? numbers[0] ?? log.first)
    const instantOf = (number: number): number | undefined => {
      const time = timeOfLine(log, number)
      const day = dayOfLine(days, number, heardAt)
      if (time === undefined || day === undefined) return undefined
      const at = day + time * 1000
      return at + (offsetAt?.(at) ?? 0) * MINUTE_MS
    }
    const instantBefore = before === undefined ? undefined : instantOf(before)
    let last = instantBefore === undefined ? undefined : Math.floor(instantBefore / DAY_MS)
    return numbers.map(number => {
      const at = instantOf(number)
      if (at === undefined) return { clock: undefined, day: undefined }
      const day = Math.floor(at / DAY_MS)
      const isOther = day !== last && (last !== undefined || before === undefined)
      last = day
      return {
        clock: offsetAt === undefined ? undefined : clockText(at),
        day: isOther ? dayText(day, locale) : undefined,
      }
    })
  }
}

const clockText = (at: number): string => new Date(at).toISOString().slice(11, 19)

let format: { readonly locale: string | undefined; readonly of: Intl.DateTimeFormat } | undefined

const dayText = (day: number, locale: string | undefined): string => {
  if (format?.locale !== locale || format === undefined)
    format = { locale, of: new Intl.DateTimeFormat(locale ?? chosenLocales(), { dateStyle: 'full', timeZone: 'UTC' }) }
  return format.of.format(day * DAY_MS)
}

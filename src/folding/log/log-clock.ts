/* Times and dates beside log lines, in UTC as clients write them, or in local time. */
import { chosenLocales } from '../text/format.ts'
import { daysFrom, dayOfLine, noDays, timeOfLine } from './log-days.ts'
import type { LogLines } from './log-lines.ts'

/** `clock`: the time of day to show instead of the written one. `day`: the date, where it differs from the line before. */
export type LineClock = { readonly clock: string | undefined; readonly day: string | undefined }

/** `offsetAt`: the time zone's offset from UTC in minutes at an instant (epoch ms); undefined shows UTC. */
export type ClockOptions = {
  readonly receivedAt: number
  readonly offsetAt: ((at: number) => number) | undefined
  readonly locale?: string | undefined
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Caches the dates of lines, so that only new lines are scanned. */
export function createLogClock() {
  let days = noDays

  /** `numbers`: consecutive shown lines; `before`: the number of the line above them, if any. */
  return (
    log: LogLines,
    numbers: readonly number[],
    before: number | undefined,
    { receivedAt, offsetAt, locale }: ClockOptions,
  ): readonly LineClock[] => {
    days = daysFrom(days, log, before ?? numbers[0] ?? log.first)
    const instantOf = (number: number): number | undefined => {
      const time = timeOfLine(log, number)
      const day = dayOfLine(days, number, receivedAt)
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
        clock: offsetAt === undefined ? undefined : new Date(at).toISOString().slice(11, 19),
        day: isOther ? dayText(day, locale) : undefined,
      }
    })
  }
}

let format: { readonly locale: string | undefined; readonly of: Intl.DateTimeFormat } | undefined

function dayText(day: number, locale: string | undefined): string {
  if (format?.locale !== locale || format === undefined)
    format = { locale, of: new Intl.DateTimeFormat(locale ?? chosenLocales(), { dateStyle: 'full', timeZone: 'UTC' }) }
  return format.of.format(day * DAY_MS)
}

/** Quiet hours by a wall clock: `from` and `until` as 'HH:MM' in an IANA time zone. Equal ones are no quiet hours. */
export type QuietHours = { readonly from: string; readonly until: string; readonly zone: string }

const DAY_MINUTES = 1440
const MINUTE_MS = 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Minutes of the day, with fractions, that clocks in a time zone show. */
function minuteIn(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0) + (parts.get('second') ?? 0) / 60
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** `value` from 0 to below `length`. */
function wrapped(value: number, length: number): number {
  return ((value % length) + length) % length
}

/** Milliseconds until the quiet hours end; 0 outside of them. A change of the clocks in between counts. `at`: epoch milliseconds. */
export function quietRemaining(quiet: QuietHours | undefined, at: number): number {
  if (quiet === undefined) return 0
  const length = wrapped(minutesOf(quiet.until) - minutesOf(quiet.from), DAY_MINUTES)
  const passed = wrapped(minuteIn(quiet.zone, at) - minutesOf(quiet.from), DAY_MINUTES)
  if (passed >= length) return 0
  const end = at + (length - passed) * MINUTE_MS
  // When clocks change before the end, they show another time then. Half a day tells early from late.
  const late =
    wrapped(minuteIn(quiet.zone, end) - minutesOf(quiet.until) + DAY_MINUTES / 2, DAY_MINUTES) - DAY_MINUTES / 2
  return Math.max(1000, Math.round(end - late * MINUTE_MS - at))
}

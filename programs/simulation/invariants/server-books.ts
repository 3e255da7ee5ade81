import type { FoldingState } from '../../../src/protocol/client/commands.ts'
import { DAY, HOUR, MINUTE } from '../time/durations.ts'

/** A command that somebody gave through a server. */
export type AskedServer = {
  readonly at: number
  /** The slot of the machine. */
  readonly machine: number
  readonly state: FoldingState
  /** Whether the machine was set to it already: then nothing needs to be sent. */
  readonly wasSet: boolean
  /** What the server answered; undefined while it has not, `none` when the call failed. */
  outcome: string | undefined
}

/** From a time of day to another, on these days of the week (1: Monday). */
export type PlannedRule = {
  readonly kind: 'week'
  readonly days: readonly number[]
  readonly from: string
  readonly until: string
  readonly state: FoldingState
}

/** The schedule of all scheduled machines. */
export type PlannedSchedule = {
  readonly timeZone: string
  readonly rules: readonly PlannedRule[]
  readonly otherwise: FoldingState
}

/** When a schedule began to hold; undefined while a person saves another one, and nobody knows which holds. */
export type Holding = { readonly since: number; readonly schedule: PlannedSchedule | undefined }

/** A value that a server said was stored, and that nobody changes: `sql` reads it as `stored`, which includes `text`. */
type AcknowledgedValue = { readonly sql: string; readonly text: string }

/** What people asked of servers, independently of what these believe. */
export function createServerBooks(now: () => number) {
  const asked: AskedServer[] = []
  const values: AcknowledgedValue[] = []
  let holding: Holding | undefined
  /** Of those that overlap nobody knows which was stored last. */
  let [saving, isOverlapping] = [0, false]
  let enrolledSince: number | undefined
  return {
    asked,
    values,
    ask: (machine: number, state: FoldingState, wasSet: boolean): AskedServer => {
      const entry: AskedServer = { at: now(), machine, state, wasSet, outcome: undefined }
      asked.push(entry)
      return entry
    },
    /** The first server has the account of the machines. */
    enrolled: (): void => {
      enrolledSince ??= now()
    },
    enrolledSince: (): number | undefined => enrolledSince,
    holding: (): Holding | undefined => holding,
    /** The schedule that a server said was saved, unless others are being saved. */
    acknowledged: (): PlannedSchedule | undefined => (saving > 0 || isOverlapping ? undefined : holding?.schedule),
    beginSaving: (): void => {
      isOverlapping = saving > 0
      saving++
      holding = { since: now(), schedule: undefined }
    },
    saved: (schedule: PlannedSchedule): void => {
      saving--
      holding = { since: now(), schedule }
    },
  }
}

export type ServerBooks = ReturnType<typeof createServerBooks>

const formats = new Map<string, Intl.DateTimeFormat>()

/** The date and time in a zone, as `2026-03-29 02:30`. */
function localOf(at: number, timeZone: string): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' })
  formats.set(timeZone, format)
  return format.format(at)
}

const boundaries = new Map<string, number>()

/**
 * The first minute whose local time is not before this one. So a time that is skipped is the moment at which clocks are set
 * forward, and of a time that comes twice it is the first.
 */
function instantOf(date: string, time: string, timeZone: string): number {
  const name = `${date} ${time} ${timeZone}`
  const cached = boundaries.get(name)
  if (cached !== undefined) return cached
  let at = Date.parse(`${date}T00:00Z`) - 15 * HOUR
  for (const step of [HOUR, MINUTE]) {
    while (localOf(at, timeZone) < `${date} ${time}`) at += step
    if (step === HOUR) at -= 2 * HOUR
  }
  boundaries.set(name, at)
  return at
}

/** What a schedule wants at a time, and since when it wants that, as far as rules begin and end. */
export function wantedAt(
  { timeZone, rules, otherwise }: PlannedSchedule,
  at: number,
): { readonly state: FoldingState; readonly since: number } {
  let since = -Infinity
  let state: FoldingState | undefined
  for (const rule of rules)
    for (const back of [2, 1, 0, -1]) {
      const date = localOf(at - back * DAY, timeZone).slice(0, 10)
      const day = new Date(`${date}T00:00Z`).getUTCDay() || 7
      if (!rule.days.includes(day)) continue
      const next = new Date(Date.parse(`${date}T00:00Z`) + DAY).toISOString().slice(0, 10)
      const begin = instantOf(date, rule.from, timeZone)
      const end = instantOf(rule.until > rule.from ? date : next, rule.until, timeZone)
      if (begin <= at) since = Math.max(since, begin)
      if (end <= at) since = Math.max(since, end)
      if (begin <= at && at < end) state ??= rule.state
    }
  return { state: state ?? otherwise, since }
}

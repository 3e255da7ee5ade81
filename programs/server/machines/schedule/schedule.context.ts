import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import type { Conditions, Decision } from '../../../../src/folding/schedule/decide.ts'
import { choiceText } from '../../../../src/folding/schedule/schedule-text.ts'
import type { Schedule, Subject } from '../../../../src/folding/schedule/schedule.ts'
import type { Saved } from './saved.ts'
import type { Seen, StateRequest } from './schedule.events.ts'

export type ScheduleContext = Saved & {
  readonly subject: Subject
  /** The enabled schedules of this subject, in order. */
  readonly schedules: readonly Schedule[]
  readonly conditions: Conditions
  /** Groups of the client that are decided by themselves. */
  readonly otherGroups: readonly string[]
  readonly seen: Seen
  /** What a confirmed command has changed, which the watch of clients may show a second later. */
  readonly reached?: { readonly state: FoldingState; readonly before: Seen['state']; readonly at: number } | undefined
  /** The time of the last event: epoch milliseconds. */
  readonly at: number
  readonly failures: number
}

export type ScheduleInput = {
  readonly subject: Subject
  readonly at: number
  readonly saved: Saved | undefined
}

/** What the client shall do now. A request is fulfilled once: its key tells it from others. */
export type Want = { readonly key: string; readonly state: FoldingState }

export const notSeen: Seen = {
  isConnected: false,
  isOld: false,
  mayAct: false,
  state: undefined,
  endsAt: undefined,
  groups: {},
}

export const undecided: Decision = { since: 0 }

const MINUTE_MS = 60_000

/** What is wanted, before units that end soon are considered. */
function baseWant({ override, decision, returning }: Saved): Want | undefined {
  if (override !== undefined) return { key: `person ${override.at} ${override.state}`, state: override.state }
  const { schedule, rule, state, since } = decision
  if (schedule !== undefined && state !== undefined)
    return { key: `${schedule} ${rule ?? 'otherwise'} ${state} ${since}`, state }
  return returning === undefined ? undefined : { key: `return ${returning.at}`, state: returning.state }
}

function isFinishing({ finishing, at }: ScheduleContext, { key }: Want): boolean {
  return finishing?.key === key && at < finishing.until
}

export function wantOf(context: ScheduleContext): Want | undefined {
  const want = baseWant(context)
  if (want === undefined || !isFinishing(context, want)) return want
  return { key: `${want.key} finish`, state: 'finish' }
}

/** Until when units may be finished first; undefined when the pause shall be sent at once. */
export function finishUntil(context: ScheduleContext): { readonly key: string; readonly until: number } | undefined {
  const want = baseWant(context)
  const { schedules, decision, override, seen, at, finishing } = context
  const minutes = schedules.find(({ id }) => id === decision.schedule)?.finishMinutes ?? 0
  if (want?.state !== 'pause' || override !== undefined || minutes === 0 || finishing?.key === want.key)
    return undefined
  const until = at + minutes * MINUTE_MS
  return seen.state === 'fold' && seen.endsAt !== undefined && seen.endsAt <= until
    ? { key: want.key, until }
    : undefined
}

/** Whether the client has a state already. After finishing it is paused. */
export function hasState(context: ScheduleContext, wanted: FoldingState): boolean {
  const { seen, reached } = context
  const left = wanted === 'fold' && reached === undefined ? leftPaused(context) : []
  if (left.length > 0)
    return Object.entries(seen.groups).every(([name, state]) => state === wanted || left.includes(name))
  return seen.state === wanted || (wanted === 'finish' && seen.state === 'pause')
}

/** Whether a person paused all of it, and the schedule leaves that as it is. */
export function isLeftPaused(context: ScheduleContext): boolean {
  return context.reached === undefined && leftPaused(context).length === Object.keys(context.seen.groups).length
}

/**
 * Groups that a schedule does not resume, unless its rule says so, since a person paused them: they are paused, and neither by
 * the client itself nor by what was decided here.
 */
function leftPaused({ override, decision, schedules, seen, paused }: ScheduleContext): readonly string[] {
  const rules = schedules.find(({ id }) => id === decision.schedule)?.rules
  if (override !== undefined || rules?.[decision.rule ?? -1]?.resumesPaused === true) return []
  const groups = Object.entries(seen.groups)
  if (paused === undefined && !groups.some(([, state]) => state === 'fold' || state === 'finish')) return []
  return groups.flatMap(([name, state]) => (state === 'pause' && paused?.includes(name) !== true ? [name] : []))
}

/** The groups that are paused by what was decided here once this is done. */
export function pausedNext(
  { seen, paused, override, decision }: ScheduleContext,
  state: FoldingState,
): readonly string[] | undefined {
  const isOfPerson = override === undefined ? decision.schedule === undefined : override.isByHand
  if (state === 'fold' || isOfPerson === true) return paused
  return [...new Set([...(paused ?? []), ...Object.keys(seen.groups).filter(name => seen.groups[name] !== 'pause')])]
}

/** The same without those that have begun to fold. */
export function pausedStill({ seen, paused }: ScheduleContext, next: Seen): readonly string[] | undefined {
  return paused?.filter(name => next.groups[name] !== 'fold' || seen.groups[name] === 'fold')
}

export function requestOf(context: ScheduleContext): StateRequest {
  const { subject, otherGroups, override, decision, schedules, returning } = context
  const want = wantOf(context)
  if (want === undefined) throw new Error('Nothing is wanted.')
  const left = want.state === 'fold' ? leftPaused(context) : []
  const request = { subject, otherGroups: [...otherGroups, ...left], ...want }
  if (override !== undefined) return { ...request, who: override.by, reason: 'A command of a person' }
  if (decision.schedule === undefined && returning !== undefined)
    return { ...request, who: 'schedules', reason: 'A command of a person has ended' }
  const reason = choiceText(decision, schedules) ?? ''
  return {
    ...request,
    who: 'schedules',
    reason: want.state === decision.state ? reason : `${reason}; a unit ends soon`,
  }
}

/** When something changes by itself: epoch milliseconds. */
export function dueAt({ decision, override, finishing, at }: ScheduleContext): number {
  return Math.min(
    decision.until ?? Number.POSITIVE_INFINITY,
    override?.until ?? Number.POSITIVE_INFINITY,
    finishing === undefined || finishing.until <= at ? Number.POSITIVE_INFINITY : finishing.until,
  )
}

/** The part that is kept. */
export function savedOf({ decision, override, applied, finishing, returning, paused }: ScheduleContext): Saved {
  return {
    decision,
    override,
    applied,
    finishing,
    returning,
    paused,
  }
}

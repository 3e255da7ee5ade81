import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import { finishAt } from '../../../../src/folding/fleet/idle-time.ts'
import type { Conditions, Decision, IdleAhead } from '../../../../src/folding/schedule/decide.ts'
import { cpuCounts } from '../../../../src/folding/schedule/parts.ts'
import { choiceText } from '../../../../src/folding/schedule/schedule-text.ts'
import type { Schedule, Subject } from '../../../../src/folding/schedule/schedule.ts'
import type { Saved } from './saved.ts'
import type { Seen, StateRequest } from './schedule.events.ts'

export type ScheduleContext = Saved & {
  readonly subject: Subject
  /** The enabled schedules of this subject, in order. */
  readonly schedules: readonly Schedule[]
  readonly conditions: Conditions
  /** The next time by which it shall be idle; null: none. Undefined before the first check. */
  readonly idle?: IdleAhead | null | undefined
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
  fetches: {},
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

/** A number of CPUs is changed as soon as the unit has ended that would start again. */
function isCount({ group = '' }: Subject): boolean {
  return cpuCounts(group) !== undefined
}

function isFinishing({ finishing, at, subject, seen }: ScheduleContext, { key }: Want): boolean {
  if (finishing?.key !== key || at >= finishing.until) return false
  return !isCount(subject) || (seen.endsAt !== undefined && seen.endsAt <= finishing.until)
}

export function wantOf(context: ScheduleContext): Want | undefined {
  const want = baseWant(context)
  const idle = idleGroups(context)
  if (idle !== undefined) return { key: `${context.finishing?.key ?? ''} ${idle.join(' ')}`, state: 'finish' }
  if (want === undefined || !isFinishing(context, want)) return want
  return { key: `${want.key} finish`, state: 'finish' }
}

function idleKey(context: ScheduleContext, at: number): string {
  return `${baseWant(context)?.key ?? ''} idle ${at}`
}

/** The time by which it shall be idle, while it folds before; undefined where a person has decided. */
export function idleWanted(context: ScheduleContext): IdleAhead | undefined {
  const state = baseWant(context)?.state ?? 'fold'
  return state === 'fold' && context.override === undefined ? (context.idle ?? undefined) : undefined
}

/** Groups that take no new work, so that they are idle by a time; undefined while there are none. */
function idleGroups(context: ScheduleContext): readonly string[] | undefined {
  const { finishing, idle, override, at } = context
  if (finishing === undefined || override !== undefined || at >= finishing.until) return undefined
  const lasts = idle === undefined || idle?.at === finishing.until
  return lasts && finishing.key === idleKey(context, finishing.until) ? finishing.groups : undefined
}

/** The same when there are more of them. */
export function idleNext(context: ScheduleContext): ScheduleContext['finishing'] {
  const { seen, at } = context
  const idle = idleWanted(context)
  if (idle === undefined || at >= idle.at || !seen.isConnected || seen.isOld || !seen.mayAct) return undefined
  const asked = idleGroups(context) ?? []
  const late = Object.entries(seen.fetches).flatMap(([name, fetches]) => {
    const due = seen.groups[name] === 'fold' && !asked.includes(name) ? finishAt(fetches, idle.until, at) : undefined
    return due === undefined || due > at ? [] : [name]
  })
  if (late.length === 0) return undefined
  return { key: idleKey(context, idle.at), until: idle.at, groups: [...asked, ...late] }
}

/** Until when units may be finished first; undefined when the pause shall be sent at once. */
export function finishUntil(context: ScheduleContext): { readonly key: string; readonly until: number } | undefined {
  const want = baseWant(context)
  const { subject, schedules, decision, override, seen, at, finishing } = context
  const minutes = schedules.find(({ id }) => id === decision.schedule)?.finishMinutes ?? 0
  const before = want?.state === 'pause' ? 'fold' : want?.state === 'fold' && isCount(subject) ? 'pause' : undefined
  if (want === undefined || override !== undefined || minutes === 0 || finishing?.key === want.key) return undefined
  const until = at + minutes * MINUTE_MS
  return seen.state === before && seen.endsAt !== undefined && seen.endsAt <= until
    ? { key: want.key, until }
    : undefined
}

/** Whether the client has a state already. After finishing it is paused. */
export function hasState(context: ScheduleContext, wanted: FoldingState): boolean {
  const { seen, reached, subject } = context
  const idle = idleGroups(context)
  if (wanted === 'finish' && idle !== undefined)
    return reached?.state === 'finish' || idle.every(name => seen.groups[name] !== 'fold')
  if (wanted === 'finish' && isCount(subject)) return true
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
export function pausedNext(context: ScheduleContext, state: FoldingState): readonly string[] | undefined {
  const { seen, paused, override, decision } = context
  const isOfPerson = override === undefined ? decision.schedule === undefined : override.isByHand
  const idle = idleGroups(context)
  if (state === 'fold' || (isOfPerson === true && idle === undefined)) return paused
  const all = idle ?? Object.keys(seen.groups)
  return [...new Set([...(paused ?? []), ...all.filter(name => seen.groups[name] !== 'pause')])]
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
  const idle = idleGroups(context)
  if (idle !== undefined) {
    const others = Object.keys(context.seen.groups).filter(name => !idle.includes(name))
    return {
      ...request,
      otherGroups: [...otherGroups, ...others],
      who: 'schedules',
      reason: choiceText(context.idle?.choice ?? {}, schedules) ?? '',
    }
  }
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

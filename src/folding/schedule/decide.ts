/*
 * What schedules decide at an instant, since when and until when. Times are epoch milliseconds.
 */
import type { FoldingState } from '../../protocol/client/commands.ts'
import { isInTime, isTimeRule, type ConditionalRule, type Rule, type Schedule } from './schedule.ts'
import { spansOf, type Span } from './spans.ts'

/**
 * Whether a rule that depends on more than the time applies, and since when; `since` is 0 when it never did. `spans`: when it
 * did and will, as far as that is known.
 */
export type Condition = { readonly isOn: boolean; readonly since: number; readonly spans?: readonly Span[] | undefined }
export type Conditions = Readonly<Record<string, Condition>>

/** What decides: a rule by its position, or the state of a schedule without one. Without `schedule`: nothing does. */
export type Choice = {
  readonly state?: FoldingState
  readonly schedule?: string
  readonly rule?: number
}

/** `since`: 0 for longer than can be said; `until`: undefined when no boundary of time is in sight. */
export type Decision = Choice & { readonly since: number; readonly until?: number }

/** A part of a preview. */
export type Segment = Choice & { readonly begin: number; readonly end: number }

const DAY_MS = 86_400_000
/** Longer than a week, so that rules of every weekday are seen. */
export const SIGHT_MS = 8 * DAY_MS

/** The same for the same rule of a schedule, wherever the rule is in it. */
export function conditionKey(schedule: string, rule: ConditionalRule): string {
  const text = texts.get(rule) ?? JSON.stringify(rule)
  texts.set(rule, text)
  return `${schedule} ${text}`
}

/** Rules are never changed. */
const texts = new WeakMap<ConditionalRule, string>()

/** What the first rule that applies decides. */
export function chooseAt(schedules: readonly Schedule[], conditions: Conditions, at: number): Choice {
  for (const schedule of schedules) {
    const rule = schedule.rules.findIndex(each => appliesAt(schedule, each, conditions, at))
    const found = schedule.rules[rule]
    if (found !== undefined) return { state: found.state, schedule: schedule.id, rule }
    if (schedule.otherwise !== null) return { state: schedule.otherwise, schedule: schedule.id }
  }
  return {}
}

function appliesAt(schedule: Schedule, rule: Rule, conditions: Conditions, at: number): boolean {
  const spans = knownSpans(schedule, rule, conditions, at, at + 1)
  return spans === undefined
    ? !isTimeRule(rule) && conditions[conditionKey(schedule.id, rule)]?.isOn === true
    : spans.length > 0
}

/** When a rule applies, in order; undefined when that depends on what will be measured. */
function knownSpans(
  { id, timeZone }: Schedule,
  rule: Rule,
  conditions: Conditions,
  from: number,
  to: number,
): readonly Span[] | undefined {
  return isTimeRule(rule)
    ? spansOf(rule, timeZone, from, to)
    : conditions[conditionKey(id, rule)]?.spans?.filter(({ begin, end }) => begin < to && end > from)
}

export function isSameChoice(one: Choice, other: Choice): boolean {
  return one.state === other.state && one.schedule === other.schedule && one.rule === other.rule
}

/**
 * Instants in [from, to) at which a rule begins or ends, as far as they are known, in order. `choice`: only of rules that could
 * replace it, which are those before it, and of its own.
 */
function boundariesIn(
  schedules: readonly Schedule[],
  conditions: Conditions,
  from: number,
  to: number,
  choice: Choice = {},
): readonly number[] {
  const found = new Set<number>()
  for (const schedule of schedules) {
    const isLast = schedule.id === choice.schedule
    for (const [index, rule] of schedule.rules.entries()) {
      for (const { begin, end } of knownSpans(schedule, rule, conditions, from, to) ?? [])
        for (const at of [begin, end]) if (at >= from && at < to) found.add(at)
      if (isLast && index === choice.rule) break
    }
    if (isLast) break
  }
  return [...found].sort((one, other) => one - other)
}

/**
 * The decision at an instant. `before`: the decision until now, whose `since` is kept while no boundary has passed: so
 * that one decision keeps its identity however long it lasts.
 */
export function decide(
  schedules: readonly Schedule[],
  conditions: Conditions,
  at: number,
  before?: Decision,
): Decision {
  const { choice, until, since } = decidedAt(schedules, conditions, at)
  const lasts =
    before !== undefined &&
    isSameChoice(before, choice) &&
    before.since <= at &&
    (before.until === undefined || at < before.until)
  return {
    ...choice,
    since: lasts ? before.since : since(),
    ...(until === undefined ? {} : { until }),
  }
}

type Decided = {
  readonly conditions: Conditions
  readonly at: number
  readonly choice: Choice
  readonly until: number | undefined
  readonly since: () => number
  readonly idle: () => IdleAhead | undefined
}
const decided = new WeakMap<readonly Schedule[], Decided>()

/** Many machines have the same schedules: what is decided by them at an instant is found once. */
function decidedAt(schedules: readonly Schedule[], conditions: Conditions, at: number): Decided {
  const last = decided.get(schedules)
  if (last?.conditions === conditions && last.at === at) return last
  const choice = chooseAt(schedules, conditions, at)
  const until = boundariesIn(schedules, conditions, at + 1, at + SIGHT_MS, choice).find(
    boundary => !isSameChoice(chooseAt(schedules, conditions, boundary), choice),
  )
  let since: number | undefined
  let idle: IdleAhead | undefined | null = null
  const found: Decided = {
    conditions,
    at,
    choice,
    until,
    since: () => (since ??= sinceOf(schedules, conditions, at, choice)),
    idle: () => (idle === null ? (idle = nextIdle(schedules, conditions, at)) : idle),
  }
  decided.set(schedules, found)
  return found
}

function sinceOf(schedules: readonly Schedule[], conditions: Conditions, at: number, choice: Choice): number {
  const begun = boundariesIn(schedules, conditions, at - SIGHT_MS, at + 1, choice).findLast(
    boundary => !isSameChoice(chooseAt(schedules, conditions, boundary - 1), choice),
  )
  const switched = schedules
    .slice(0, schedules.findIndex(({ id }) => id === choice.schedule) + 1)
    .flatMap(({ id, rules }) =>
      rules.flatMap(rule => {
        const condition = isTimeRule(rule) ? undefined : conditions[conditionKey(id, rule)]
        return condition === undefined || condition.spans !== undefined ? [] : [condition.since]
      }),
    )
  return Math.max(begun ?? 0, ...switched)
}

/** The next time by which machines shall be idle. `until`: the same without what is paused before. */
export type IdleAhead = {
  readonly at: number
  readonly until: number
  readonly pauses: boolean
  readonly choice: Choice
}

export function idleAhead(schedules: readonly Schedule[], conditions: Conditions, at: number): IdleAhead | undefined {
  return schedules.some(({ rules }) => rules.some(isInTime)) ? decidedAt(schedules, conditions, at).idle() : undefined
}

function nextIdle(schedules: readonly Schedule[], conditions: Conditions, from: number): IdleAhead | undefined {
  let paused = 0
  for (const { begin, end, ...choice } of preview(schedules, conditions, from, from + SIGHT_MS)) {
    const rule = schedules.find(({ id }) => id === choice.schedule)?.rules[choice.rule ?? -1]
    const pauses = choice.state === 'pause'
    if (begin > from && isInTime(rule)) return { at: begin, until: begin - paused, pauses, choice }
    if (pauses) paused += end - begin
  }
  return undefined
}

/** What is decided from `from` until `to` if inputs stay as they are: parts without gaps. */
export function preview(
  schedules: readonly Schedule[],
  conditions: Conditions,
  from: number,
  to: number,
): readonly Segment[] {
  const segments: Segment[] = []
  for (const begin of [from, ...boundariesIn(schedules, conditions, from + 1, to)]) {
    const choice = chooseAt(schedules, conditions, begin)
    const last = segments.at(-1)
    if (last !== undefined && isSameChoice(last, choice)) continue
    if (last !== undefined) segments[segments.length - 1] = { ...last, end: begin }
    segments.push({ ...choice, begin, end: to })
  }
  return segments
}

/** Decisions that began after `from` and were over before `to`: they were not applied. At most `most`, the last ones. */
export function passedDecisions(
  schedules: readonly Schedule[],
  conditions: Conditions,
  from: number,
  to: number,
  most = 100,
): readonly Segment[] {
  return preview(schedules, conditions, from, to)
    .slice(1, -1)
    .filter(({ schedule }) => schedule !== undefined)
    .slice(-most)
}

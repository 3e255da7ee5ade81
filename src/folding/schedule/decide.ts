/*
 * What schedules decide at an instant, since when and until when. Times are epoch milliseconds.
 */
import type { FoldingState } from '../../protocol/commands.ts'
import type { InputRule, Inputs, InputValue, Rule, Schedule } from './schedule.ts'
import { spansOf } from './spans.ts'

/** Whether a rule of an input applies, and since when; `since` is 0 when it never did. */
export type Condition = { readonly isOn: boolean; readonly since: number }
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

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Longer than a week, so that rules of every weekday are seen. */
const SIGHT_MS = 8 * DAY_MS

/** The same for the same rule of a schedule, wherever the rule is in it. */
export const conditionKey = (schedule: string, rule: InputRule): string => `${schedule} ${JSON.stringify(rule)}`

/** A rule's condition with the input's newest value. The same object when nothing changed. */
export const nextCondition = (
  rule: InputRule,
  before: Condition | undefined,
  input: InputValue | undefined,
  at: number,
): Condition => {
  const was = before ?? { isOn: false, since: 0 }
  const isMissing = input === undefined || at - input.at > rule.validMinutes * MINUTE_MS
  // A clock that was set back must not hold a condition for longer than its time.
  const isHeld = was.since > 0 && Math.abs(at - was.since) < rule.holdMinutes * MINUTE_MS
  const isOn = isMissing ? false : isHeld ? was.isOn : isBeyond(rule, input.value, was.isOn)
  return isOn === was.isOn ? was : { isOn, since: at }
}

const isBeyond = ({ compare, threshold, hysteresis }: InputRule, value: number, isOn: boolean): boolean =>
  compare === 'above'
    ? isOn
      ? value >= threshold - hysteresis
      : value > threshold
    : isOn
      ? value <= threshold + hysteresis
      : value < threshold

/** The conditions of all rules of inputs. The same object when none changed. */
export const nextConditions = (
  schedules: readonly Schedule[],
  before: Conditions,
  inputs: Inputs,
  at: number,
): Conditions => {
  const next: Record<string, Condition> = {}
  for (const { id, rules } of schedules)
    for (const rule of rules) {
      if (rule.kind !== 'input') continue
      const key = conditionKey(id, rule)
      const input = Object.hasOwn(inputs, rule.input) ? inputs[rule.input] : undefined
      next[key] = nextCondition(rule, before[key], input, at)
    }
  const keys = Object.keys(next)
  const isSame = keys.length === Object.keys(before).length && keys.every(key => next[key] === before[key])
  return isSame ? before : next
}

/** What the first rule that applies decides. */
export const chooseAt = (schedules: readonly Schedule[], conditions: Conditions, at: number): Choice => {
  for (const schedule of schedules) {
    const rule = schedule.rules.findIndex(each => appliesAt(schedule, each, conditions, at))
    const found = schedule.rules[rule]
    if (found !== undefined) return { state: found.state, schedule: schedule.id, rule }
    if (schedule.otherwise !== null) return { state: schedule.otherwise, schedule: schedule.id }
  }
  return {}
}

const appliesAt = ({ id, timeZone }: Schedule, rule: Rule, conditions: Conditions, at: number): boolean =>
  rule.kind === 'input'
    ? conditions[conditionKey(id, rule)]?.isOn === true
    : spansOf(rule, timeZone, at, at + 1).length > 0

export const isSameChoice = (one: Choice, other: Choice): boolean =>
  one.state === other.state && one.schedule === other.schedule && one.rule === other.rule

/** Instants in [from, to) at which a rule of time begins or ends, in order. */
const boundariesIn = (schedules: readonly Schedule[], from: number, to: number): readonly number[] => {
  const found = new Set<number>()
  for (const { rules, timeZone } of schedules)
    for (const rule of rules) {
      if (rule.kind === 'input') continue
      for (const { begin, end } of spansOf(rule, timeZone, from, to))
        for (const at of [begin, end]) if (at >= from && at < to) found.add(at)
    }
  return [...found].sort((one, other) => one - other)
}

/**
 * The decision at an instant. `before`: the decision until now, whose `since` is kept while no boundary has passed: so
 * that one decision keeps its identity however long it lasts.
 */
export const decide = (
  schedules: readonly Schedule[],
  conditions: Conditions,
  at: number,
  before?: Decision,
): Decision => {
  const choice = chooseAt(schedules, conditions, at)
  const until = boundariesIn(schedules, at + 1, at + SIGHT_MS).find(
    boundary => !isSameChoice(chooseAt(schedules, conditions, boundary), choice),
  )
  const lasts =
    before !== undefined &&
    isSameChoice(before, choice) &&
    before.since <= at &&
    (before.until === undefined || at < before.until)
  return {
    ...choice,
    since: lasts ? before.since : sinceOf(schedules, conditions, at, choice),
    ...(until === undefined ? {} : { until }),
  }
}

const sinceOf = (schedules: readonly Schedule[], conditions: Conditions, at: number, choice: Choice): number => {
  const begun = boundariesIn(schedules, at - SIGHT_MS, at + 1).findLast(
    boundary => !isSameChoice(chooseAt(schedules, conditions, boundary - 1), choice),
  )
  const switched = schedules
    .slice(0, schedules.findIndex(({ id }) => id === choice.schedule) + 1)
    .flatMap(({ id, rules }) =>
      rules.flatMap(rule => (rule.kind === 'input' ? [conditions[conditionKey(id, rule)]?.since ?? 0] : [])),
    )
  return Math.max(begun ?? 0, ...switched)
}

/** What is decided from `from` until `to` if inputs stay as they are: parts without gaps. */
export const preview = (
  schedules: readonly Schedule[],
  conditions: Conditions,
  from: number,
  to: number,
): readonly Segment[] => {
  const segments: Segment[] = []
  for (const begin of [from, ...boundariesIn(schedules, from + 1, to)]) {
    const choice = chooseAt(schedules, conditions, begin)
    const last = segments.at(-1)
    if (last !== undefined && isSameChoice(last, choice)) continue
    if (last !== undefined) segments[segments.length - 1] = { ...last, end: begin }
    segments.push({ ...choice, begin, end: to })
  }
  return segments
}

/** Decisions that began after `from` and were over before `to`: they were not applied. At most `most`, the last ones. */
export const passedDecisions = (
  schedules: readonly Schedule[],
  conditions: Conditions,
  from: number,
  to: number,
  most = 100,
): readonly Segment[] =>
  preview(schedules, conditions, from, to)
    .slice(1, -1)
    .filter(({ schedule }) => schedule !== undefined)
    .slice(-most)

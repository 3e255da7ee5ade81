/*
 * Texts of schedules: rules, decisions and reasons.
 */
import { plural, t } from '@lingui/core/macro'
import type { FoldingState } from '../../protocol/client/commands.ts'
import type { SchedulesAnswer, SubjectAnswer } from './server-answers.ts'
import { chosenLocales, formatClauses, formatList, UNKNOWN } from '../text/format.ts'
import { chooseAt, type Choice, type Conditions, type Decision } from './decide.ts'
import { scopeTitle } from './parts.ts'
import {
  inputsOf,
  isInTime,
  isPart,
  isTargetOf,
  type CheapestRule,
  type Rule,
  type Schedule,
  type Target,
  type TaggedClient,
} from './schedule.ts'

export const stateNames: Readonly<Record<FoldingState, string>> = {
  fold: t`Fold`,
  pause: t`Pause`,
  finish: t`Finish`,
}

/** 2024-01-01 was a Monday. */
function dayName(day: number, weekday: 'short' | 'long'): string {
  return new Intl.DateTimeFormat(chosenLocales(), { weekday, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day))
}

/** 1: Monday. */
export function shortDayName(day: number): string {
  return dayName(day, 'short')
}
export function longDayName(day: number): string {
  return dayName(day, 'long')
}

function dateText(date: string): string {
  return new Intl.DateTimeFormat(chosenLocales(), { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(date))
}

/** 'Mon–Fri', 'Mon, Wed'; three days and more in a row as a range. */
export function daysText(days: readonly number[]): string {
  const sorted = [...new Set(days)].sort((one, other) => one - other)
  if (sorted.length === 7) return t`Every day`
  const runs: number[][] = []
  for (const day of sorted) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  return formatList(
    runs.flatMap(run =>
      run.length > 2 ? [`${shortDayName(run[0] ?? 1)}–${shortDayName(run.at(-1) ?? 7)}`] : run.map(shortDayName),
    ),
  )
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** A time of day such as '22:00' or '24:00', as the reader writes it: '10:00 PM'. */
export function clockText(time: string): string {
  const key = [chosenLocales()].flat().join()
  const format = clocks.get(key) ?? new Intl.DateTimeFormat(chosenLocales(), { timeStyle: 'short', timeZone: 'UTC' })
  clocks.set(key, format)
  return format.format(Date.UTC(2024, 0, 1, Number(time.slice(0, 2)), Number(time.slice(3))))
}

function hoursText(from: string, until: string): string {
  return from === '00:00' && (until === '24:00' || until === '00:00')
    ? t`all day`
    : `${clockText(from)}–${clockText(until)}`
}

function numberText(value: number): string {
  return new Intl.NumberFormat(chosenLocales(), { maximumFractionDigits: 3 }).format(value)
}

/** 'the 6 cheapest hours; price below 0.12; 10:00 PM–7:00 AM'. */
function cheapestText({ hours, below, from, until }: CheapestRule): string {
  const price = below === undefined ? undefined : numberText(below)
  return formatClauses([
    ...(hours === undefined ? [] : [plural(hours, { one: 'the cheapest hour', other: 'the # cheapest hours' })]),
    ...(price === undefined ? [] : [t`price below ${price}`]),
    hoursText(from, until),
  ])
}

/** When a rule applies, and whether it resumes what a person paused: 'Mon–Fri 22:00–06:00; also what was paused by hand'. */
export function ruleText(rule: Rule): string {
  const when = timeText(rule)
  const more = rule.state === 'fold' && rule.resumesPaused === true ? [t`also what was paused by hand`] : []
  return formatClauses([when, ...more, ...(isInTime(rule) ? [t`idle by then`] : [])])
}

/** The input of sensors, 1 or 0. */
export const PRESENCE = 'presence'

/** 'Mon–Fri 22:00–06:00', 'Dec 24, 2026 – Dec 26, 2026, all day', 'solar above 500'. */
function timeText(rule: Rule): string {
  switch (rule.kind) {
    case 'week':
      return `${daysText(rule.days)} ${hoursText(rule.from, rule.until)}`
    case 'dates': {
      const dates = rule.first === rule.last ? dateText(rule.first) : `${dateText(rule.first)} – ${dateText(rule.last)}`
      return `${dates}, ${hoursText(rule.from, rule.until)}`
    }
    case 'input': {
      if (rule.input === PRESENCE) return rule.compare === 'above' ? t`somebody is there` : t`nobody is there`
      const threshold = numberText(rule.threshold)
      return rule.compare === 'above' ? t`${rule.input} above ${threshold}` : t`${rule.input} below ${threshold}`
    }
    case 'budget': {
      const amount = numberText(rule.amount)
      return rule.unit === 'kWh' ? t`${amount} kWh used this month` : t`${amount} spent on energy this month`
    }
    case 'cheapest':
      return cheapestText(rule)
    case 'surplus': {
      const { input } = rule
      return t`surplus of ${input}`
    }
    case 'heat': {
      const { input } = rule
      const target = numberText(rule.target)
      return t`${input} kept at ${target}`
    }
  }
}

/** What a schedule is for: 'All clients', 'Clients tagged attic, group “night”'. */
/** What a schedule does whatever its rules, and what it does now; `machines`: those of the server. */
export function effectText(
  schedule: Schedule,
  conditions: Conditions,
  machines: readonly TaggedClient[],
  now: number,
): string {
  const { state } = chooseAt([schedule], conditions, now)
  const count = machines.filter(machine => schedule.targets.some(target => isTargetOf(target, machine))).length
  const otherwise = schedule.otherwise === null ? undefined : t`Otherwise: ${stateNames[schedule.otherwise]}.`
  const present =
    state === undefined || count === 0
      ? undefined
      : t`Saved now, it does at once: ${stateNames[state]}. Machines: ${count}.`
  return [otherwise, present].filter(part => part !== undefined).join(' ')
}

export function targetText({ kind, name, group }: Target): string {
  const machines = kind === 'all' ? t`All machines` : kind === 'tag' ? t`Machines tagged ${name}` : name
  if (isPart(group)) return `${machines}, ${scopeTitle(group)}`
  return group === undefined
    ? machines
    : group === ''
      ? t`${machines}, default group`
      : t`${machines}, group “${group}”`
}

/** The last values of the inputs on which the schedules of a machine, or of a part of it, depend: 'card: 71.2'. */
export function inputsText(
  { schedules, inputs, machines }: Pick<SchedulesAnswer, 'schedules' | 'inputs' | 'machines'>,
  { machine, group }: Pick<SubjectAnswer, 'machine' | 'group'>,
): string | undefined {
  const client = machines.find(({ number }) => number === machine)
  if (client === undefined) return undefined
  const isOf = (target: Target): boolean => (target.group ?? null) === group && isTargetOf(target, client)
  const names = inputsOf(schedules.filter(({ isEnabled, targets }) => isEnabled && targets.some(isOf)))
  const values = names.map(name => {
    const input = inputs.find(each => each.name === name)
    return `${name}: ${input === undefined ? UNKNOWN : numberText(input.value)}`
  })
  return values.length === 0 ? undefined : values.join(', ')
}

/** Why: the schedule and its rule; undefined when nothing decides. */
export function choiceText(choice: Choice, schedules: readonly Schedule[]): string | undefined {
  const schedule = schedules.find(({ id }) => id === choice.schedule)
  if (schedule === undefined) return undefined
  const rule = choice.rule === undefined ? undefined : schedule.rules[choice.rule]
  return rule === undefined
    ? t`Schedule “${schedule.name}”: no rule applies`
    : t`Schedule “${schedule.name}”: ${ruleText(rule)}`
}

/** The weekday and time of an instant in the reader's zone: 'Mon 22:00', with the date from six days on. */
export function boundaryText(at: number, now: number): string {
  return new Intl.DateTimeFormat(chosenLocales(), {
    ...(Math.abs(at - now) < 6 * 86_400_000 ? { weekday: 'short' } : { dateStyle: 'medium' }),
    ...(Math.abs(at - now) < 6 * 86_400_000 ? { hour: 'numeric', minute: '2-digit' } : { timeStyle: 'short' }),
  }).format(at)
}

/** 'Pause until Mon 22:00'. */
export function decisionText({ state, until }: Pick<Decision, 'state' | 'until'>, now: number): string {
  if (state === undefined) return t`Left as it is`
  const name = stateNames[state]
  return until === undefined ? name : t`${name} until ${boundaryText(until, now)}`
}

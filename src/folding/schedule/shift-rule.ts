/*
 * Weekly times that are moved or made longer, in quarters of an hour.
 */
import type { Rule } from './schedule.ts'

export type WeekRule = Extract<Rule, { kind: 'week' }>

/** What is moved: the whole, or where it begins or ends. */
export type Grip = 'whole' | 'begin' | 'end'

const DAY = 1440
export const QUARTER = 15

/** Of the day: '07:30' → 450. */
export function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
}
function clockOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
function toQuarter(minutes: number): number {
  return Math.round(minutes / QUARTER) * QUARTER
}
function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** How long it applies each time, in minutes. */
export function lengthOf({ from, until }: Pick<WeekRule, 'from' | 'until'>): number {
  const length = minutesOf(until) - minutesOf(from)
  return length > 0 ? length : length + DAY
}

/** The rule that begins at these minutes of its days, which may be before or after them, and lasts so long. */
function ruleAt(rule: WeekRule, begin: number, length: number): WeekRule {
  const days = Math.floor(begin / DAY)
  const from = begin - days * DAY
  const end = from + length
  return {
    ...rule,
    days: rule.days.map(day => ((((day - 1 + days) % 7) + 7) % 7) + 1).sort((one, other) => one - other),
    from: clockOf(from),
    until: clockOf(end > DAY ? end - DAY : end),
  }
}

/**
 * The rule after its times were dragged by some minutes: what is dragged comes to a quarter of an hour. All its days follow. It
 * lasts from a quarter of an hour to a day.
 */
export function shiftRule(rule: WeekRule, grip: Grip, minutes: number): WeekRule {
  const [begin, length] = [minutesOf(rule.from), lengthOf(rule)]
  if (grip === 'whole') return ruleAt(rule, toQuarter(begin + minutes), length)
  if (grip === 'end') return ruleAt(rule, begin, within(toQuarter(begin + length + minutes) - begin, QUARTER, DAY))
  const end = begin + length
  const next = within(toQuarter(begin + minutes), end - DAY, end - QUARTER)
  return ruleAt(rule, next, end - next)
}

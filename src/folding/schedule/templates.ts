/*
 * Schedules to begin with.
 */
import { t } from '@lingui/core/macro'
import type { InputRule, Rule, Schedule } from './schedule.ts'
import { PRESENCE } from './schedule-text.ts'

export type Template = {
  readonly id: string
  readonly name: string
  readonly rule: Rule
  /** What else leads there. */
  readonly hint?: string
}

/** While the sun gives more watts than this. */
export const solarRule: InputRule = {
  kind: 'input',
  input: 'solar',
  compare: 'above',
  threshold: 500,
  hysteresis: 100,
  holdMinutes: 10,
  validMinutes: 60,
  state: 'fold',
}

export const templates: readonly Template[] = [
  {
    id: 'nights',
    name: t`Nights`,
    rule: { kind: 'week', days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', until: '06:00', state: 'fold' },
  },
  {
    id: 'weekends',
    name: t`Weekends`,
    rule: { kind: 'week', days: [6, 7], from: '00:00', until: '24:00', state: 'fold' },
  },
  {
    id: 'idle',
    name: t`When nobody is there`,
    // A sensor that reports changes only may be silent for hours.
    rule: {
      ...solarRule,
      input: PRESENCE,
      compare: 'below',
      threshold: 0.5,
      hysteresis: 0,
      validMinutes: 1440,
    },
    hint: t`For one machine, “Only When Idle” in its settings needs no schedule.`,
  },
  {
    id: 'cheap',
    name: t`Cheap hours`,
    rule: { ...solarRule, input: 'price', compare: 'below', threshold: 0.2, hysteresis: 0.02, validMinutes: 120 },
  },
  { id: 'solar', name: t`Solar power`, rule: solarRule },
]

/** A schedule that pauses while no rule applies. For which machines is chosen before it is saved. */
export function scheduleFrom(
  rules: readonly Rule[],
  name: string | undefined,
  schedules: readonly Schedule[],
  timeZone: string,
): Schedule {
  const usedIds = new Set(schedules.map(({ id }) => id))
  let number = schedules.length + 1
  while (usedIds.has(`schedule-${number}`)) number++
  return {
    id: `schedule-${number}`,
    name: name ?? t`Schedule ${number}`,
    isEnabled: true,
    targets: [],
    timeZone,
    rules: [...rules],
    otherwise: 'pause',
    finishMinutes: 30,
  }
}

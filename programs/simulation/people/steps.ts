import type { PlannedPerson, Step } from '../story/plan.ts'
import type { Chance } from '../time/chance.ts'
import { DAY } from '../time/durations.ts'
import type { ActionName } from './actions.ts'

/** What one person does at one moment. */
export type PersonStep = Omit<Step, 'kind' | 'who'> & { readonly does: ActionName }

/** Somebody who comes once in so many days, some time between two moments of the first of them. `visit`: with its number, from 0. */
export function regular(
  name: string,
  everyDays: number,
  [earliest, latest]: readonly [number, number],
  visit: (at: number, chance: Chance, number: number) => readonly PersonStep[],
): PlannedPerson {
  return {
    name,
    days: (chance, days) =>
      Array.from({ length: Math.ceil(days / everyDays) }, (_, number) =>
        visit(Math.floor(number * everyDays * DAY + chance.between(earliest, latest)), chance, number),
      ).flat(),
  }
}

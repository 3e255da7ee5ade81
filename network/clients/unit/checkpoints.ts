import { chance } from '../random.ts'
import type { ClientContext } from '../client-context.ts'

const EVERY_MS = 60_000

/** Marks running clients as changed once a minute, so that a killed process loses little progress. */
export const createCheckpoints = (context: ClientContext) => {
  const { schedule } = context
  const check = (): void => {
    if (context.units.some(unit => unit.runningSince !== undefined)) context.changed()
    cancel = schedule.at(schedule.now() + EVERY_MS, check)
  }
  let cancel = schedule.at(schedule.now() + EVERY_MS * (0.5 + chance(context.seed, 'checkpoint')), check)
  return { stop: () => cancel() }
}

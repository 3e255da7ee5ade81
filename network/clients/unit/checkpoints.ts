import { chance } from '../random.ts'
import type { ClientContext } from '../client-context.ts'

const EVERY_MS = 60_000

/** Once a minute, what a running core has done is worth storing, so that a process that is killed loses little. */
export const createCheckpoints = (context: ClientContext) => {
  const { schedule } = context
  const check = (): void => {
    if (context.units.some(unit => unit.runningSince !== undefined)) context.changed()
    cancel = schedule.at(schedule.now() + EVERY_MS, check)
  }
  let cancel = schedule.at(schedule.now() + EVERY_MS * (0.5 + chance(context.seed, 'checkpoint')), check)
  return { stop: () => cancel() }
}

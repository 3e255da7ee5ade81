import { chance } from '../random.ts'
import type { ClientContext } from '../client-context.ts'

const EVERY_MS = 60_000

/**
 * Marks running clients as changed once a minute, so that a killed process loses little progress; less often where they are
 * written less often.
 */
export function createCheckpoints(context: ClientContext, saveMs = 0) {
  const { schedule } = context
  const everyMs = Math.max(EVERY_MS, saveMs)
  const check = (): void => {
    if (context.units.some(unit => unit.runningSince !== undefined)) context.changed()
    cancel = schedule.at(schedule.now() + everyMs, check)
  }
  let cancel = schedule.at(schedule.now() + everyMs * (0.5 + chance(context.seed, 'checkpoint')), check)
  return { stop: () => cancel() }
}

import { chance } from '../random.ts'
import type { World } from '../world.ts'

const EVERY_MS = 60_000

/** Once a minute, what a running core has done is worth storing, so that a process that is killed loses little. */
export const createCheckpoints = (world: World) => {
  const { schedule } = world
  const note = (): void => {
    if (world.lives.some(life => life.runningSince !== undefined)) world.changed()
    cancel = schedule.at(schedule.now() + EVERY_MS, note)
  }
  let cancel = schedule.at(schedule.now() + EVERY_MS * (0.5 + chance(world.seed, 'checkpoint')), note)
  return { stop: () => cancel() }
}

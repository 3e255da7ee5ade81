import { idleTimeOf, type IdleTime } from '../../../folding/fleet/idle-time.ts'
import type { IdleTimesSnapshot } from './idle-times.machine.ts'

/** By when a client, by its own id, shall be idle. */
export function selectIdleTime(client: string | undefined) {
  return ({ context }: IdleTimesSnapshot): IdleTime | undefined => idleTimeOf(context.times, client)
}

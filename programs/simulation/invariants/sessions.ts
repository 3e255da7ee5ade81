import { SECOND } from '../time/durations.ts'
import { onEachPage, type Invariant } from './invariant.ts'

/** Milliseconds. */
const ALLOWED = 15 * SECOND

export const sessionsEnd: Invariant = {
  name: 'who is not signed in any more is told so',
  reason: 'Whoever believes to be signed in loses what they change.',
  check: onEachPage(({ tab, system, device }, { world }) => {
    const at = world.sessions.toldAt(tab.realm)
    if (at === undefined) return undefined
    if (!system.account.getSnapshot().hasTag('signedIn')) world.sessions.settled(tab.realm)
    else if (world.scheduler.now() - at > ALLOWED)
      return `${device.name} is shown as signed in, although the API has said that its session is over`
    return undefined
  }),
}

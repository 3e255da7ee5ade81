import type { Realm } from '../realms/realm.ts'
import { SECOND } from '../time/durations.ts'
import type { Invariant } from './invariant.ts'

/** Sessions of accounts that the API has forgotten, and who was told so. */
export function createSessionBooks() {
  const active = new Set<string>()
  const gone = new Set<string>()
  const reportedAt = new Map<Realm, number>()
  return {
    used: (session: string): void => void active.add(session),
    /** The API has forgotten all of them. */
    forgotten: (): void => {
      for (const session of active) gone.add(session)
      active.clear()
    },
    refused: (realm: Realm, session: string, at: number): void => {
      if (gone.has(session) && !reportedAt.has(realm)) reportedAt.set(realm, at)
    },
    /** When it was told first that its session is gone. */
    toldAt: (realm: Realm): number | undefined => reportedAt.get(realm),
    settled: (realm: Realm): void => void reportedAt.delete(realm),
  }
}

export type SessionBooks = ReturnType<typeof createSessionBooks>

/** Milliseconds. */
const ALLOWED = 15 * SECOND

export const sessionsEnd: Invariant = {
  name: 'who is not signed in any more is told so',
  reason: 'Whoever believes to be signed in loses what they change.',
  check: ({ world }) => {
    for (const { tab, system, device } of world.pages()) {
      const at = world.sessions.toldAt(tab.realm)
      if (at === undefined) continue
      if (!system.account.getSnapshot().hasTag('signedIn')) world.sessions.settled(tab.realm)
      else if (world.scheduler.now() - at > ALLOWED)
        return `${device.name} is shown as signed in, although the API has said that its session is over`
    }
    return undefined
  },
}

import type { Realm } from '../realms/realm.ts'

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

import { randomBytes } from 'node:crypto'
import type { Account } from './accounts.ts'
import type { Store } from './store.ts'

const LIFETIME_MS = 90 * 24 * 3_600_000

export function newSessionId(): string {
  return randomBytes(32).toString('base64url')
}

export async function openSession(store: Store, account: number, id = newSessionId()): Promise<string> {
  const now = Date.now()
  await store
    .deleteFrom('sessions')
    .where('created', '<', new Date(now - LIFETIME_MS).toISOString())
    .execute()
  await store
    .insertInto('sessions')
    .values({ id, account, created: new Date(now).toISOString() })
    .execute()
  return id
}

export async function closeSession(store: Store, id: string): Promise<void> {
  await store.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function closeSessionsOf(store: Store, account: number): Promise<void> {
  await store.deleteFrom('sessions').where('account', '=', account).execute()
}

/** For tests: nobody is signed in any more. */
export async function closeAllSessions(store: Store): Promise<void> {
  await store.deleteFrom('sessions').execute()
}

export function accountOfSession(store: Store, id: string): Promise<Account | undefined> {
  return store
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account')
    .selectAll('accounts')
    .where('sessions.id', '=', id)
    .where('sessions.created', '>=', new Date(Date.now() - LIFETIME_MS).toISOString())
    .executeTakeFirst()
}

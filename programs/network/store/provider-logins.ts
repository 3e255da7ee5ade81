import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ProviderLoginTable } from './schema.ts'
import { newSessionId } from './sessions.ts'
import type { Store } from './store.ts'

export type ProviderLogin = Selectable<ProviderLoginTable>

/** Maximum time at the provider's page, and maximum time for registering afterwards. */
const LIFETIME_MS = 3_600_000

function since(): string {
  return new Date(Date.now() - LIFETIME_MS).toISOString()
}

export async function beginProviderLogin(store: Store, provider: string, redirectUri: string): Promise<ProviderLogin> {
  await store.deleteFrom('provider_logins').where('created', '<', since()).execute()
  return store
    .insertInto('provider_logins')
    .values({
      session: newSessionId(),
      state: randomBytes(24).toString('base64url'),
      provider,
      redirect_uri: redirectUri,
      code: null,
      email: null,
      name: null,
      completed: null,
      profile: '{}',
      created: new Date().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A login that is not completed yet. */
export function providerLoginByState(store: Store, state: string): Promise<ProviderLogin | undefined> {
  return store
    .selectFrom('provider_logins')
    .selectAll()
    .where('state', '=', state)
    .where('completed', 'is', null)
    .where('created', '>=', since())
    .executeTakeFirst()
}

/** Stores the provider's user; returns the code for the redirect. */
export async function assignProviderUser(
  store: Store,
  state: string,
  person: { email: string; name: string },
): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  await store
    .updateTable('provider_logins')
    .set({ code, ...person })
    .where('state', '=', state)
    .where('completed', 'is', null)
    .execute()
  return code
}

export async function completeProviderLogin(store: Store, session: string): Promise<void> {
  await store
    .updateTable('provider_logins')
    .set({ completed: new Date().toISOString(), code: null })
    .where('session', '=', session)
    .execute()
}

export async function endProviderLogin(store: Store, session: string): Promise<void> {
  await store.deleteFrom('provider_logins').where('session', '=', session).execute()
}

export type Guest = { session: string; provider: string; email: string; name: string; profile: Record<string, unknown> }

/** The guest of this session: a user with a confirmed address from a provider, but without an account. */
export async function guestOfSession(store: Store, session: string): Promise<Guest | undefined> {
  const row = await store
    .selectFrom('provider_logins')
    .selectAll()
    .where('session', '=', session)
    .where('completed', 'is not', null)
    .where('created', '>=', since())
    .executeTakeFirst()
  if (row?.email === undefined || row.email === null) return undefined
  return {
    session,
    provider: row.provider,
    email: row.email,
    name: row.name ?? '',
    profile: JSON.parse(row.profile) as Record<string, unknown>,
  }
}

export async function saveProfile(store: Store, session: string, profile: Record<string, unknown>): Promise<void> {
  await store
    .updateTable('provider_logins')
    .set({ profile: JSON.stringify(profile) })
    .where('session', '=', session)
    .execute()
}

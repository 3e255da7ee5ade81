import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable, Updateable } from 'kysely'
import type { AccountTable } from './schema.ts'
import type { Store } from './store.ts'

export type Account = Selectable<AccountTable>
export type NewAccount = {
  email: string
  password: string
  pubkey: string
  keyId: string
  secret: string
  user: string
  team: number
  passkey: string
  cause: string
  avatar?: string
  node?: string
  config?: string
  verified: boolean
}
export type AccountEdit = Pick<
  Updateable<AccountTable>,
  'user' | 'team' | 'passkey' | 'cause' | 'avatar' | 'node' | 'config'
>

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The stored hash of a password (which is already a hash, docs/protocol.md §15): SHA-256, base64. */
export function hashPassword(password: string): string {
  return createHash('sha256').update(password, 'utf8').digest('base64')
}

export function passwordFits(account: Account, password: string): boolean {
  return timingSafeEqual(Buffer.from(hashPassword(password)), Buffer.from(account.password_hash))
}

export async function createAccount(store: Store, account: NewAccount): Promise<Account> {
  const now = new Date().toISOString()
  return store
    .insertInto('accounts')
    .values({
      email: account.email.toLowerCase(),
      password_hash: hashPassword(account.password),
      pubkey: account.pubkey,
      key_id: account.keyId,
      secret: account.secret,
      token: newToken(),
      node: account.node ?? '',
      user: account.user,
      team: account.team,
      passkey: account.passkey,
      cause: account.cause,
      avatar: account.avatar ?? '',
      config: account.config ?? '{}',
      created: now,
      verified: account.verified ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function accountByEmail(store: Store, email: string): Promise<Account | undefined> {
  return store.selectFrom('accounts').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()
}

export function accountById(store: Store, id: number): Promise<Account | undefined> {
  return store.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

export function accountByKey(store: Store, keyId: string): Promise<Account | undefined> {
  return store.selectFrom('accounts').selectAll().where('key_id', '=', keyId).executeTakeFirst()
}

export function accountByToken(store: Store, token: string): Promise<Account | undefined> {
  return store.selectFrom('accounts').selectAll().where('token', '=', token).executeTakeFirst()
}

export async function editAccount(store: Store, id: number, edit: AccountEdit): Promise<void> {
  if (Object.keys(edit).length === 0) return
  await store.updateTable('accounts').set(edit).where('id', '=', id).execute()
}

export async function replaceKeys(
  store: Store,
  id: number,
  keys: { pubkey: string; keyId: string; secret: string; password: string },
): Promise<void> {
  await store
    .updateTable('accounts')
    .set({
      pubkey: keys.pubkey,
      key_id: keys.keyId,
      secret: keys.secret,
      password_hash: hashPassword(keys.password),
    })
    .where('id', '=', id)
    .execute()
}

/** A new token invalidates the old one. Linked clients stay linked. */
export async function renewToken(store: Store, id: number): Promise<string> {
  const token = newToken()
  await store.updateTable('accounts').set({ token }).where('id', '=', id).execute()
  return token
}

export async function verifyAccount(store: Store, id: number): Promise<void> {
  await store
    .updateTable('accounts')
    .set({ verified: new Date().toISOString() })
    .where('id', '=', id)
    .where('verified', 'is', null)
    .execute()
}

/**
 * Deletes the account with its sessions, links and broadcasts. Its teams stay without an owner, except `emptyTeams`.
 */
export async function deleteAccount(
  store: Store,
  account: Pick<Account, 'id' | 'key_id'>,
  emptyTeams: readonly number[],
): Promise<void> {
  await store.transaction().execute(async transaction => {
    if (emptyTeams.length > 0)
      await transaction.deleteFrom('teams').where('founder', '=', account.id).where('team', 'in', emptyTeams).execute()
    await transaction.deleteFrom('broadcasts').where('account_key', '=', account.key_id).execute()
    await transaction.deleteFrom('accounts').where('id', '=', account.id).execute()
  })
}

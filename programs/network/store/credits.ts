import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { CreditTable } from './schema.ts'
import type { Store } from './store.ts'

/** The credit of an ended unit. Times are ISO, whole seconds. */
export type CreditEntry = Omit<Selectable<CreditTable>, 'id' | 'donor'> & { user: string; passkey: string }
export type Credit = {
  code: string
  user: string
  team: number
  credit: number
  assign_time: string
  credit_time: string
}
export type UnitNumbers = { project: number; run: number; clone: number; gen: number }

function hashPasskey(passkey: string): string {
  return createHash('sha256').update(passkey.toLowerCase(), 'utf8').digest('base64url')
}

export async function ensureDonors(store: Store, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await store
    .insertInto('donors')
    .values(names.map(name => ({ name })))
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
}

async function donorId(store: Store, name: string): Promise<number> {
  await ensureDonors(store, [name])
  return (await store.selectFrom('donors').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
}

const ROWS_AT_ONCE = 100

/** Inserts all in one transaction. An existing entry of a unit is not changed. */
export async function insertCredits(store: Store, entries: readonly CreditEntry[]): Promise<void> {
  if (entries.length === 0) return
  await store.transaction().execute(async transaction => {
    const donors = new Map<string, number>()
    for (const user of new Set(entries.map(entry => entry.user))) donors.set(user, await donorId(transaction, user))
    const donorOf = (user: string): number => donors.get(user) ?? 0
    const passkeys = new Map(
      entries
        .filter(({ passkey }) => passkey !== '')
        .map(({ user, passkey }) => [`${user}\n${passkey}`, { donor: donorOf(user), hash: hashPasskey(passkey) }]),
    )
    for (const passkey of passkeys.values()) {
      await transaction
        .insertInto('passkeys')
        .values(passkey)
        .onConflict(conflict => conflict.columns(['donor', 'hash']).doNothing())
        .execute()
    }
    for (let at = 0; at < entries.length; at += ROWS_AT_ONCE) {
      const rows = entries
        .slice(at, at + ROWS_AT_ONCE)
        .map(({ user, passkey: _passkey, ...entry }) => ({ ...entry, donor: donorOf(user) }))
      await transaction
        .insertInto('credits')
        .values(rows)
        .onConflict(conflict => conflict.columns(['machine', 'unit']).doNothing())
        .execute()
    }
  })
}

/** For another seed, which has other statistics. */
export async function deleteCredits(store: Store): Promise<void> {
  await store.deleteFrom('credits').execute()
}

export async function machinesWithCredits(store: Store): Promise<ReadonlySet<string>> {
  return new Set(
    (await store.selectFrom('credits').select('machine').distinct().execute()).map(({ machine }) => machine),
  )
}

export function creditsOf(store: Store, { project, run, clone, gen }: UnitNumbers): Promise<Credit[]> {
  return store
    .selectFrom('credits')
    .innerJoin('donors', 'donors.id', 'credits.donor')
    .select(['code', 'donors.name as user', 'team', 'credit', 'assign_time', 'credit_time'])
    .where('project', '=', project)
    .where('run', '=', run)
    .where('clone', '=', clone)
    .where('gen', '=', gen)
    .orderBy('credit_time')
    .execute()
}

export function donorByName(store: Store, name: string): Promise<{ id: number; name: string } | undefined> {
  return store.selectFrom('donors').selectAll().where('name', '=', name).executeTakeFirst()
}

export function donorById(store: Store, id: number): Promise<{ id: number; name: string } | undefined> {
  return store.selectFrom('donors').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The number of a passkey; 0 without one, or if nothing was folded with it. */
export async function passkeyId(store: Store, donor: number, passkey: string): Promise<number> {
  if (passkey === '') return 0
  const row = await store
    .selectFrom('passkeys')
    .select('id')
    .where('donor', '=', donor)
    .where('hash', '=', hashPasskey(passkey))
    .executeTakeFirst()
  return row?.id ?? 0
}

const CREDITED = 'Ok'

/** Credits summed by donor and team. */
export function creditSums(store: Store): Promise<{ donor: string; team: number; score: number; wus: number }[]> {
  return store
    .selectFrom('credits')
    .innerJoin('donors', 'donors.id', 'credits.donor')
    .select(['donors.name as donor', 'team', sql<number>`sum(credit)`.as('score'), sql<number>`count(*)`.as('wus')])
    .where('code', '=', CREDITED)
    .groupBy(['donors.name', 'team'])
    .execute()
}

/** Number of clients with credits for a donor since `since` (ISO). */
export async function activeMachines(store: Store, donor: number, since: string): Promise<number> {
  const { count } = await store
    .selectFrom('credits')
    .select(sql<number>`count(distinct machine)`.as('count'))
    .where('donor', '=', donor)
    .where('code', '=', CREDITED)
    .where('credit_time', '>=', since)
    .executeTakeFirstOrThrow()
  return count
}

export type CreditOwner = { donor: number } | { team: number }

/** Credits of a donor or team, ordered by time. */
export function creditsByTime(store: Store, owner: CreditOwner): Promise<{ time: string; credit: number }[]> {
  const query = store
    .selectFrom('credits')
    .select(['credit_time as time', 'credit'])
    .where('code', '=', CREDITED)
    .orderBy('credit_time')
  return ('donor' in owner ? query.where('donor', '=', owner.donor) : query.where('team', '=', owner.team)).execute()
}

import { createHash, randomBytes } from 'node:crypto'
import type { TicketTable } from './schema.ts'
import type { Store } from './store.ts'

export type Purpose = TicketTable['purpose']

const DAY_MS = 24 * 3_600_000
const LIFETIME_MS: Readonly<Record<Purpose, number>> = { verify: 7 * DAY_MS, reset: DAY_MS }

function hashOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('base64url')
}

/** A new token for a link in an email. Only its hash is stored. */
export async function issueTicket(store: Store, account: number, purpose: Purpose): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const now = Date.now()
  await store.deleteFrom('tickets').where('expires', '<', new Date(now).toISOString()).execute()
  await store
    .insertInto('tickets')
    .values({ hash: hashOf(token), purpose, account, expires: new Date(now + LIFETIME_MS[purpose]).toISOString() })
    .execute()
  return token
}

/** The account of a token that is valid and not used. */
export async function accountOfTicket(store: Store, token: string, purpose: Purpose): Promise<number | undefined> {
  const row = await store
    .selectFrom('tickets')
    .select('account')
    .where('hash', '=', hashOf(token))
    .where('purpose', '=', purpose)
    .where('expires', '>=', new Date().toISOString())
    .executeTakeFirst()
  return row?.account
}

/** Invalidates all tokens of the account for this purpose, also those of earlier emails. */
export async function consumeTickets(store: Store, account: number, purpose: Purpose): Promise<void> {
  await store.deleteFrom('tickets').where('account', '=', account).where('purpose', '=', purpose).execute()
}

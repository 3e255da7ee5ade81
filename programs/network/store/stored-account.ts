import { accountByEmail } from './accounts.ts'
import { machinesOf, type LinkedMachine } from './machines.ts'
import type { Store } from './store.ts'

/** What all pages of an account must agree on. */
export type StoredAccount = {
  readonly user: string
  readonly team: number
  readonly cause: string
  /** With which machines are linked. */
  readonly token: string
  /** By their names. */
  readonly machines: readonly LinkedMachine[]
}

export async function storedAccount(store: Store, email: string): Promise<StoredAccount | undefined> {
  const account = await accountByEmail(store, email)
  if (account === undefined) return undefined
  const { id, user, team, cause, token } = account
  return { user, team, cause, token, machines: await machinesOf(store, id) }
}

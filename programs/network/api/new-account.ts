import { idOfKey, readPublicKey } from '../keys.ts'
import {
  accountByEmail,
  accountByKey,
  createAccount,
  deleteAccount,
  type Account,
  type NewAccount,
} from '../store/accounts.ts'
import { type Guest, endProviderLogin } from '../store/provider-logins.ts'
import { openSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { ApiServices } from './context.ts'
import { refusal } from './errors.ts'

function accountExists(): Error {
  return refusal(409, 'Account exists')
}

function isUniquenessError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('SQLITE_CONSTRAINT')
  )
}

/** The id of a public key. Refuses a key of another account. */
export async function keyIdFor(store: Store, pubkey: string, account?: Account): Promise<string> {
  const key = readPublicKey(pubkey)
  if (key === undefined) throw refusal(400, 'Invalid public key')
  const keyId = idOfKey(key)
  const owner = await accountByKey(store, keyId)
  if (owner !== undefined && owner.id !== account?.id) throw refusal(409, 'This key belongs to another account')
  return keyId
}

export type Registration = Omit<NewAccount, 'keyId' | 'verified'>

/**
 * Creates an account, or refuses if it exists. An unverified account is replaced when a guest registers its address,
 * since the provider has confirmed the guest's address.
 */
export async function makeAccount(
  { store, nodeAddress }: ApiServices,
  wanted: Registration,
  guest: Guest | undefined,
): Promise<Account> {
  const found = await accountByEmail(store, wanted.email)
  if (found !== undefined && (guest === undefined || found.verified !== null)) throw accountExists()
  const keyId = await keyIdFor(store, wanted.pubkey, found)
  if (found !== undefined) await deleteAccount(store, found, [])
  // The address of this network's node depends on its port, so it is stored as ''.
  const node = wanted.node === nodeAddress ? '' : (wanted.node ?? '')
  try {
    const account = await createAccount(store, { ...wanted, node, keyId, verified: guest !== undefined })
    if (guest !== undefined) {
      await endProviderLogin(store, guest.session)
      await openSession(store, account.id, guest.session)
    }
    return account
  } catch (error) {
    // Two simultaneous requests, such as from a double click.
    if (isUniquenessError(error)) throw accountExists()
    throw error
  }
}

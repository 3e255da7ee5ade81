import { idOfKey, readPublicKey } from '../keys.ts'
import { accountByEmail, accountByKey, createAccount, deleteAccount } from '../store/accounts.ts'
import type { Account, NewAccount } from '../store/accounts.ts'
import type { Guest } from '../store/provider-logins.ts'
import { endProviderLogin } from '../store/provider-logins.ts'
import { openSession } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import type { ApiServices } from './context.ts'
import { refusal } from './errors.ts'

const taken = (): Error => refusal(409, 'Account exists')

const isUniquenessError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('SQLITE_CONSTRAINT')

/** The id of a key that is free, or the account's own. */
export const keyIdFor = async (store: Store, pubkey: string, account?: Account): Promise<string> => {
  const key = readPublicKey(pubkey)
  if (key === undefined) throw refusal(400, 'Invalid public key')
  const keyId = idOfKey(key)
  const owner = await accountByKey(store, keyId)
  if (owner !== undefined && owner.id !== account?.id) throw refusal(409, 'This key belongs to another account')
  return keyId
}

export type Registration = Omit<NewAccount, 'keyId' | 'verified'>

/**
 * Makes the account, or refuses when there is one. An address that nobody has confirmed belongs to nobody: who comes with
 * a provider's word takes it over, with a key of his own.
 */
export const makeAccount = async (
  { store, nodeAddress }: ApiServices,
  wanted: Registration,
  guest: Guest | undefined,
): Promise<Account> => {
  const found = await accountByEmail(store, wanted.email)
  if (found !== undefined && (guest === undefined || found.verified !== null)) throw taken()
  const keyId = await keyIdFor(store, wanted.pubkey, found)
  if (found !== undefined) await deleteAccount(store, found, [])
  // The address of this network's own node changes with its port: it is never kept as if somebody had chosen it.
  const node = wanted.node === nodeAddress ? '' : (wanted.node ?? '')
  try {
    const account = await createAccount(store, { ...wanted, node, keyId, verified: guest !== undefined })
    if (guest !== undefined) {
      await endProviderLogin(store, guest.session)
      await openSession(store, account.id, guest.session)
    }
    return account
  } catch (error) {
    // Two requests at the same moment, such as a double click's.
    if (isUniquenessError(error)) throw taken()
    throw error
  }
}

import * as v from 'valibot'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import { databaseWork } from '../database.ts'
import { createSealKey, seal, unseal } from './sealed-entry.ts'
import type { Vault } from './vault.ts'

/** What lets a person stay signed in on this device. */
export type KeptSession = { readonly session: string; readonly keys: AccountKeys }

/** A sign-in that waits for a provider to send the person back. */
export type PendingSession = { readonly provider: string; readonly session: string }

export type KeyStore = {
  readonly keep: (kept: KeptSession) => Promise<void>
  readonly restore: () => Promise<KeptSession | undefined>
  readonly keepPending: (pending: PendingSession) => Promise<void>
  /** Gives it once. */
  readonly takePending: () => Promise<PendingSession | undefined>
  /** Local storage is empty when this returns; the rest when its promise is settled. */
  readonly forget: () => Promise<void>
}

const SEAL = 'seal'
const KEYS = 'account'
const SESSION = 'foldboard.session'
const SECRET = 'foldboard.secret'
const PROVIDER = 'foldboard.provider'

/**
 * Keeps a session. IndexedDB holds the account's private key as CryptoKeys that cannot be exported, and one more key
 * that cannot be exported either. Local storage holds only what that one has sealed: the session id, and in place of
 * the secret the id of the private key that belongs to it, so that a session never meets another account's key.
 * Where one of the two is missing (a private window, a full disk) everything still works; nothing is kept.
 */
export const createKeyStore = (opening: Promise<Vault | undefined>, storage: Storage | undefined): KeyStore => {
  let last: Promise<unknown> = Promise.resolve()
  /** One after another, since a person may sign in while a sign-out is still being written. */
  const inTurn = <T>(act: (vault: Vault, storage: Storage) => Promise<T>): Promise<T | undefined> => {
    const turn = last.then(async () => {
      const vault = await opening
      return vault === undefined || storage === undefined ? undefined : databaseWork(act(vault, storage))
    })
    const settled = turn.catch(() => undefined)
    last = settled
    return settled
  }
  const sealAll = async (vault: Vault, entries: Readonly<Record<string, string>>): Promise<void> => {
    const key = (await sealKeyOf(vault)) ?? (await makeSealKey(vault))
    for (const [name, text] of Object.entries(entries)) storage?.setItem(name, await seal(key, name, text))
  }
  return {
    keep: async ({ session, keys }) => {
      await inTurn(async vault => {
        await vault.put(KEYS, keys)
        await sealAll(vault, { [SESSION]: session, [SECRET]: keys.id })
      })
    },
    restore: () =>
      inTurn(async (vault, entries) => {
        const key = await sealKeyOf(vault)
        const keys = await vault.get(KEYS)
        const session = await open(key, entries, SESSION)
        const id = await open(key, entries, SECRET)
        return session !== undefined && isAccountKeys(keys) && keys.id === id ? { session, keys } : undefined
      }),
    keepPending: async pending => {
      await inTurn(vault => sealAll(vault, { [PROVIDER]: JSON.stringify(pending) }))
    },
    takePending: () =>
      inTurn(async (vault, entries) => {
        const text = await open(await sealKeyOf(vault), entries, PROVIDER)
        entries.removeItem(PROVIDER)
        return pendingOf(text)
      }),
    forget: async () => {
      const empty = (): void => [SESSION, SECRET, PROVIDER].forEach(name => storage?.removeItem(name))
      empty()
      await inTurn(async vault => {
        empty()
        await vault.remove([KEYS, SEAL])
      })
    },
  }
}

const sealKeyOf = async (vault: Vault): Promise<CryptoKey | undefined> => {
  const key = await vault.get(SEAL)
  return key instanceof CryptoKey ? key : undefined
}

const makeSealKey = async (vault: Vault): Promise<CryptoKey> => {
  const key = await createSealKey()
  await vault.put(SEAL, key)
  return key
}

const open = async (key: CryptoKey | undefined, entries: Storage, name: string): Promise<string | undefined> => {
  const entry = entries.getItem(name)
  return key === undefined || entry === null ? undefined : unseal(key, name, entry)
}

const isAccountKeys = (value: unknown): value is AccountKeys =>
  typeof value === 'object' &&
  value !== null &&
  'sign' in value &&
  value.sign instanceof CryptoKey &&
  'decrypt' in value &&
  value.decrypt instanceof CryptoKey &&
  'id' in value &&
  'publicKey' in value

const pendingSession = v.object({ provider: v.string(), session: v.string() })

const pendingOf = (text: string | undefined): PendingSession | undefined => {
  const parsed = v.safeParse(pendingSession, text === undefined ? undefined : JSON.parse(text))
  return parsed.success ? parsed.output : undefined
}

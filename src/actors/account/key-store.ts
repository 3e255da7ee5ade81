import * as v from 'valibot'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import { createSealKey, seal, unseal } from './sealed-entry.ts'
import { SESSION } from './stored-session.ts'
import type { Vault } from './vault.ts'

/** What is stored to stay signed in on this device. */
export type StoredSession = { readonly session: string; readonly keys: AccountKeys }

/** A sign-in that waits for the redirect back from a provider. */
export type PendingSession = { readonly provider: string; readonly session: string }

export type KeyStore = {
  readonly save: (stored: StoredSession) => Promise<void>
  readonly restore: () => Promise<StoredSession | undefined>
  readonly savePending: (pending: PendingSession) => Promise<void>
  /** Returns it once and deletes it. */
  readonly takePending: () => Promise<PendingSession | undefined>
  /** Local storage is cleared synchronously, IndexedDB when the promise settles. */
  readonly clear: () => Promise<void>
}

const SEAL = 'seal'
const KEYS = 'account'
const SECRET = 'foldboard.secret'
const PROVIDER = 'foldboard.provider'

/**
 * Stores the session. IndexedDB holds the account's private key and a sealing key, both non-extractable. Local storage
 * holds what the sealing key has encrypted: the session id, and the id of its private key, so that a session is never
 * used with another account's key. Where either storage fails (a private window, a full disk), nothing is stored.
 */
export function createKeyStore(opening: Promise<Vault | undefined>, storage: Storage | undefined): KeyStore {
  let last: Promise<unknown> = Promise.resolve()
  /** One after another: a user may sign in while a sign-out is still being written. */
  const inTurn = <T>(act: (vault: Vault, storage: Storage) => Promise<T>): Promise<T | undefined> => {
    const turn = last.then(async () => {
      const vault = await opening
      return vault === undefined || storage === undefined ? undefined : act(vault, storage)
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
    save: async ({ session, keys }) => {
      await inTurn(async vault => {
        await vault.put(KEYS, keys)
        await sealAll(vault, { [SESSION]: session, [SECRET]: keys.id })
      })
    },
    restore: async () => {
      // Who is not signed in need not wait for the database.
      if ((storage?.getItem(SESSION) ?? undefined) === undefined) return undefined
      return inTurn(async (vault, entries) => {
        const key = await sealKeyOf(vault)
        const keys = await vault.get(KEYS)
        const session = await open(key, entries, SESSION)
        const id = await open(key, entries, SECRET)
        return session !== undefined && isAccountKeys(keys) && keys.id === id ? { session, keys } : undefined
      })
    },
    savePending: async pending => {
      await inTurn(vault => sealAll(vault, { [PROVIDER]: JSON.stringify(pending) }))
    },
    takePending: () =>
      inTurn(async (vault, entries) => {
        const text = await open(await sealKeyOf(vault), entries, PROVIDER)
        entries.removeItem(PROVIDER)
        return pendingOf(text)
      }),
    clear: async () => {
      const empty = (): void => [SESSION, SECRET, PROVIDER].forEach(name => storage?.removeItem(name))
      empty()
      await inTurn(async vault => {
        empty()
        await vault.remove([KEYS, SEAL])
      })
    },
  }
}

async function sealKeyOf(vault: Vault): Promise<CryptoKey | undefined> {
  const key = await vault.get(SEAL)
  return key instanceof CryptoKey ? key : undefined
}

async function makeSealKey(vault: Vault): Promise<CryptoKey> {
  const key = await createSealKey()
  await vault.put(SEAL, key)
  return key
}

async function open(key: CryptoKey | undefined, entries: Storage, name: string): Promise<string | undefined> {
  const entry = entries.getItem(name)
  return key === undefined || entry === null ? undefined : unseal(key, name, entry)
}

function isAccountKeys(value: unknown): value is AccountKeys {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sign' in value &&
    value.sign instanceof CryptoKey &&
    'decrypt' in value &&
    value.decrypt instanceof CryptoKey &&
    'id' in value &&
    'publicKey' in value
  )
}

const pendingSession = v.object({ provider: v.string(), session: v.string() })

function pendingOf(text: string | undefined): PendingSession | undefined {
  const parsed = v.safeParse(pendingSession, text === undefined ? undefined : JSON.parse(text))
  return parsed.success ? parsed.output : undefined
}

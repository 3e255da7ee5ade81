import type { AccountKeys } from '../protocol/keys.ts'

/** What lets a person stay signed in on this device. None of it can be read out: see `openKeyStore`. */
export type KeptSession = { readonly session: string; readonly keys: AccountKeys }

export type KeyStore = {
  readonly keep: (kept: KeptSession) => Promise<void>
  readonly restore: () => Promise<KeptSession | undefined>
  readonly forget: () => Promise<void>
}

type SealedSession = { readonly iv: Uint8Array<ArrayBuffer>; readonly sealed: ArrayBuffer; readonly keys: AccountKeys }

const STORE = 'keys'
const SEAL = 'seal'
const SESSION = 'session'

/**
 * Keeps a session in IndexedDB: the account's private key as CryptoKeys that cannot be exported, and the session id
 * sealed with an AES-GCM key that cannot be exported either. Where there is no IndexedDB (a private window, a full
 * disk) everything still works; nothing is kept.
 */
export const openKeyStore = (factory: IDBFactory | undefined, databaseName: string): KeyStore => {
  let opening: Promise<IDBDatabase | undefined> | undefined
  const database = (): Promise<IDBDatabase | undefined> => (opening ??= openDatabase(factory, databaseName))
  const sealKey = async (db: IDBDatabase): Promise<CryptoKey> => {
    const known = (await run(db, 'readonly', store => store.get(SEAL))) as CryptoKey | undefined
    if (known !== undefined) return known
    const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    await run(db, 'readwrite', store => store.put(made, SEAL))
    return made
  }
  return {
    keep: async ({ session, keys }) => {
      const db = await database()
      if (db === undefined) return
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await sealKey(db), new TextEncoder().encode(session))
      await run(db, 'readwrite', store => store.put({ iv, sealed, keys } satisfies SealedSession, SESSION)).catch(ignore)
    },
    restore: async () => {
      const db = await database()
      if (db === undefined) return undefined
      const kept = (await run(db, 'readonly', store => store.get(SESSION)).catch(ignore)) as SealedSession | undefined
      if (kept === undefined) return undefined
      const opened = await crypto.subtle
        .decrypt({ name: 'AES-GCM', iv: kept.iv }, await sealKey(db), kept.sealed)
        .catch(ignore)
      return opened === undefined ? undefined : { session: new TextDecoder().decode(opened), keys: kept.keys }
    },
    forget: async () => {
      const db = await database()
      if (db !== undefined) await run(db, 'readwrite', store => store.delete(SESSION)).catch(ignore)
    },
  }
}

const ignore = (): undefined => undefined

const openDatabase = (factory: IDBFactory | undefined, name: string): Promise<IDBDatabase | undefined> =>
  new Promise(resolve => {
    if (factory === undefined) return resolve(undefined)
    try {
      const request = factory.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => resolve(undefined)
      request.onblocked = () => resolve(undefined)
    } catch {
      resolve(undefined)
    }
  })

const run = (
  db: IDBDatabase,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode)
    const request = act(transaction.objectStore(STORE)) as IDBRequest<unknown>
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error ?? new Error('The key store failed.'))
    transaction.onabort = () => reject(transaction.error ?? new Error('The key store is full.'))
  })

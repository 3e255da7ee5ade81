/** A small drawer in IndexedDB. It holds what nobody can read out: CryptoKeys that cannot be exported. */
export type Vault = {
  readonly get: (name: string) => Promise<unknown>
  readonly put: (name: string, value: unknown) => Promise<void>
  readonly remove: (names: readonly string[]) => Promise<void>
}

const STORE = 'keys'

/** Undefined where there is no IndexedDB, as in some private windows. */
export const openVault = (factory: IDBFactory | undefined, databaseName: string): Promise<Vault | undefined> =>
  new Promise(resolve => {
    if (factory === undefined) return resolve(undefined)
    try {
      const request = factory.open(databaseName, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE)
      request.onsuccess = () => resolve(vaultOf(request.result))
      request.onerror = () => resolve(undefined)
      request.onblocked = () => resolve(undefined)
    } catch {
      resolve(undefined)
    }
  })

const vaultOf = (db: IDBDatabase): Vault => ({
  get: name => run(db, 'readonly', store => store.get(name)),
  put: async (name, value) => {
    await run(db, 'readwrite', store => store.put(value, name))
  },
  remove: async names => {
    await Promise.all(names.map(name => run(db, 'readwrite', store => store.delete(name))))
  },
})

const run = (db: IDBDatabase, mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, mode)
    const request = act(transaction.objectStore(STORE)) as IDBRequest<unknown>
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error ?? new Error('The key store failed.'))
    transaction.onabort = () => reject(transaction.error ?? new Error('The key store is full.'))
  })

import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from 'idb'

/** A database of plain key-value stores. */
export type Database<Schema extends DBSchema> = IDBPDatabase<Schema>

/** Milliseconds for which something that can go on without the storage waits for it. */
const PATIENCE = 4000

/**
 * Undefined where IndexedDB is missing or refused, as in some private windows. A busy disk may take long: there is no limit
 * after which it counts as refused.
 */
export async function openDatabase<Schema extends DBSchema>(
  name: string,
  stores: readonly StoreNames<Schema>[],
): Promise<Database<Schema> | undefined> {
  try {
    return await openDB<Schema>(name, 1, {
      upgrade: db => {
        for (const store of stores) db.createObjectStore(store)
      },
      // Lets a newer version of this page in another tab upgrade the database.
      blocking: (_, __, event) => {
        if (event.target instanceof IDBDatabase) event.target.close()
      },
    })
  } catch {
    return undefined
  }
}

/** The result of work with a storage, or undefined when it is late; the work goes on. */
export function unlessLate<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<undefined>(resolve => {
    timer = setTimeout(() => resolve(undefined), PATIENCE)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** Whether a write failed since the browser gives no more space. */
export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

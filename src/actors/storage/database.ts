import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from 'idb'

/** A database of plain key-value stores. */
export type Database<Schema extends DBSchema> = IDBPDatabase<Schema>

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

/** Whether a write failed since the browser gives no more space. */
export function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}

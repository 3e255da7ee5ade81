import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from 'idb'
import { withTimeout } from '../loading/with-timeout.ts'

/** A database of plain key-value stores. */
export type Database<Schema extends DBSchema> = IDBPDatabase<Schema>

/** Milliseconds. Some browsers never settle the request to open a database. */
const LONGEST_OPENING = 4000
/** Milliseconds for one operation on an open database. */
const LONGEST_OPERATION = 15_000

/** Undefined where IndexedDB is missing or blocked, as in some private windows. */
export async function openDatabase<Schema extends DBSchema>(
  name: string,
  stores: readonly StoreNames<Schema>[],
): Promise<Database<Schema> | undefined> {
  let opening: Promise<Database<Schema>> | undefined
  try {
    opening = openDB<Schema>(name, 1, {
      upgrade: db => {
        for (const store of stores) db.createObjectStore(store)
      },
      // Lets a newer version of this page in another tab upgrade the database.
      blocking: (_, __, event) => {
        if (event.target instanceof IDBDatabase) event.target.close()
      },
    })
    return await withTimeout(opening, LONGEST_OPENING, () => new Error(`The database ${name} was not opened in time.`))
  } catch {
    // It may still open after the time limit.
    opening?.then(
      database => database.close(),
      () => undefined,
    )
    return undefined
  }
}

/** Rejects when the browser does not settle the operation in time. */
export function withDatabaseTimeout<Value>(work: Promise<Value>): Promise<Value> {
  return withTimeout(work, LONGEST_OPERATION, () => new Error('The database did not answer in time.'))
}

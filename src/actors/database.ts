import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from 'idb'
import { inTime } from '../loading/in-time.ts'

/** A database of plain key-value stores. */
export type Database<Schema extends DBSchema> = IDBPDatabase<Schema>

/** Milliseconds. Some browsers neither open a database nor refuse to. */
const LONGEST_OPENING = 4000
/** Milliseconds for one piece of work with a database that was opened. */
const LONGEST_WORK = 15_000

/** Undefined where a browser keeps none, as in some private windows: everything must work without. */
export const openDatabase = async <Schema extends DBSchema>(
  name: string,
  stores: readonly StoreNames<Schema>[],
): Promise<Database<Schema> | undefined> => {
  let opening: Promise<Database<Schema>> | undefined
  try {
    opening = openDB<Schema>(name, 1, {
      upgrade: db => {
        for (const store of stores) db.createObjectStore(store)
      },
      // A later version of this page, in another tab, could not open it otherwise.
      blocking: (_, __, event) => {
        if (event.target instanceof IDBDatabase) event.target.close()
      },
    })
    return await inTime(opening, LONGEST_OPENING, () => new Error(`The database ${name} was not opened in time.`))
  } catch {
    // It may be opened after all: nobody would use it.
    opening?.then(
      database => database.close(),
      () => undefined,
    )
    return undefined
  }
}

/** Rejects when the browser never finishes the work, so that what waits for it goes on. */
export const databaseWork = <Value>(work: Promise<Value>): Promise<Value> =>
  inTime(work, LONGEST_WORK, () => new Error('The database did not answer in time.'))

import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from 'idb'

/** A database of plain key-value stores. */
export type Database<Schema extends DBSchema> = IDBPDatabase<Schema>

/** Undefined where a browser keeps none, as in some private windows: everything must work without. */
export const openDatabase = async <Schema extends DBSchema>(
  name: string,
  stores: readonly StoreNames<Schema>[],
): Promise<Database<Schema> | undefined> => {
  try {
    return await openDB<Schema>(name, 1, {
      upgrade: db => {
        for (const store of stores) db.createObjectStore(store)
      },
    })
  } catch {
    return undefined
  }
}

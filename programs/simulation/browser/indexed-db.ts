import * as fake from 'fake-indexeddb'
import { writeToDisk } from './disk.ts'

const { IDBCursor, IDBCursorWithValue, IDBDatabase, IDBFactory, IDBIndex, IDBKeyRange, IDBObjectStore } = fake
const { IDBOpenDBRequest, IDBRequest, IDBTransaction, IDBVersionChangeEvent } = fake

/** The classes of IndexedDB, which `idb` looks for. */
export const idbClasses = {
  IDBCursor,
  IDBCursorWithValue,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBOpenDBRequest,
  IDBRequest,
  IDBTransaction,
  IDBVersionChangeEvent,
}

for (const name of ['add', 'put'] as const) {
  const write = Reflect.get(IDBObjectStore.prototype, name)
  Object.defineProperty(IDBObjectStore.prototype, name, {
    value(this: IDBObjectStore, ...parameters: readonly unknown[]): unknown {
      writeToDisk(parameters[0], this.transaction.db.name)
      return Reflect.apply(write, this, parameters)
    },
  })
}

import * as fake from 'fake-indexeddb'

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

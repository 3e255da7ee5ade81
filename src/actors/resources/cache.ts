import type { DBSchema } from 'idb'
import { openDatabase } from '../storage/database.ts'
import { unlessLate } from '../storage/unless-late.ts'

/** Personal data has a partition of its own, which is cleared at sign-out. */
export type CachePartition = 'shared' | 'personal'

export type CachedResource = {
  /** When it was fetched: corrected epoch milliseconds. */
  readonly at: number
  /** The body as received; undefined for 404. */
  readonly body: unknown
}

/** Cache of remote values. Never rejects: without working storage, entries last until the page is closed. */
export type Cache = {
  readonly read: (partition: CachePartition, key: string) => Promise<CachedResource | undefined>
  /** As `read`, but without waiting for a storage that is late. */
  readonly readSoon: (partition: CachePartition, key: string) => Promise<CachedResource | undefined>
  /** Settles when the entry is stored, or when the storage is late: it is stored then as well. */
  readonly write: (partition: CachePartition, key: string, entry: CachedResource) => Promise<void>
  readonly clear: (partition: CachePartition) => Promise<void>
}

/** Persistent storage of entries, shared with other tabs. */
export type CacheStore = {
  readonly get: (partition: CachePartition, key: string) => Promise<CachedResource | undefined>
  readonly put: (partition: CachePartition, key: string, entry: CachedResource) => Promise<unknown>
  readonly clear: (partition: CachePartition) => Promise<void>
  /** Deletes entries fetched before this time. */
  readonly prune: (before: number) => Promise<void>
}

type CacheSchema = DBSchema & {
  shared: { key: string; value: CachedResource }
  personal: { key: string; value: CachedResource }
}

const PARTITIONS: readonly CachePartition[] = ['shared', 'personal']

/** Undefined where IndexedDB does not work. */
export async function openCacheStore(databaseName: string): Promise<CacheStore | undefined> {
  const db = await openDatabase<CacheSchema>(databaseName, PARTITIONS)
  if (db === undefined) return undefined
  return {
    get: (partition, key) => db.get(partition, key),
    put: (partition, key, entry) => db.put(partition, entry, key),
    clear: partition => db.clear(partition),
    prune: async before => {
      const transaction = db.transaction(PARTITIONS, 'readwrite')
      for (const partition of PARTITIONS)
        for await (const cursor of transaction.objectStore(partition))
          if (cursor.value.at < before) await cursor.delete()
      await transaction.done
    },
  }
}

/** Milliseconds: 60 days. */
const MAX_AGE = 60 * 24 * 60 * 60 * 1000

/** `cacheStore`: undefined without IndexedDB; entries are then in memory only. */
export function createCache(cacheStore: Promise<CacheStore | undefined>, now: () => number): Cache {
  const memory: Record<CachePartition, Map<string, CachedResource>> = { shared: new Map(), personal: new Map() }
  const tryStore = async <T>(run: (opened: CacheStore) => Promise<T>): Promise<T | undefined> => {
    const opened = await cacheStore
    try {
      return opened === undefined ? undefined : await run(opened)
    } catch {
      // The store is full or damaged: the entry in memory remains.
      return undefined
    }
  }
  void tryStore(opened => opened.prune(now() - MAX_AGE))
  const stored = (partition: CachePartition, key: string): Promise<CachedResource | undefined> =>
    tryStore(opened => opened.get(partition, key))
  const newer = (partition: CachePartition, key: string, entry: CachedResource | undefined) => {
    const inMemory = memory[partition].get(key)
    return entry === undefined || (inMemory !== undefined && inMemory.at > entry.at) ? inMemory : entry
  }
  return {
    read: async (partition, key) => newer(partition, key, await stored(partition, key)),
    readSoon: async (partition, key) => newer(partition, key, await unlessLate(stored(partition, key))),
    write: async (partition, key, entry) => {
      memory[partition].set(key, entry)
      await unlessLate(tryStore(opened => opened.put(partition, key, entry)))
    },
    clear: async partition => {
      memory[partition].clear()
      await tryStore(opened => opened.clear(partition))
    },
  }
}

import type { DBSchema } from 'idb'
import { databaseWork, openDatabase } from '../database.ts'

/** What tells of a person lies apart, so that all of it can be thrown away at once. */
export type Drawer = 'shared' | 'personal'

export type Entry = {
  /** When it was fetched, in corrected epoch milliseconds. */
  readonly at: number
  /** As it came; undefined: there is none (404). */
  readonly body: unknown
}

/** What this browser keeps of remote values. It never fails: a browser that keeps nothing, or is full, forgets sooner. */
export type Cache = {
  readonly read: (drawer: Drawer, key: string) => Promise<Entry | undefined>
  readonly write: (drawer: Drawer, key: string, entry: Entry) => Promise<void>
  readonly clear: (drawer: Drawer) => Promise<void>
}

/** Where entries lie, other tabs' among them. */
export type Shelf = {
  readonly get: (drawer: Drawer, key: string) => Promise<Entry | undefined>
  readonly put: (drawer: Drawer, key: string, entry: Entry) => Promise<unknown>
  readonly clear: (drawer: Drawer) => Promise<void>
  /** Removes what is older than this instant. */
  readonly prune: (before: number) => Promise<void>
}

type CacheSchema = DBSchema & { shared: { key: string; value: Entry }; personal: { key: string; value: Entry } }

const DRAWERS: readonly Drawer[] = ['shared', 'personal']

/** Undefined where there is no IndexedDB. */
export const openShelf = async (databaseName: string): Promise<Shelf | undefined> => {
  const db = await openDatabase<CacheSchema>(databaseName, DRAWERS)
  if (db === undefined) return undefined
  return {
    get: (drawer, key) => db.get(drawer, key),
    put: (drawer, key, entry) => db.put(drawer, entry, key),
    clear: drawer => db.clear(drawer),
    prune: async before => {
      const transaction = db.transaction(DRAWERS, 'readwrite')
      for (const drawer of DRAWERS)
        for await (const cursor of transaction.objectStore(drawer)) if (cursor.value.at < before) await cursor.delete()
      await transaction.done
    },
  }
}

const OLDEST = 60 * 24 * 60 * 60 * 1000

/** `shelf`: undefined where a browser has none; then the memory of this page is all there is. */
export const createCache = (shelf: Promise<Shelf | undefined>, now: () => number): Cache => {
  const memory: Record<Drawer, Map<string, Entry>> = { shared: new Map(), personal: new Map() }
  const attempt = async <T>(run: (opened: Shelf) => Promise<T>): Promise<T | undefined> => {
    const opened = await shelf
    try {
      return opened === undefined ? undefined : await databaseWork(run(opened))
    } catch {
      // A full or a damaged store: what is in memory holds until the page is closed.
      return undefined
    }
  }
  void attempt(opened => opened.prune(now() - OLDEST))
  return {
    read: async (drawer, key) => {
      const shelved = await attempt(opened => opened.get(drawer, key))
      const remembered = memory[drawer].get(key)
      return shelved === undefined || (remembered !== undefined && remembered.at > shelved.at) ? remembered : shelved
    },
    write: async (drawer, key, entry) => {
      memory[drawer].set(key, entry)
      await attempt(opened => opened.put(drawer, key, entry))
    },
    clear: async drawer => {
      memory[drawer].clear()
      await attempt(opened => opened.clear(drawer))
    },
  }
}

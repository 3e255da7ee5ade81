import type { Vault } from '../../src/actors/account/vault.ts'
import type { CachePartition, CachedResource, CacheStore } from '../../src/actors/resources/cache.ts'
import { openIncidentDatabase, type OpenIncidents } from '../../src/actors/incidents/incident-store.ts'
import { openUnitDatabase, type UnitDatabase } from '../../src/actors/storage/unit-store.ts'

/** What a browser keeps of a page, in memory. Nothing in it outlives the test. */
export type Device = {
  readonly storage: Storage
  readonly vault: Vault
  readonly cacheStore: CacheStore
  /** Where the history of units is kept; nowhere, unless the test brings an IndexedDB. */
  readonly openUnits: () => Promise<UnitDatabase | undefined>
  readonly openIncidents: OpenIncidents
  /** Everything in it that can be read, as one text. */
  readonly readable: () => string
  /** Names of what the vault holds. */
  readonly locked: () => readonly string[]
}

export function createDevice(): Device {
  const entries = new Map<string, string>()
  const stored = new Map<string, unknown>()
  const units = `units of ${crypto.randomUUID()}`
  const incidents = `incidents of ${crypto.randomUUID()}`
  const partitions: Record<CachePartition, Map<string, CachedResource>> = { shared: new Map(), personal: new Map() }
  return {
    storage: {
      getItem: name => entries.get(name) ?? null,
      setItem: (name, value) => void entries.set(name, value),
      removeItem: name => void entries.delete(name),
      clear: () => entries.clear(),
      key: index => [...entries.keys()][index] ?? null,
      get length() {
        return entries.size
      },
    },
    // As a browser keeps it: by structured copies.
    vault: {
      get: name => Promise.resolve(structuredClone(stored.get(name))),
      put: (name, value) => {
        stored.set(name, structuredClone(value))
        return Promise.resolve()
      },
      remove: names => {
        for (const name of names) stored.delete(name)
        return Promise.resolve()
      },
    },
    openUnits: () => openUnitDatabase(units),
    openIncidents: () => openIncidentDatabase(incidents),
    cacheStore: {
      get: (partition, key) => Promise.resolve(structuredClone(partitions[partition].get(key))),
      put: (partition, key, entry) => Promise.resolve(partitions[partition].set(key, structuredClone(entry))),
      clear: partition => {
        partitions[partition].clear()
        return Promise.resolve()
      },
      prune: before => {
        for (const partition of Object.values(partitions))
          for (const [key, { at }] of partition) if (at < before) partition.delete(key)
        return Promise.resolve()
      },
    },
    readable: () => JSON.stringify([...entries, ...stored, ...partitions.shared, ...partitions.personal]),
    locked: () => [...stored.keys()],
  }
}

import type { DBSchema } from 'idb'
import { openDatabase } from '../storage/database.ts'

/** IndexedDB store for non-extractable CryptoKeys. */
export type Vault = {
  readonly get: (name: string) => Promise<unknown>
  readonly put: (name: string, value: unknown) => Promise<void>
  readonly remove: (names: readonly string[]) => Promise<void>
}

type VaultSchema = DBSchema & { keys: { key: string; value: unknown } }

/** Undefined where IndexedDB does not work. */
export async function openVault(databaseName: string): Promise<Vault | undefined> {
  const db = await openDatabase<VaultSchema>(databaseName, ['keys'])
  if (db === undefined) return undefined
  return {
    get: name => db.get('keys', name),
    put: async (name, value) => {
      await db.put('keys', value, name)
    },
    remove: async names => {
      const transaction = db.transaction('keys', 'readwrite')
      await Promise.all([...names.map(name => transaction.store.delete(name)), transaction.done])
    },
  }
}

import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDevice } from '../../test/fakes/device.ts'
import { createKeyStore } from './account/key-store.ts'
import { openVault, type Vault } from './account/vault.ts'
import { openDatabase } from './database.ts'
import { createCache, type CacheStore } from './resources/cache.ts'

type Schema = { readonly things: { readonly key: string; readonly value: number } }

function never<Value>(): Promise<Value> {
  return new Promise(() => undefined)
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a database', () => {
  it('is opened, and can be upgraded by another version', async () => {
    const db = await openDatabase<Schema>('test', ['things'])
    await db?.put('things', 1, 'one')
    expect(await db?.get('things', 'one')).toBe(1)
    const upgraded = await new Promise<number>((resolve, reject) => {
      const request = indexedDB.open('test', 2)
      request.onsuccess = () => resolve(request.result.version)
      request.onblocked = () => reject(new Error('blocked'))
    })
    expect(upgraded).toBe(2)
  })

  it('is undefined where the browser never settles the request', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('indexedDB', { open: () => new EventTarget() })
    const opening = openVault('test')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await opening).toBeUndefined()
  })

  it('that never answers blocks neither the session nor remote values', async () => {
    vi.useFakeTimers()
    const { storage } = createDevice()
    const vault: Vault = { get: never, put: never, remove: never }
    const cacheStore: CacheStore = { get: never, put: never, clear: never, prune: never }
    const keyStore = createKeyStore(Promise.resolve(vault), storage)
    const cache = createCache(Promise.resolve(cacheStore), () => 1)
    const restoring = keyStore.restore()
    const writing = cache.write('shared', 'causes', { at: 1, body: 'any' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await restoring).toBeUndefined()
    await writing
    const reading = cache.read('shared', 'causes')
    await vi.advanceTimersByTimeAsync(20_000)
    expect((await reading)?.body).toBe('any')
  })
})

import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDevice } from '../../../test/fakes/device.ts'
import { generateKeyPair } from '../../protocol/crypto/keys.ts'
import { createKeyStore } from '../account/key-store.ts'
import { openVault, type Vault } from '../account/vault.ts'
import { openDatabase } from './database.ts'
import { createCache, type CacheStore } from '../resources/cache.ts'

type Schema = { readonly things: { readonly key: string; readonly value: number } }

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

  it('that is opened late is waited for, and undefined only where the browser refuses it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const original = indexedDB
    const arrived: (() => void)[] = []
    vi.stubGlobal('indexedDB', {
      open: (...wanted: Parameters<IDBFactory['open']>) => {
        const request = original.open(...wanted)
        const add = request.addEventListener.bind(request)
        request.addEventListener = (type: string, listener: EventListenerOrEventListenerObject) =>
          add(type, event => {
            if (typeof listener !== 'function') return
            if (type === 'success') arrived.push(() => listener.call(request, event))
            else listener.call(request, event)
          })
        return request
      },
    })
    const opening = openDatabase<Schema>('late', ['things'])
    await vi.waitFor(() => expect(arrived.length).toBe(1), 20_000)
    await vi.advanceTimersByTimeAsync(60_000)
    arrived[0]?.()
    expect((await opening)?.name).toBe('late')
    vi.stubGlobal('indexedDB', {
      open: () => {
        throw new DOMException('No.', 'SecurityError')
      },
    })
    expect(await openVault('test')).toBeUndefined()
  })

  it('that is late blocks no remote values, and has what was written meanwhile', async () => {
    vi.useFakeTimers()
    let openLate: (store: CacheStore) => void = () => undefined
    const cache = createCache(new Promise(resolve => (openLate = resolve)), () => 1)
    const [soon, whole] = [cache.readSoon('shared', 'causes'), cache.read('shared', 'causes')]
    const writing = cache.write('personal', 'me', { at: 2, body: 'new' })
    const written = cache.readSoon('personal', 'me')
    await vi.advanceTimersByTimeAsync(10_000)
    await writing
    expect({ soon: await soon, body: (await written)?.body }).toEqual({ soon: undefined, body: 'new' })
    const put: unknown[] = []
    openLate({
      get: () => Promise.resolve({ at: 1, body: 'stored' }),
      put: (_, key, { body }) => Promise.resolve(put.push([key, body])),
      clear: () => Promise.resolve(),
      prune: () => Promise.resolve(),
    })
    expect((await whole)?.body).toBe('stored')
    expect({ put, body: (await cache.read('personal', 'me'))?.body }).toEqual({ put: [['me', 'new']], body: 'new' })
  })

  it('that is late restores the session, unless another was saved meanwhile', async () => {
    const { vault, storage } = createDevice()
    const keys = await generateKeyPair(1024)
    await createKeyStore(Promise.resolve(vault), storage).save({ session: 'one', keys })
    const openings = [1, 2].map(() => {
      let open: (vault: Vault) => void = () => undefined
      const opening = new Promise<Vault>(resolve => (open = resolve))
      return { open: () => open(vault), keyStore: createKeyStore(opening, storage) }
    })
    const [first, second] = openings
    const restoring = first?.keyStore.restore()
    first?.open()
    expect((await restoring)?.session).toBe('one')
    const early = second?.keyStore.restore()
    const saving = second?.keyStore.save({ session: 'two', keys })
    second?.open()
    await Promise.all([early, saving])
    expect((await second?.keyStore.restore())?.session).toBe('two')
  })

  it('is not waited for by someone who is not signed in', async () => {
    const { storage } = createDevice()
    expect(await createKeyStore(new Promise(() => undefined), storage).restore()).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { exportPrivateKey, generateKeyPair } from '../../protocol/keys.ts'
import { createKeyStore } from './key-store.ts'
import type { Vault } from './vault.ts'

/** As a browser keeps it: by structured copies. */
const memoryVault = () => {
  const kept = new Map<string, unknown>()
  const vault: Vault = {
    get: name => Promise.resolve(structuredClone(kept.get(name))),
    put: (name, value) => {
      kept.set(name, structuredClone(value))
      return Promise.resolve()
    },
    remove: names => {
      for (const name of names) kept.delete(name)
      return Promise.resolve()
    },
  }
  return { kept, vault }
}

const memoryStorage = (): Storage => {
  const entries = new Map<string, string>()
  return {
    getItem: name => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: name => void entries.delete(name),
    clear: () => entries.clear(),
    key: index => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size
    },
  }
}

const entriesOf = (storage: Storage): readonly string[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').map(name => storage.getItem(name) ?? '')

const keys = await generateKeyPair(1024)

const openStore = () => {
  const { kept, vault } = memoryVault()
  const storage = memoryStorage()
  return { kept, storage, vault, store: createKeyStore(Promise.resolve(vault), storage) }
}

describe('the key store', () => {
  it('gives back the session and keys that it kept', async () => {
    const { store } = openStore()
    await store.keep({ session: 'the session', keys })
    const restored = await store.restore()
    expect([restored?.session, restored?.keys.id, restored?.keys.publicKey]).toEqual(['the session', keys.id, keys.publicKey])
  })

  it('keeps nothing that can be read: no session id in local storage, no key that can be exported', async () => {
    const { store, storage, kept } = openStore()
    await store.keep({ session: 'the session', keys })
    expect(entriesOf(storage)).toHaveLength(2)
    expect(entriesOf(storage).join()).not.toMatch(/the session/)
    const restored = await store.restore()
    await expect(exportPrivateKey(restored?.keys ?? keys)).rejects.toThrow()
    const seal = kept.get('seal')
    expect(seal instanceof CryptoKey && seal.extractable).toBe(false)
  })

  it('leaves nothing when it forgets, and nothing in local storage from the first moment', async () => {
    const { store, storage, kept } = openStore()
    await store.keep({ session: 'the session', keys })
    const forgetting = store.forget()
    expect(entriesOf(storage)).toEqual([])
    await forgetting
    expect([[...kept.keys()], await store.restore()]).toEqual([[], undefined])
  })

  it('keeps a sign-in that comes while a sign-out is being written', async () => {
    const { store } = openStore()
    await store.keep({ session: 'first', keys })
    void store.forget()
    await store.keep({ session: 'second', keys })
    expect((await store.restore())?.session).toBe('second')
  })

  it.each([
    ['a session that was sealed under another name', (storage: Storage) => storage.setItem('foldboard.session', storage.getItem('foldboard.secret') ?? '')],
    ['a session without its key', (storage: Storage) => storage.removeItem('foldboard.secret')],
    ['an entry that somebody changed', (storage: Storage) => storage.setItem('foldboard.session', 'AAAA.BBBB')],
  ])('does not open %s', async (_, spoil) => {
    const { store, storage } = openStore()
    await store.keep({ session: 'the session', keys })
    spoil(storage)
    expect(await store.restore()).toBeUndefined()
  })

  it('never lets a session meet the key of another account', async () => {
    const { store, vault } = openStore()
    await store.keep({ session: 'the session', keys })
    await vault.put('account', await generateKeyPair(1024))
    expect(await store.restore()).toBeUndefined()
  })

  it('gives a pending sign-in once', async () => {
    const { store, storage } = openStore()
    await store.keepPending({ provider: 'acme', session: 'pending session' })
    expect(entriesOf(storage).join()).not.toMatch(/pending session/)
    expect([await store.takePending(), await store.takePending()]).toEqual([{ provider: 'acme', session: 'pending session' }, undefined])
  })

  it('keeps nothing, and breaks nothing, where a browser keeps nothing', async () => {
    for (const store of [createKeyStore(Promise.resolve(undefined), memoryStorage()), createKeyStore(Promise.resolve(memoryVault().vault), undefined)]) {
      await store.keep({ session: 'the session', keys })
      expect(await store.restore()).toBeUndefined()
      await store.forget()
    }
  })
})

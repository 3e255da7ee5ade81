import { describe, expect, it } from 'vitest'
import { createDevice } from '../../../test/fakes/device.ts'
import { exportPrivateKey, generateKeyPair } from '../../protocol/crypto/keys.ts'
import { createKeyStore } from './key-store.ts'

function entriesOf(storage: Storage): readonly string[] {
  return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').map(
    name => storage.getItem(name) ?? '',
  )
}

const keys = await generateKeyPair(1024)

function openStore() {
  const device = createDevice()
  return { ...device, store: createKeyStore(Promise.resolve(device.vault), device.storage) }
}

describe('the key store', () => {
  it('restores the stored session and keys', async () => {
    const { store } = openStore()
    await store.save({ session: 'the session', keys })
    const restored = await store.restore()
    expect(restored?.session).toBe('the session')
    expect(restored?.keys.id).toEqual(keys.id)
    expect(restored?.keys.publicKey).toEqual(keys.publicKey)
  })

  it('stores nothing readable: no session id in local storage, no extractable key [9.18, 12.3]', async () => {
    const { store, storage, vault } = openStore()
    await store.save({ session: 'the session', keys })
    expect(entriesOf(storage)).toHaveLength(2)
    expect(entriesOf(storage).join()).not.toMatch(/the session/)
    const restored = await store.restore()
    await expect(exportPrivateKey(restored?.keys ?? keys)).rejects.toThrow()
    const seal = await vault.get('seal')
    expect(seal instanceof CryptoKey && seal.extractable).toBe(false)
  })

  it('stores nothing after clear, and nothing in local storage at once', async () => {
    const { store, storage, locked } = openStore()
    await store.save({ session: 'the session', keys })
    const forgetting = store.clear()
    expect(entriesOf(storage)).toEqual([])
    await forgetting
    expect({ locked: locked(), restore: await store.restore() }).toEqual({ locked: [], restore: undefined })
  })

  it('stores a sign-in that follows while a sign-out is being written', async () => {
    const { store } = openStore()
    await store.save({ session: 'first', keys })
    void store.clear()
    await store.save({ session: 'second', keys })
    expect((await store.restore())?.session).toBe('second')
  })

  it.each([
    [
      'a session that was sealed under another name',
      (storage: Storage) => storage.setItem('foldboard.session', storage.getItem('foldboard.secret') ?? ''),
    ],
    ['a session without its key', (storage: Storage) => storage.removeItem('foldboard.secret')],
    ['an entry that was changed', (storage: Storage) => storage.setItem('foldboard.session', 'AAAA.BBBB')],
  ])('does not open %s', async (_, spoil) => {
    const { store, storage } = openStore()
    await store.save({ session: 'the session', keys })
    spoil(storage)
    expect(await store.restore()).toBeUndefined()
  })

  it('never combines a session with the key of another account', async () => {
    const { store, vault } = openStore()
    await store.save({ session: 'the session', keys })
    await vault.put('account', await generateKeyPair(1024))
    expect(await store.restore()).toBeUndefined()
  })

  it('returns a pending sign-in once', async () => {
    const { store, storage } = openStore()
    await store.savePending({ provider: 'acme', session: 'pending session' })
    expect(entriesOf(storage).join()).not.toMatch(/pending session/)
    expect(await store.takePending()).toEqual({ provider: 'acme', session: 'pending session' })
    expect(await store.takePending()).toBeUndefined()
  })

  it('stores nothing, and does not fail, without storage', async () => {
    for (const store of [
      createKeyStore(Promise.resolve(undefined), createDevice().storage),
      createKeyStore(Promise.resolve(createDevice().vault), undefined),
    ]) {
      await store.save({ session: 'the session', keys })
      expect(await store.restore()).toBeUndefined()
      await store.clear()
    }
  })
})

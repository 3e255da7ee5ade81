import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCache, openCacheStore, type CacheStore } from './cache.ts'

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

const DAY = 86_400_000
const NOW = 100 * DAY
function now(): number {
  return NOW
}

const broken: CacheStore = {
  get: () => Promise.reject(new Error('damaged')),
  put: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
  clear: () => Promise.reject(new Error('damaged')),
  prune: () => Promise.reject(new Error('damaged')),
}

describe.each([
  ['in IndexedDB', () => openCacheStore('test')],
  ['in memory alone', () => Promise.resolve(undefined)],
  ['beside a store that is full or damaged', () => Promise.resolve(broken)],
])('what is kept %s', (_, open) => {
  it('is read as it was written, by partition and key', async () => {
    const cache = createCache(open(), now)
    await cache.write('shared', 'causes', { at: NOW, body: ['any'] })
    await cache.write('personal', 'causes', { at: NOW, body: undefined })
    expect(await cache.read('shared', 'causes')).toEqual({ at: NOW, body: ['any'] })
    expect(await cache.read('personal', 'causes')).toEqual({ at: NOW, body: undefined })
    expect(await cache.read('shared', 'news')).toBeUndefined()
  })

  it('is gone when its partition is cleared directly after the write', async () => {
    const cache = createCache(open(), now)
    await cache.write('shared', 'causes', { at: NOW, body: 1 })
    const written = cache.write('personal', 'user/Ada/7', { at: NOW, body: 'Ada' })
    await Promise.all([written, cache.clear('personal')])
    expect(await cache.read('personal', 'user/Ada/7')).toBeUndefined()
    expect(await cache.read('shared', 'causes')).toEqual({ at: NOW, body: 1 })
  })
})

describe('another tab', () => {
  it('reads what this one has fetched, and the newer of two', async () => {
    const [one, other] = [createCache(openCacheStore('test'), now), createCache(openCacheStore('test'), now)]
    await one.write('shared', 'news', { at: NOW, body: 'old' })
    expect(await other.read('shared', 'news')).toEqual({ at: NOW, body: 'old' })
    await other.write('shared', 'news', { at: NOW + 1, body: 'new' })
    expect(await one.read('shared', 'news')).toEqual({ at: NOW + 1, body: 'new' })
  })

  it('reads nothing older than two months', async () => {
    const one = createCache(openCacheStore('test'), now)
    await one.write('shared', 'project/1', { at: NOW - 61 * DAY, body: 1 })
    await one.write('shared', 'project/2', { at: NOW - 59 * DAY, body: 2 })
    const other = createCache(openCacheStore('test'), now)
    await other.write('shared', 'project/3', { at: NOW, body: 3 })
    expect(await Promise.all([1, 2, 3].map(async id => (await other.read('shared', `project/${id}`))?.body))).toEqual([
      undefined,
      2,
      3,
    ])
  })
})

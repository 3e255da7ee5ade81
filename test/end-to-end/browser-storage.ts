import type { Page } from '@playwright/test'

type BrowserStorage = {
  /** Everything that can be read of what the browser keeps for this page, as one text; packed data unpacked. */
  readonly text: string
  readonly keys: readonly { readonly type: string; readonly extractable: boolean }[]
}

/** Cookies, local and session storage, IndexedDB, Cache Storage, and the page's own list of the addresses that it asked. */
export function readBrowserStorage(page: Page): Promise<BrowserStorage> {
  return page.evaluate(readEverything)
}

/** Runs in the page. */
async function readEverything(): Promise<BrowserStorage> {
  const keys: { type: string; extractable: boolean }[] = []
  const texts: string[] = [
    document.cookie,
    JSON.stringify(localStorage),
    JSON.stringify(sessionStorage),
    location.href,
    JSON.stringify(history.state),
  ]
  texts.push(JSON.stringify(performance.getEntries()))
  const readBytes = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    texts.push(Array.from(bytes, byte => String.fromCharCode(byte)).join(''), new TextDecoder().decode(bytes))
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    texts.push(await new Response(unpacked).text().catch(() => ''))
  }
  const read = async (value: unknown): Promise<void> => {
    if (value instanceof CryptoKey) keys.push({ type: value.type, extractable: value.extractable })
    else if (value instanceof Blob) await readBytes(new Uint8Array(await value.arrayBuffer()))
    else if (value instanceof ArrayBuffer) await readBytes(new Uint8Array(value))
    else if (ArrayBuffer.isView(value))
      await readBytes(new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength))
    else if (value instanceof Map || value instanceof Set || Array.isArray(value))
      for (const item of value as Iterable<unknown>) await read(item)
    else if (typeof value === 'object' && value !== null) for (const entry of Object.entries(value)) await read(entry)
    else texts.push(String(value))
  }
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(new Error('The database cannot be read.'))
    })
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name))
    for (const storeName of database.objectStoreNames) {
      const store = database.transaction(storeName).objectStore(storeName)
      const [names, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())])
      await read(names)
      await read(values)
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const response = await cache.match(request)
      texts.push(request.url, (await response?.text()) ?? '')
    }
  }
  return { keys, text: texts.join('\n') }
}

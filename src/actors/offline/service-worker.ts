import { PrecacheController } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { NetworkFirst } from 'workbox-strategies'
import { alertOf } from './push-message.ts'
import { isSameVersion, outdatedCaches, textsOfLanguages, type CachedFile } from './offline-files.ts'

/*
 * The service worker. It stores the built files, so that the page opens without a network. Nothing else is stored:
 * requests to the API, to clients and to `/ping` pass by it.
 *
 * - Navigations are answered by the server, because the host writes settings into index.html and because a reload must
 *   lead to the newest version. The stored page answers when the server does not, or is too slow.
 * - Texts are stored in the languages that were asked for, English with the code.
 * - Files in /assets/ are named by their content, so they are answered from the store of any version. The store of the
 *   previous version is kept for tabs that still run it.
 */

type ExtendableEvent = Event & { readonly waitUntil: (work: Promise<unknown>) => void }

type ServiceWorkerScope = {
  /** The build inserts the list of files here. */
  readonly __WB_MANIFEST: readonly CachedFile[]
  /** … and here the addresses of all texts in other languages. */
  readonly __TEXTS: readonly string[]
  readonly location: Location
  readonly navigator: Navigator & { readonly connection?: { readonly saveData?: boolean } }
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    readonly claim: () => Promise<void>
    readonly matchAll: (options: { readonly type: 'window' }) => Promise<readonly WindowClient[]>
    readonly openWindow: (url: string) => Promise<unknown>
  }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: ((type: 'install' | 'activate', listener: (event: ExtendableEvent) => void) => void) &
    ((type: 'notificationclick', listener: (event: NotificationClick) => void) => void) &
    ((type: 'push', listener: (event: PushReceived) => void) => void)
}

type WindowClient = {
  readonly focus: () => Promise<WindowClient>
  readonly navigate: (url: string) => Promise<unknown>
}

type NotificationClick = ExtendableEvent & { readonly notification: Notification }

type PushReceived = ExtendableEvent & { readonly data: { readonly text: () => string } | null }

declare const self: ServiceWorkerScope

const PAGE = '/index.html'
/** Seconds that the server has to answer a navigation. */
const NAVIGATION_TIMEOUT = 3
/** Milliseconds. A browser looks for a new service worker while a page loads; its files are fetched after that. */
const UPDATE_DELAY = 8000
/** Addresses that are not answered with the page. */
const notPages = [/^\/api(?:\/|$)/, /^\/ping$/, /^\/assets\//, /^\/icons\//, /^\/[\w-]+\.\w+$/]

const files = self.__WB_MANIFEST
const PREFIX = 'foldboard-files-'
/** A store for each version, named by the address or the revision of its page. */
const cacheName = `${PREFIX}${files.find(({ url }) => url === 'index.html')?.revision ?? ''}`

const store = new PrecacheController({ cacheName, fallbackToNetwork: true })
store.addToCacheList(files.map(({ url, revision }) => ({ url: `/${url}`, revision })))

const textFiles = self.__TEXTS

/** Stores the texts of the languages of these addresses. Without them the page is in English while there is no network. */
async function storeTexts(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName)
  for (const address of textsOfLanguages(textFiles, addresses))
    if ((await cache.match(address, { ignoreVary: true })) === undefined)
      await cache.add(address).catch(() => undefined)
}

/** What any version stored. */
async function storedAddresses(): Promise<readonly string[]> {
  const names = (await caches.keys()).filter(name => name.startsWith(PREFIX))
  const requests = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
  return requests.flat().map(({ url }) => url)
}

async function install(event: ExtendableEvent): Promise<void> {
  // `active` is the previous version. It stays in use when this one is not installed.
  if (self.registration.active !== null) {
    if (self.navigator.connection?.saveData === true) throw new Error('The user asked the browser to save data.')
    await new Promise(resolve => setTimeout(resolve, UPDATE_DELAY))
  }
  await store.install(event as Parameters<typeof store.install>[0])
  await storeTexts(await storedAddresses())
  await self.skipWaiting()
}

async function activate(): Promise<void> {
  const names = (await caches.keys()).filter(name => name.startsWith(PREFIX))
  for (const name of outdatedCaches(names, cacheName)) await caches.delete(name)
  // The server is asked while this worker starts.
  await self.registration.navigationPreload.enable()
  await self.clients.claim()
}

self.addEventListener('install', event => event.waitUntil(install(event)))
self.addEventListener('activate', event => event.waitUntil(activate()))

/** A click on a notification leads to the incidents, in a tab that is open already if there is one. */
async function showIncidents({ notification }: NotificationClick): Promise<void> {
  notification.close()
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (open === undefined) await self.clients.openWindow('/attention')
  // A browser may refuse the focus, as when the click was long ago.
  else await (await open.focus().catch(() => open)).navigate('/attention')
}

self.addEventListener('notificationclick', event => event.waitUntil(showIncidents(event)))

/** An alert of the server. A browser demands that each one is shown. One that is sent again replaces the first. */
function showAlert(text: string): Promise<void> {
  const { id, title, body } = alertOf(text)
  const icon = '/icons/icon-192.png'
  return self.registration.showNotification(title, { body, tag: `alert-${id}`, icon, badge: icon })
}

self.addEventListener('push', event => event.waitUntil(showAlert(event.data?.text() ?? '')))

async function storedPage(): Promise<string | undefined> {
  return (await store.matchPrecache(PAGE))?.text()
}

const page = new NetworkFirst({
  cacheName,
  networkTimeoutSeconds: NAVIGATION_TIMEOUT,
  matchOptions: { ignoreVary: true },
  plugins: [
    {
      cacheKeyWillBeUsed: () => Promise.resolve(store.getCacheKeyForURL(PAGE) ?? PAGE),
      fetchDidSucceed: ({ response }) => {
        // What a proxy answers while the host is away.
        if (response.status >= 502 && response.status <= 504) throw new Error(`The host is away: ${response.status}.`)
        return Promise.resolve(response)
      },
      // The newest settings of the host are kept, but not the page of a version whose other files are not stored.
      cacheWillUpdate: async ({ response }) => {
        const stored = await storedPage()
        const isStored =
          response.status === 200 && stored !== undefined && isSameVersion(await response.clone().text(), stored)
        return isStored ? response : null
      },
    },
  ],
})

registerRoute(new NavigationRoute(page, { denylist: notPages }))

registerRoute(
  ({ url, sameOrigin }) =>
    sameOrigin && url.pathname !== PAGE && (url.pathname.startsWith('/assets/') || store.getCacheKeyForURL(url.href)),
  async ({
    request,
    url,
    event,
  }: {
    readonly request: Request
    readonly url: URL
    readonly event: ExtendableEvent
  }) => {
    const stored = await caches.match(store.getCacheKeyForURL(url.href) ?? request, { ignoreVary: true })
    if (stored !== undefined) return stored
    event.waitUntil(storeTexts([url.href]))
    return fetch(request)
  },
)

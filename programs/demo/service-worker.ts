/*
 * Stores the demo, so that it works without a network. Unlike that of the page (src/actors/offline) it knows its folder only when
 * it runs, and has no server that could have newer settings.
 */

export {}

type ExtendableEvent = Event & { readonly waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = ExtendableEvent & {
  readonly request: Request
  readonly respondWith: (answer: Promise<Response>) => void
}

type Scope = {
  /** The build inserts the files here, with a version that follows from them. */
  readonly __FILES: readonly string[]
  readonly __VERSION: string
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: { readonly claim: () => Promise<void> }
  readonly skipWaiting: () => Promise<void>
  readonly addEventListener: ((type: 'install' | 'activate', listener: (event: ExtendableEvent) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void)
}

declare const self: Scope

const { pathname: root } = new URL(self.registration.scope)
const PREFIX = `foldboard-demo ${root} `
const CACHE = PREFIX + self.__VERSION

async function store(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll(self.__FILES.map(file => root + file))
  await self.skipWaiting()
}

async function forgetOthers(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name)
  await self.clients.claim()
}

async function answer(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const isPage = request.mode === 'navigate'
  // As 404.html does it, and without asking the host.
  if (isPage && pathname !== root)
    return Response.redirect(`${root}?at=${encodeURIComponent(pathname.slice(root.length) + search)}`)
  const cache = await caches.open(CACHE)
  return (await cache.match(isPage ? root : request, { ignoreVary: true })) ?? fetch(request)
}

self.addEventListener('install', event => event.waitUntil(store()))
self.addEventListener('activate', event => event.waitUntil(forgetOthers()))
self.addEventListener('fetch', event => {
  const { origin, pathname } = new URL(event.request.url)
  if (event.request.method === 'GET' && origin === self.location.origin && pathname.startsWith(root))
    event.respondWith(answer(event.request))
})

import { t } from '@lingui/core/macro'
import './locale.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router-dom'
import { selectFailures } from '../machines/app/app.selectors.ts'
import type { System } from '../machines/app/system.ts'
import { openVault } from '../actors/account/vault.ts'
import { openCacheStore } from '../actors/resources/cache.ts'
import type { NotifierDeps } from '../actors/incidents/notifier.ts'
import { workerThread } from '../actors/log-search/worker-thread.ts'
import { createWire } from '../actors/wire/wire.ts'
import { findPageFault, loadCode } from '../loading/load-code.ts'
import { STARTUP_DELAY } from '../loading/startup-delay.ts'
import { whenIdle } from '../loading/when-idle.ts'
import { uncaughtError } from '../journal/uncaught-error.ts'
import { createWhenQuiet } from '../loading/when-quiet.ts'
import { isCostly, type Connection } from '../loading/costly-connection.ts'
import { App } from '../ui/app.tsx'
import { routes } from '../ui/routes.tsx'
import { createJournal, pageRecorder } from './journal.ts'
import { applyAppearance } from '../ui/shell/appearance.ts'
import type { InspectionObserver } from './inspection.ts'
import { pictureOriginsOf, readSettings } from './settings.ts'
import { takeConnectAddress, takeProviderQuery } from './address-bar.ts'
import { fetchFrom, openSocket, withNetwork } from './edges.ts'
import { workerName } from './early-url.ts'
import { earlyWire } from './early-wire.ts'
import { channelOf, startSystem } from './system.ts'

/** Some browsers throw where others return null. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Missing on insecure pages, contrary to its type. */
function serviceWorkerOf({ serviceWorker }: Partial<Navigator>): ServiceWorkerContainer | undefined {
  return serviceWorker
}

/** Parts that are missing in some browsers and on insecure pages, contrary to their types. */
function notifyingNavigator(browserNavigator: Partial<Navigator>): NotifierDeps['navigator'] {
  return {
    locks: browserNavigator.locks,
    serviceWorker: browserNavigator.serviceWorker,
    setAppBadge: browserNavigator.setAppBadge?.bind(navigator),
    clearAppBadge: browserNavigator.clearAppBadge?.bind(navigator),
  }
}

const { connection = {} } = navigator as { readonly connection?: Connection }

function now(): number {
  return Date.now()
}
const whenQuiet = createWhenQuiet({ window, now: () => performance.now(), whenIdle })
const early = earlyWire()
const settings = readSettings(document, import.meta.env, location)
const recorder = pageRecorder(settings, window, now)

export const system = startSystem({
  settings,
  wire: createWire({
    openWorker: () =>
      early.take() ??
      withNetwork(new Worker(new URL('wire.worker.ts', import.meta.url), { type: 'module', name: workerName() })),
    early: early.url,
    locks: navigator.locks,
    document,
    window,
  }),
  document,
  window,
  storage: orUndefined(() => localStorage),
  vault: openVault('foldboard'),
  cacheStore: openCacheStore('foldboard.cache'),
  openSocket,
  openUnits: async () => (await loadCode(() => import('./parts/home.ts'))).openUnitDatabase('foldboard-units'),
  // Missing on insecure pages, contrary to its type. Only Firefox asks the person.
  lastingStorage:
    'storage' in navigator ? { storage: navigator.storage, asksPerson: 'mozInnerScreenX' in window } : undefined,
  openIncidents: async () =>
    (await loadCode(() => import('./parts/background.ts'))).openIncidentDatabase('foldboard-incidents'),
  notifications: {
    navigator: notifyingNavigator(navigator),
    // Missing in some browsers, contrary to its type.
    notification: 'Notification' in window ? window.Notification : undefined,
    openAudio: 'AudioContext' in window ? () => new AudioContext() : undefined,
    show: path => {
      window.focus()
      location.assign(path)
    },
  },
  openMolecules: async () => (await loadCode(() => import('./parts/home.ts'))).openMoleculeStore('foldboard-molecules'),
  openRecords: async () =>
    (await loadCode(() => import('./parts/background.ts'))).openRecordDatabase('foldboard-records'),
  openChannel: channelOf(globalThis),
  openSearchThread: workerThread(
    () =>
      new Worker(new URL('../actors/log-search/log-search.worker.ts', import.meta.url), {
        type: 'module',
        name: 'log-search',
      }),
  ),
  // Missing on insecure pages, contrary to its type.
  credentials: 'credentials' in navigator ? navigator.credentials : undefined,
  fetch: fetchFrom,
  now,
  random: () => Math.random(),
  ...(import.meta.env.PROD
    ? {
        versions: {
          whenIdle: whenQuiet,
          findFault: findPageFault,
          serviceWorker: isCostly(connection) ? undefined : serviceWorkerOf(navigator),
          reload: () => location.reload(),
          isUpgraded: async () => (await loadCode(() => import('./parts/background.ts'))).noteVersion(localStorage),
        },
      }
    : {}),
  ...(recorder === undefined ? {} : { recorder }),
})

const journal = recorder === undefined ? undefined : createJournal({ live: system, recorder, document, now })

// Before the first paint, so that the page does not flash in the wrong theme. A recording uses its own preferences.
let unsubscribe = applyAppearance(system.preferences, document.documentElement)
function followAgain(): void {
  unsubscribe()
  unsubscribe = applyAppearance((journal?.system() ?? system).preferences, document.documentElement)
}
journal?.subscribe(followAgain)
// After an error, preferences are restarted as a new actor.
let failures = selectFailures(system.app.getSnapshot())
system.app.subscribe(snapshot => {
  if (selectFailures(snapshot) === failures) return
  failures = selectFailures(snapshot)
  followAgain()
})
Object.assign(window, {
  foldboard: {
    inspect: async (observer: InspectionObserver) =>
      (await loadCode(() => import('./inspection.ts'))).forwardInspection(system.app, observer),
  },
})
// URLs of some calls contain secrets (docs/product.md §7), and the browser lists URLs of all calls for the page.
performance.setResourceTimingBufferSize(0)

// Uncaught errors are recorded.
window.addEventListener('error', event => {
  const uncaught = uncaughtError(event)
  if (uncaught !== undefined) recorder?.recordError(uncaught.error, uncaught.where)
})
window.addEventListener('unhandledrejection', ({ reason }) => recorder?.recordError(reason, t`a promise`))

for (const error of settings.errors) reportError(new Error(error))

const address = takeConnectAddress(location, history)
if (address !== undefined)
  system.app.send({
    type: 'app.want',
    part: 'connections',
    first: { to: 'connect', event: { type: 'connect.ask', address, isForeign: true } },
  })
const query = takeProviderQuery(location, history)
if (query !== undefined) system.signIn.send({ type: 'signIn.return', secrets: { query } })

// Only pages that a server of Foldboard serves need this. Without its code the page works as with clients of its own.
if (settings.hasServer === true)
  loadCode(() => import('./server-part.ts')).then(
    ({ startServerPart }) => startServerPart({ system, window }),
    reportError,
  )
export const router = createBrowserRouter(routes, { basename: import.meta.env.BASE_URL })
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root.')
createRoot(root).render(
  <StrictMode>
    <App system={system} journal={journal} router={router} pictureOrigins={pictureOriginsOf(settings)} />
  </StrictMode>,
)
/** Milliseconds until the page listens for what is approached: what it needs for that would delay the first picture. */
const LISTENING_DELAY = 1500
setTimeout(() => {
  loadCode(() => import('../ui/later.ts')).then(
    ({ createPrefetcher, watchIntents }) =>
      watchIntents(
        window,
        router,
        createPrefetcher((): System => journal?.system() ?? system, router.routes),
      ),
    // Without it the page fetches code and data when they are needed.
    () => undefined,
  )
}, LISTENING_DELAY)
setTimeout(
  () =>
    whenQuiet(() => {
      system.incidents.send({ type: 'incidents.open' })
      system.app.send({ type: 'app.want', part: 'records' })
      system.app.send({ type: 'app.want', part: 'bulk' })
    }),
  STARTUP_DELAY,
)

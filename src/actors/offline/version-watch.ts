import type { LoadFault } from '../../folding/shared/load-fault.ts'
import type { VersionCommand, VersionFact } from '../../machines/app/updates/updates.events.ts'
import { factActor } from '../fact-actor.ts'

export type VersionWatchDeps = {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState' | 'readyState'>
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'setTimeout' | 'clearTimeout'>
  readonly now: () => number
  /** Calls back when the browser has nothing else to do. */
  readonly whenIdle: (run: () => void) => void
  /** Compares the page's document on its server with the running one. */
  readonly findFault: () => Promise<LoadFault>
  /** Undefined where the browser has none, as on insecure pages, or where the files must not be fetched ahead. */
  readonly serviceWorker: ServiceWorkers | undefined
  readonly reload: () => void
  /** Whether this browser had another version before; it notes this one. */
  readonly isUpgraded: () => Promise<boolean>
}

type ServiceWorkers = Pick<
  ServiceWorkerContainer,
  'register' | 'ready' | 'controller' | 'addEventListener' | 'removeEventListener'
>

const SERVICE_WORKER = `${import.meta.env.BASE_URL}service-worker.js`
/** Milliseconds from the load of the page until its files are stored. */
const QUIET_DELAY = 8000
/** Milliseconds between two comparisons with the server. */
const CHECK_INTERVAL = 60 * 60_000

/** Registers the service worker when the page is quiet, and reports when the page's server has another version. */
export function versionWatch(deps: VersionWatchDeps) {
  return factActor<VersionCommand, undefined, VersionFact>(({ report, receive }) => {
    const { document, window, now, serviceWorker } = deps
    let isStopped = false
    let checkedAt = now()
    let timer: number | undefined

    const check = async (): Promise<void> => {
      checkedAt = now()
      if ((await deps.findFault()) === 'newVersion' && !isStopped) report({ type: 'updates.found' })
    }
    const checkWhenDue = (): void => {
      if (document.visibilityState === 'visible' && now() - checkedAt >= CHECK_INTERVAL) void check()
    }
    const checkLater = (): void => {
      timer = window.setTimeout(() => {
        checkWhenDue()
        checkLater()
      }, CHECK_INTERVAL)
    }
    // Another tab has loaded another version.
    const workerChanged = (): void => void check()

    const start = (): void => {
      if (isStopped) return
      deps.isUpgraded().then(
        isUpgraded => {
          if (isUpgraded && !isStopped) report({ type: 'updates.upgraded' })
        },
        // Nothing is stored in this window.
        () => undefined,
      )
      checkLater()
      if (serviceWorker === undefined) return
      // With a service worker the page may have come from its store, since the server was slow.
      if (serviceWorker.controller !== null) void check()
      serviceWorker.addEventListener('controllerchange', workerChanged)
      // Without it the page works, but only with a network.
      serviceWorker.register(SERVICE_WORKER).then(
        () => undefined,
        () => undefined,
      )
      void serviceWorker.ready.then(() => {
        if (!isStopped) report({ type: 'updates.stored' })
      })
    }
    const loaded = (): void => {
      timer = window.setTimeout(() => deps.whenIdle(start), QUIET_DELAY)
    }

    if (document.readyState === 'complete') loaded()
    else window.addEventListener('load', loaded, { once: true })
    document.addEventListener('visibilitychange', checkWhenDue)
    receive(deps.reload)
    return () => {
      isStopped = true
      window.clearTimeout(timer)
      window.removeEventListener('load', loaded)
      document.removeEventListener('visibilitychange', checkWhenDue)
      serviceWorker?.removeEventListener('controllerchange', workerChanged)
    }
  })
}

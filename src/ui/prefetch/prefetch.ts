import { matchRoutes } from 'react-router-dom'
import type { System } from '../../machines/app/system.ts'
import type { ClientRef } from '../../machines/connection/client/client.machine.ts'
import { isDirect } from '../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectMemberId } from '../../machines/connection/fleet/fleet.selectors.ts'
import { hasHoverIntent } from '../../machines/screens/log/log.selectors.ts'
import { routes } from '../routes.tsx'

/*
 * What is fetched before it is asked for, and when:
 *
 * - The code of a screen: on hover or focus of a link to it.
 * - The code of the screens that are opened most: `STARTUP_DELAY` after the start.
 * - A machine's log: on hover or focus of a link to it where the connection is direct; through a relay, whose traffic
 *   is limited (docs/protocol.md §11.6), after a longer hover, which the log's machine times; in any case when the
 *   navigation starts.
 * - The history of work units, from IndexedDB: on hover or focus of a link to it, and when the navigation starts.
 *
 * Where the browser asks to save data, only the code of a screen is prefetched, and the data when a navigation starts.
 */

/** `path`: where a navigation leads or may lead; undefined when the pointer or focus is on nothing that leads anywhere. */
export type NavigationIntent = {
  readonly path: string | undefined
  /** The navigation has started. */
  readonly isNavigating: boolean
}

type OnIntent = (intent: NavigationIntent) => void

/** On touch screens `pointerover` comes with the touch. */
const INTENT_EVENTS = ['pointerover', 'focusin'] as const
const FREQUENT_PATHS = ['/machine/log', '/wus', '/unit/any']
/** Milliseconds. */
const STARTUP_DELAY = 5000

type Handle = { readonly preload: () => void }

const isLazyScreen = (handle: unknown): handle is Handle =>
  typeof handle === 'object' && handle !== null && 'preload' in handle

const prefetchCode = (path: string): void => {
  for (const { route } of matchRoutes(routes, path) ?? []) if (isLazyScreen(route.handle)) route.handle.preload()
}

type NetworkInformation = { readonly saveData?: boolean }

/** Watches hover and focus, prefetches code, and reports intents. */
export const watchIntents = (window: Window, onIntent: OnIntent): void => {
  const { connection } = window.navigator as Navigator & { readonly connection?: NetworkInformation }
  const savesData = connection?.saveData === true
  const pathAt = (target: EventTarget | null): string | undefined => {
    const link = target instanceof Element ? target.closest<HTMLElement>('a, [data-leads-to]') : null
    return (
      link?.dataset['leadsTo'] ??
      (link instanceof HTMLAnchorElement && link.origin === window.location.origin ? link.pathname : undefined)
    )
  }
  const onEvent = ({ target }: Event): void => {
    const path = pathAt(target)
    if (path !== undefined) prefetchCode(path)
    if (!savesData) onIntent({ path, isNavigating: false })
  }
  for (const type of INTENT_EVENTS) window.document.addEventListener(type, onEvent, { passive: true })
  if (!savesData) window.setTimeout(() => FREQUENT_PATHS.forEach(prefetchCode), STARTUP_DELAY)
}

/** Prefetches the data of the screen that an intent leads to. */
export const createPrefetcher =
  (shownSystem: () => System): OnIntent =>
  intent => {
    const system = shownSystem()
    prefetchHistory(system, intent)
    prefetchLog(system, intent)
  }

const prefetchHistory = ({ history }: System, { path }: NavigationIntent): void => {
  if (path === '/wus' && history.getSnapshot().can({ type: 'history.open' })) history.send({ type: 'history.open' })
}

const LOG_ROUTE = [{ path: '/:machID/log' }]

const prefetchLog = ({ log, fleet }: System, { path, isNavigating }: NavigationIntent): void => {
  const machine = path === undefined ? undefined : matchRoutes(LOG_ROUTE, path)?.[0]?.params['machID']
  const snapshot = fleet.getSnapshot()
  const client: ClientRef | undefined =
    machine === undefined ? undefined : selectClientRef(selectMemberId(machine)(snapshot) ?? '')(snapshot)
  if (client !== undefined)
    log.send({ type: 'log.prefetch', client, isSure: isNavigating || isDirect(client.getSnapshot()) })
  else if (!isNavigating && hasHoverIntent(log.getSnapshot())) log.send({ type: 'log.cancelPrefetch' })
}

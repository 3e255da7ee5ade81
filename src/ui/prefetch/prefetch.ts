import { matchRoutes, type DataRouter } from 'react-router-dom'
import { STARTUP_DELAY } from '../../loading/startup-delay.ts'
import { whenIdle } from '../../loading/when-idle.ts'
import { isPartThere } from '../../machines/app/app.selectors.ts'
import type { PartName } from '../../machines/app/app.parts.ts'
import type { System } from '../../machines/app/system.ts'
import type { ClientRef } from '../../machines/connection/client/client.machine.ts'
import { isDirect } from '../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectMemberId } from '../../machines/connection/fleet/fleet.selectors.ts'
import type { ScreenHandle } from '../parts/feedback/lazy-component.tsx'

/*
 * What is fetched before it is asked for, and when:
 *
 * - The code of a screen: on hover or focus of a link to it.
 * - The code of the log, the screen that is opened most: `STARTUP_DELAY` after the page was loaded, when the browser is
 *   idle.
 * - The machine of the log, of the projects, of power and of the viewer, with the code of their screens.
 * - A client's log: on hover or focus of a link to it where the connection is direct; through a relay, whose traffic
 *   is limited (docs/protocol.md §11.6), after a longer hover, which the log's machine times; in any case when the
 *   navigation starts.
 * - The history of work units, from IndexedDB and from clients that are connected directly: on hover or focus of a link
 *   to it, and when the navigation starts.
 *
 * Where the browser asks to save data, or the connection is slow, only the code of a screen that a link leads to is
 * prefetched, and the data when a navigation starts.
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
const FREQUENT_PATHS = ['/machine/log']
const SLOW_CONNECTIONS: readonly (string | undefined)[] = ['slow-2g', '2g', '3g']

type Routes = Parameters<typeof matchRoutes>[0]

function matchRoute(routes: Routes, path: string) {
  return matchRoutes(routes, path)?.at(-1)
}

function prefetchCode(routes: Routes, path: string): void {
  for (const { route } of matchRoutes(routes, path) ?? []) (route.handle as ScreenHandle | undefined)?.preload()
}

type NetworkInformation = { readonly saveData?: boolean; readonly effectiveType?: string }

function whenLoaded(window: Window, run: () => void): void {
  if (window.document.readyState === 'complete') run()
  else window.addEventListener('load', run, { once: true })
}

/** Watches hover, focus and navigations, prefetches code, and reports intents. */
export function watchIntents(window: Window, router: DataRouter, onIntent: OnIntent): void {
  let path = router.state.location.pathname
  router.subscribe(({ location, navigation }) => {
    const next = (navigation.location ?? location).pathname
    if (next === path) return
    path = next
    onIntent({ path, isNavigating: true })
  })
  const { connection } = window.navigator as Navigator & { readonly connection?: NetworkInformation }
  const savesData = connection?.saveData === true || SLOW_CONNECTIONS.includes(connection?.effectiveType)
  const pathAt = (target: EventTarget | null): string | undefined => {
    const link = target instanceof Element ? target.closest<HTMLElement>('a, [data-leads-to]') : null
    return (
      link?.dataset['leadsTo'] ??
      (link instanceof HTMLAnchorElement && link.origin === window.location.origin ? link.pathname : undefined)
    )
  }
  const onEvent = ({ target }: Event): void => {
    const path = pathAt(target)
    if (path !== undefined) prefetchCode(router.routes, path)
    if (!savesData) onIntent({ path, isNavigating: false })
  }
  for (const type of INTENT_EVENTS) window.document.addEventListener(type, onEvent, { passive: true })
  if (savesData) return
  const prefetchFrequent = (): void =>
    whenIdle(() =>
      FREQUENT_PATHS.forEach(path => {
        prefetchCode(router.routes, path)
        onIntent({ path, isNavigating: false })
      }),
    )
  whenLoaded(window, () => window.setTimeout(prefetchFrequent, STARTUP_DELAY))
}

/** Prefetches the data of the screen that an intent leads to. */
export function createPrefetcher(shownSystem: () => System, routes: Routes): OnIntent {
  return intent => {
    const system = shownSystem()
    prefetchHistory(system, intent)
    const match = intent.path === undefined ? undefined : matchRoute(routes, intent.path)
    prefetchLog(system, match, intent)
    prefetchPart(system, match)
  }
}

/** Parts of the app by the screens that wait for them. The log has its own rules. */
const PARTS: Readonly<Partial<Record<string, PartName>>> = {
  '/projects': 'projects',
  '/stats/power': 'power',
  '/:machID/settings': 'clientSettings',
  '/:machID/view/:unitID': 'viewer',
}

type Match = ReturnType<typeof matchRoute>

function prefetchPart({ app }: System, match: Match): void {
  const part = PARTS[match?.route.path ?? '']
  if (part !== undefined && !isPartThere(part)(app.getSnapshot())) app.send({ type: 'app.want', part })
}

function prefetchHistory({ history, fleet }: System, { path }: NavigationIntent): void {
  if (path !== '/wus' || !history.getSnapshot().can({ type: 'history.open' })) return
  history.send({ type: 'history.open' })
  fleet.send({ type: 'fleet.reportHistory' })
}

const LOG_ROUTE = '/:machID/log'

function prefetchLog(system: System, match: Match, { isNavigating }: NavigationIntent): void {
  if (!isPartThere('log')(system.app.getSnapshot())) {
    if (match?.route.path === LOG_ROUTE) system.app.send({ type: 'app.want', part: 'log' })
    return
  }
  const { log, fleet } = system
  const clientId = match?.route.path === LOG_ROUTE ? match.params['machID'] : undefined
  const snapshot = fleet.getSnapshot()
  const client: ClientRef | undefined =
    clientId === undefined ? undefined : selectClientRef(selectMemberId(clientId)(snapshot) ?? '')(snapshot)
  if (client !== undefined)
    log.send({ type: 'log.prefetch', client, isSure: isNavigating || isDirect(client.getSnapshot()) })
  if (client === undefined && !isNavigating && log.getSnapshot().hasTag('hoverIntent'))
    log.send({ type: 'log.cancelPrefetch' })
}

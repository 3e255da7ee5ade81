import { matchRoutes } from 'react-router-dom'
import { routes } from '../routes.tsx'

/** A pointer comes to something, a finger touches it, or it has the focus: a press may follow. */
const SIGNS = ['pointerover', 'focusin'] as const
/** What is opened most from the machines. */
const LIKELY = ['/machine/log', '/wus', '/unit/any']
/** Milliseconds after which a page that was opened has what it shows. */
const SETTLED = 5000

type Handle = { readonly preload: () => void }

const isLoadable = (handle: unknown): handle is Handle =>
  typeof handle === 'object' && handle !== null && 'preload' in handle

const fetchScreen = (path: string): void => {
  for (const { route } of matchRoutes(routes, path) ?? []) if (isLoadable(route.handle)) route.handle.preload()
}

/** Where somebody is going, or may be going; no path where a hand is at nothing that leads anywhere. */
export type Way = { readonly path: string | undefined; readonly isTaken: boolean }

/** `saveData` is asked for on lines that are paid by the byte. */
type Line = { readonly saveData?: boolean }

/**
 * Has screens fetched before they are wanted: the one that what is under the hand leads to, of which `onWay` hears too,
 * and later the likely ones.
 */
export const foresee = (window: Window, onWay: (way: Way) => void): void => {
  const { connection } = window.navigator as Navigator & { readonly connection?: Line }
  const isThrifty = connection?.saveData === true
  const pathAt = (target: EventTarget | null): string | undefined => {
    const way = target instanceof Element ? target.closest<HTMLElement>('a, [data-leads-to]') : null
    return (
      way?.dataset['leadsTo'] ??
      (way instanceof HTMLAnchorElement && way.origin === window.location.origin ? way.pathname : undefined)
    )
  }
  const look = ({ target }: Event): void => {
    const path = pathAt(target)
    if (path !== undefined) fetchScreen(path)
    if (!isThrifty) onWay({ path, isTaken: false })
  }
  for (const sign of SIGNS) window.document.addEventListener(sign, look, { passive: true })
  if (!isThrifty) window.setTimeout(() => LIKELY.forEach(fetchScreen), SETTLED)
}

import type { ComponentType } from 'react'
import { createPath, matchRoutes } from 'react-router-dom'
import type { Location, NavigateOptions, Navigator, RouteMatch, To } from 'react-router-dom'
import { createScrollPositions } from './scroll-positions.ts'

/** The code of a screen. Until it is loaded, the screen shows that it is loading. */
type LazyCode = {
  /** Starts loading unless it is there or on its way. */
  readonly preload: () => void
}

/** What an address shows, or which address is shown instead. */
export type ScreenRoute = { readonly path: string } & (
  | { readonly Component: ComponentType; readonly handle?: LazyCode }
  | { readonly Component: null; readonly handle: { readonly redirect: (search: string) => string } }
)

type Match = RouteMatch<string, ScreenRoute>

export const matchRoute = (routes: readonly ScreenRoute[], path: string): Match | undefined =>
  matchRoutes([...routes], path)?.at(-1)

/** Starts loading the code of a screen. */
export const preloadCode = (match: Match | undefined): void => {
  const { handle } = match?.route ?? {}
  if (handle !== undefined && 'preload' in handle) handle.preload()
}

/** The address that is shown, which is not always that of the browser: see `home`. */
export type Shown = {
  readonly location: Location
  readonly match: Match | undefined
  /** Where the page is scrolled to; undefined: where it is. */
  readonly scrollTo: number | undefined
}

/** Asks a person before a navigation leads away from unsaved changes. */
type Guard = {
  readonly isBlocking: (path: string) => boolean
  /** Answered by `answer`. Another navigation that is blocked before that takes the place of the first. */
  readonly ask: () => void
}

type Listener = (shown: Shown, isUrgent: boolean) => void

type Options = {
  readonly window: Window
  readonly routes: readonly ScreenRoute[]
  /** Called when a navigation starts, before its screen is rendered. */
  readonly onStart: (path: string) => void
}

/** The key of the entry with which a visit begins. */
const FIRST_KEY = 'default'

/** Milliseconds without a step of the history. */
const SETTLED_AFTER = 50

const createKey = (): string => Math.random().toString(36).slice(2, 10)

type Entry = { readonly idx: number; readonly key: string }

/** The browser's history and the address that is shown. */
export const createNavigation = ({ window, routes, onStart }: Options) => {
  const { history } = window
  const positions = createScrollPositions(window)
  let listener: Listener | undefined
  let guard: Guard | undefined
  /** Goes on with the navigation that waits for an answer. */
  let goOn: (() => void) | undefined
  let isPassing = false
  /**
   * The browser has changed its address before a page can object. So a blocked step is undone: this is where the history
   * has to be again.
   */
  let home: number | undefined
  let settling: number | undefined
  let afterReturn: (() => void) | undefined

  /** Entries that the browser made, for the first address or a link to a place on the page, get their place. */
  const readEntry = (previous: number): Entry => {
    const state = history.state as { readonly idx?: unknown; readonly key?: unknown } | null
    const [idx, key] = [state?.idx, state?.key]
    if (typeof idx === 'number') return { idx, key: typeof key === 'string' ? key : FIRST_KEY }
    const isFirst = previous < 0
    const entry = { idx: previous + 1, ...(isFirst ? {} : { key: createKey() }) }
    history.replaceState({ ...state, ...entry }, '')
    return { key: FIRST_KEY, ...entry }
  }

  const writeEntry = (how: 'pushState' | 'replaceState', entry: Entry, url: URL): void => {
    try {
      history[how](entry, '', url)
    } catch {
      // Safari limits how many entries a page makes in a time.
      window.location.assign(url)
    }
  }

  const urlOf = (to: To): URL => new URL(window.location.origin + (typeof to === 'string' ? to : createPath(to)))

  /** Follows redirects. */
  const resolve = (url: URL, known?: Shown): { readonly url: URL; readonly match: Match | undefined } => {
    if (url.pathname === known?.location.pathname) return { url, match: known.match }
    const match = matchRoute(routes, url.pathname)
    const { handle } = match?.route ?? {}
    return handle !== undefined && 'redirect' in handle ? resolve(urlOf(handle.redirect(url.search))) : { url, match }
  }

  const locationOf = ({ pathname, search, hash }: URL, key: string): Location => ({
    pathname,
    search,
    hash,
    key,
    state: null,
  })

  /** The entry that the browser is at, which it was already before the page was loaded, or is at after a traversal. */
  const arrive = (entry: Entry, known?: Shown): Shown => {
    const current = new URL(window.location.href)
    const { url, match } = resolve(current, known)
    if (url !== current) writeEntry('replaceState', entry, url)
    return { location: locationOf(url, entry.key), match, scrollTo: positions.of(entry.key) ?? 0 }
  }

  const first = readEntry(-1)
  let index = first.idx
  let shown = arrive(first)
  preloadCode(shown.match)

  const start = (next: Shown, write: () => void, isUrgent = false, isReplacing = false): void => {
    const { key } = shown.location
    if (isReplacing) positions.replace(key, next.scrollTo === undefined)
    else positions.save(key)
    onStart(next.location.pathname)
    preloadCode(next.match)
    write()
    shown = next
    listener?.(shown, isUrgent)
  }

  const whenReturned = (run: () => void): void => {
    if (home === undefined) run()
    else afterReturn = run
  }

  const isBlocked = (path: string): boolean => guard?.isBlocking(path) === true

  const hold = (run: () => void): void => {
    const isAsking = goOn !== undefined
    goOn = () => whenReturned(run)
    if (!isAsking) guard?.ask()
  }

  const navigate =
    (how: 'pushState' | 'replaceState') =>
    (to: To, _state?: unknown, { preventScrollReset, flushSync }: NavigateOptions = {}): void => {
      const { url, match } = resolve(urlOf(to), shown)
      const location = locationOf(url, createKey())
      const next = { location, match, scrollTo: preventScrollReset === true ? undefined : 0 }
      const write = (): void => {
        if (how === 'pushState') index += 1
        writeEntry(how, { idx: index, key: location.key }, url)
      }
      const run = (): void => start(next, write, flushSync === true, how === 'replaceState')
      if (isBlocked(location.pathname)) hold(run)
      else whenReturned(run)
    }

  const finishReturn = (): void => {
    window.clearTimeout(settling)
    if (home !== index) {
      // A person went further meanwhile. Browsers differ in what becomes of a step that is asked for during another one.
      settling = window.setTimeout(() => history.go((home ?? index) - index), SETTLED_AFTER)
      return
    }
    home = undefined
    const run = afterReturn
    afterReturn = undefined
    run?.()
  }

  const onTraversed = (): void => {
    const entry = readEntry(index)
    const step = entry.idx - index
    index = entry.idx
    if (home !== undefined) {
      finishReturn()
      return
    }
    const wasPassed = isPassing
    isPassing = false
    const next = arrive(entry, shown)
    if (wasPassed || step === 0 || !isBlocked(next.location.pathname)) {
      start(next, () => undefined)
      return
    }
    home = index - step
    history.go(-step)
    hold(() => {
      isPassing = true
      history.go(step)
    })
  }

  const onPageHide = (): void => {
    positions.save(shown.location.key)
    positions.store()
    history.scrollRestoration = 'auto'
  }

  const navigator: Navigator = {
    createHref: to => (typeof to === 'string' ? to : createPath(to)),
    createURL: urlOf,
    go: step => history.go(step),
    push: navigate('pushState'),
    replace: navigate('replaceState'),
  }

  return {
    navigator,
    shown: (): Shown => shown,
    listen: (next: Listener): (() => void) => {
      listener = next
      history.scrollRestoration = 'manual'
      window.addEventListener('popstate', onTraversed)
      window.addEventListener('pagehide', onPageHide)
      return () => {
        listener = undefined
        window.clearTimeout(settling)
        history.scrollRestoration = 'auto'
        window.removeEventListener('popstate', onTraversed)
        window.removeEventListener('pagehide', onPageHide)
      }
    },
    setGuard: (next: Guard): (() => void) => {
      guard = next
      return () => {
        if (guard === next) guard = undefined
      }
    },
    /** Whether the navigation that a guard has blocked goes on. */
    answer: (leaves: boolean): void => {
      const run = goOn
      goOn = undefined
      if (leaves) run?.()
    },
    /** To be called when an address has been rendered. */
    scroll: ({ location: { hash }, scrollTo }: Shown): void => {
      if (scrollTo === undefined) return
      const place = scrollTo === 0 && hash !== '' ? window.document.getElementById(hash.slice(1)) : null
      if (place === null) positions.restore(scrollTo)
      else place.scrollIntoView()
    },
  }
}

export type Navigation = ReturnType<typeof createNavigation>

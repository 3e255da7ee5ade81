import { use, useEffect } from 'react'
import { UNSAFE_DataRouterStateContext as RouterState } from 'react-router-dom'

/** What a person does to be somewhere else. */
const OWN_WAYS = ['wheel', 'touchstart', 'pointerdown', 'keydown']

/**
 * After a reload or a way back, ScrollRestoration scrolls once, as far as the page is long by then. This goes on as the page
 * grows, until it is at its place or the reader scrolls.
 */
export function useLateScroll(): void {
  const state = use(RouterState)
  const place = state?.restoreScrollPosition
  const key = state?.location.key
  useEffect(() => {
    if (typeof place !== 'number' || place === 0) return
    const end = new AbortController()
    const stop = (): void => end.abort()
    const observer = new ResizeObserver(() => {
      window.scrollTo(0, place)
      if (document.documentElement.scrollHeight - window.innerHeight >= place) stop()
    })
    observer.observe(document.body)
    end.signal.addEventListener('abort', () => observer.disconnect())
    for (const way of OWN_WAYS) window.addEventListener(way, stop, { signal: end.signal, passive: true })
    return stop
  }, [place, key])
}

import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/**
 * Who came to a screen by what went away with the last one (an entry of a menu, a button) begins at the new screen's
 * heading, and hears it; at its beginning, while it has no heading yet. Who has the focus elsewhere keeps it.
 */
export const useArrival = (): void => {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (document.activeElement !== document.body) return
    const place = document.querySelector<HTMLElement>('#main h1') ?? document.querySelector<HTMLElement>('#main')
    place?.focus({ preventScroll: true })
  }, [pathname])
}

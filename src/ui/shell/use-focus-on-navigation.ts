import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/**
 * After a navigation whose link or button was removed with the old screen, moves the focus to the new screen's heading, or
 * to its main element while it has none, so that screen readers announce it. Otherwise the focus stays where it is.
 */
export const useFocusOnNavigation = (): void => {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (document.activeElement !== document.body) return
    const target = document.querySelector<HTMLElement>('#main h1') ?? document.querySelector<HTMLElement>('#main')
    target?.focus({ preventScroll: true })
  }, [pathname])
}

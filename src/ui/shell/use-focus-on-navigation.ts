import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { focusContentIfLost } from '../parts/focus-content.ts'

/** After a navigation whose link or button was removed with the old screen, moves the focus to the new screen. */
export const useFocusOnNavigation = (): void => {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    const before = last.current
    last.current = pathname
    if (before !== pathname) focusContentIfLost()
  }, [pathname])
}

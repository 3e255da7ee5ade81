import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'
import { focusContentIfLost } from '../parts/focus-content.ts'

/**
 * After a navigation whose link or button was removed with the old screen, moves the focus to the new screen. A redirect is
 * none: the first Tab on a page that began with one leads to its beginning.
 */
export function useFocusOnNavigation(): void {
  const { pathname } = useLocation()
  const type = useNavigationType()
  const last = useRef(pathname)
  useEffect(() => {
    const before = last.current
    last.current = pathname
    if (before !== pathname && type !== NavigationType.Replace) focusContentIfLost()
  }, [pathname, type])
}

import { useCallback, useState } from 'react'

/** The ref of an element, and whether it is on the screen: in view, in a page that is not hidden. */
export function useOnScreen() {
  const [isOnScreen, setOnScreen] = useState(false)
  const attach = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    let isInView = false
    const report = (): void => setOnScreen(isInView && !document.hidden)
    const observer = new IntersectionObserver(entries => {
      isInView = entries.at(-1)?.isIntersecting ?? false
      report()
    })
    observer.observe(element)
    document.addEventListener('visibilitychange', report)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', report)
    }
  }, [])
  return { attach, isOnScreen }
}

import { useEffect, useEffectEvent } from 'react'

/**
 * Requests full screen while something covers the page. Where that is not available, as on some phones, it still covers the
 * page. The whole page becomes full screen, since menus and tooltips are rendered outside of it.
 */
export function useFullScreen(isFull: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (!isFull) return
    const page = document.documentElement
    if ('requestFullscreen' in page) page.requestFullscreen({ navigationUI: 'hide' }).catch(() => undefined)
    // The user can also leave full screen through the browser.
    const onChange = (): void => {
      if (document.fullscreenElement === null) leave()
    }
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) leave()
    }
    document.addEventListener('fullscreenchange', onChange)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      document.removeEventListener('keydown', onKeyDown)
      if (document.fullscreenElement instanceof Element) void document.exitFullscreen()
    }
  }, [isFull])
}

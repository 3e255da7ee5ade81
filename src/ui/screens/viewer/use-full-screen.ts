import { useEffect } from 'react'
import { useSystem } from '../../hooks/system-context.ts'

/**
 * Requests full screen while the molecule covers the page. Where that is not available, as on some phones, the molecule
 * still covers the page. The whole page becomes full screen, since menus and tooltips are rendered outside the molecule.
 */
export function useFullScreen(isFull: boolean): void {
  const { viewer } = useSystem()
  useEffect(() => {
    if (!isFull) return
    const page = document.documentElement
    if ('requestFullscreen' in page) page.requestFullscreen({ navigationUI: 'hide' }).catch(() => undefined)
    const leave = (): void => viewer.send({ type: 'viewer.leaveFullScreen' })
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
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [isFull, viewer])
}

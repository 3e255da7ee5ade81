import { useEffect } from 'react'
import { useSystem } from '../../hooks/system-context.ts'

/**
 * Has the browser show the page alone while the molecule covers it. Where it cannot, as on some phones, the molecule
 * covers the page all the same. The whole page is shown, since menus and hints hang beside the molecule, not in it.
 */
export const useFullScreen = (isFull: boolean): void => {
  const { viewer } = useSystem()
  useEffect(() => {
    if (!isFull) return
    const page = document.documentElement
    if ('requestFullscreen' in page) page.requestFullscreen({ navigationUI: 'hide' }).catch(() => undefined)
    const leave = (): void => viewer.send({ type: 'viewer.leaveFullScreen' })
    // The browser's own ways out end it too.
    const follow = (): void => {
      if (document.fullscreenElement === null) leave()
    }
    const hear = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) leave()
    }
    document.addEventListener('fullscreenchange', follow)
    document.addEventListener('keydown', hear)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      document.removeEventListener('keydown', hear)
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [isFull, viewer])
}

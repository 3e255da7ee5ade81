import { useEffect, useEffectEvent, type RefObject } from 'react'
import { isFiltered } from '../../../machines/screens/log/log.selectors.ts'
import { isTypingIn } from '../../shell/shortcuts.ts'
import { useSystem } from '../../hooks/system-context.ts'
import type { LogPages } from './use-log-scroll.ts'

const OVERLAYS = '[role=dialog], [role=alertdialog], [role=menu]'

/** Keyboard shortcuts of the log, except in fields, dialogs and menus. */
export function useLogKeys(pages: RefObject<LogPages | null>): void {
  const { log } = useSystem()
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTypingIn(event.target) || (event.target instanceof Element && event.target.closest(OVERLAYS) !== null)) return
    const actions: Readonly<Record<string, () => void>> = {
      n: () => log.send({ type: 'log.next' }),
      N: () => log.send({ type: 'log.previous' }),
      c: () => log.send({ type: isFiltered(log.getSnapshot()) ? 'log.showContext' : 'log.showFound' }),
      Home: () => log.send({ type: 'log.goToStart' }),
      End: () => log.send({ type: 'log.goToEnd' }),
      PageUp: () => pages.current?.turn(-1),
      PageDown: () => pages.current?.turn(1),
    }
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

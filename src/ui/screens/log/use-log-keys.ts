import type { RefObject } from 'react'
import { isFiltered } from '../../../machines/screens/log/log.selectors.ts'
import { isTypingIn } from '../../shell/shortcuts.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { isInOverlay, useKeyDown } from '../../hooks/use-key-down.ts'
import type { LogPages } from './use-log-scroll.ts'

/** Keyboard shortcuts of the log, except in fields, dialogs and menus. */
export function useLogKeys(pages: RefObject<LogPages | null>): void {
  const { log } = useSystem()
  useKeyDown(event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTypingIn(event.target) || isInOverlay(event.target)) return
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
}

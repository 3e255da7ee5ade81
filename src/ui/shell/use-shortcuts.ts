import { hasListKeys } from '../../machines/app/preferences/preferences.selectors.ts'
import { isInOverlay, useKeyDown } from '../hooks/use-key-down.ts'
import { useSystem } from '../hooks/system-context.ts'
import { loadCode } from '../../loading/load-code.ts'
import { isTypingIn, shortcutOf, type ShortcutName } from './shortcuts.ts'

const LIST_KEYS = ['j', 'k', 'x', 'p', 'f']

/** Handles the app's keyboard shortcuts, except while a dialog or menu is focused. */
export function useShortcuts(onShortcut: (name: ShortcutName) => void): void {
  const system = useSystem()
  useKeyDown(event => {
    const isTyping = isTypingIn(event.target)
    const name = shortcutOf(event, isTyping)
    if (event.defaultPrevented || isInOverlay(event.target)) return
    // The 3D view wiggles by this key.
    const isFree = !window.location.pathname.includes('/view/') && hasListKeys(system.preferences.getSnapshot())
    if (name === 'wall' && !isFree) return
    const isPlain = !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    if (name === undefined) {
      if (isPlain && LIST_KEYS.includes(event.key))
        void loadCode(() => import('./list-keys.ts')).then(
          ({ pressListKey }) => pressListKey(system, event),
          () => undefined,
        )
      return
    }
    event.preventDefault()
    onShortcut(name)
  })
}

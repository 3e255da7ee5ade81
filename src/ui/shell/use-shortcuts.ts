import { isInOverlay, useKeyDown } from '../hooks/use-key-down.ts'
import { useSystem } from '../hooks/system-context.ts'
import { loadCode } from '../../loading/load-code.ts'
import { isTypingIn, shortcutOf, type ShortcutName } from './shortcuts.ts'

/** Those that can be switched off. */
const PLAIN_KEYS = ['j', 'k', 'x', 'p', 'f', 'w']

/** Handles the app's keyboard shortcuts, except while a dialog or menu is focused. */
export function useShortcuts(onShortcut: (name: ShortcutName) => void): void {
  const system = useSystem()
  useKeyDown(event => {
    const isTyping = isTypingIn(event.target)
    const name = shortcutOf(event, isTyping)
    if (event.defaultPrevented || isInOverlay(event.target)) return
    const isPlain = !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    if (name === undefined) {
      if (isPlain && PLAIN_KEYS.includes(event.key))
        void loadCode(() => import('./plain-keys.ts')).then(
          ({ pressPlainKey }) => pressPlainKey(system, event, () => onShortcut('wall')),
          () => undefined,
        )
      return
    }
    event.preventDefault()
    onShortcut(name)
  })
}

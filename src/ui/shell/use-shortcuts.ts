import { isInOverlay, useKeyDown } from '../hooks/use-key-down.ts'
import { useSystem } from '../hooks/system-context.ts'
import { pressListKey } from './list-keys.ts'
import { isTypingIn, shortcutOf, type ShortcutName } from './shortcuts.ts'

/** Handles the app's keyboard shortcuts, except while a dialog or menu is focused. */
export function useShortcuts(onShortcut: (name: ShortcutName) => void): void {
  const system = useSystem()
  useKeyDown(event => {
    const isTyping = isTypingIn(event.target)
    const name = shortcutOf(event, isTyping)
    if (event.defaultPrevented || isInOverlay(event.target)) return
    const isPlain = !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    if (name !== undefined) onShortcut(name)
    else if (!isPlain || !pressListKey(system, event)) return
    event.preventDefault()
  })
}

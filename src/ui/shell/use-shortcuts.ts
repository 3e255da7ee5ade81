import { isInOverlay, useKeyDown } from '../hooks/use-key-down.ts'
import { isTypingIn, shortcutOf, type ShortcutName } from './shortcuts.ts'

/** Handles the app's keyboard shortcuts, except while a dialog or menu is focused. */
export function useShortcuts(onShortcut: (name: ShortcutName) => void): void {
  useKeyDown(event => {
    const name = shortcutOf(event, isTypingIn(event.target))
    if (name === undefined || event.defaultPrevented || isInOverlay(event.target)) return
    event.preventDefault()
    onShortcut(name)
  })
}

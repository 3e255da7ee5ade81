import { useEffect, useEffectEvent } from 'react'
import { isTypingIn, shortcutOf, type ShortcutName } from './shortcuts.ts'

/** Handles the app's keyboard shortcuts, except while a dialog or menu is focused. */
export function useShortcuts(onShortcut: (name: ShortcutName) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const name = shortcutOf(event, isTypingIn(event.target))
    if (name === undefined || event.defaultPrevented) return
    if (
      event.target instanceof Element &&
      event.target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
    )
      return
    event.preventDefault()
    onShortcut(name)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

import { useEffect, useEffectEvent } from 'react'
import { isTypingIn, shortcutOf, type ShortcutName } from './shortcuts.ts'

/** Hears the keys of the whole page, unless a dialog has them. */
export const useShortcuts = (onShortcut: (name: ShortcutName) => void): void => {
  const hear = useEffectEvent((event: KeyboardEvent) => {
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
    const listener = (event: KeyboardEvent): void => hear(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

import { useEffect, useEffectEvent } from 'react'

/** Calls `onKeyDown` for every key that is pressed on the page. */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  const report = useEffectEvent(onKeyDown)
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => report(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Whether the focus is in a dialog or menu, which has keys of its own. */
export function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null
}

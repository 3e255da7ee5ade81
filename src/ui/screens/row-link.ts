import type { MouseEvent } from 'react'

const INTERACTIVE = '[role="menu"], [tabindex], a, button, input, select, textarea, dl'

/**
 * A click in a row, beside its links and buttons, opens the row's link (`data-row-link`), in a new tab with Ctrl. Keyboards
 * and screen readers use the link itself.
 */
export function openRowLink(event: MouseEvent): void {
  const { target, ctrlKey, metaKey, shiftKey } = event
  if (!(target instanceof Element) || target.closest(INTERACTIVE) !== null) return
  // The end of selecting text is a click as well.
  if (window.getSelection()?.isCollapsed === false) return
  target
    .closest('[role="row"]')
    ?.querySelector('a[data-row-link]')
    ?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}

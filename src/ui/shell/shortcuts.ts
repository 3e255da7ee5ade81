import { t } from '@lingui/core/macro'

/** Those of the whole page, which its menu shows too. */
export const pageKeys = {
  list: ['?'],
  wall: ['W'],
  commands: [t`Ctrl`, 'K'],
  connect: [t`Ctrl`, t`Shift`, 'L'],
  inspect: [t`Ctrl`, t`Shift`, 'X'],
} as const

export type ShortcutName = 'commands' | 'connect' | 'inspect' | 'list' | 'filter' | 'wall'

const withCtrlShift: Readonly<Record<string, ShortcutName>> = { l: 'connect', x: 'inspect' }

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** The shortcut for a key event, if any. Single characters are ignored while the user types in a field. */
export function shortcutOf(keys: Keys, isTyping: boolean): ShortcutName | undefined {
  if ((keys.ctrlKey || keys.metaKey) && !keys.shiftKey && !keys.altKey && keys.key.toLowerCase() === 'k')
    return 'commands'
  if (keys.ctrlKey && keys.shiftKey && !keys.altKey) return withCtrlShift[keys.key.toLowerCase()]
  if (isTyping || keys.ctrlKey || keys.metaKey || keys.altKey) return undefined
  if (keys.key === '?') return 'list'
  return keys.key === '/' ? 'filter' : undefined
}

/** Checkboxes and radio buttons take no characters. */
export function isTypingIn(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  )
}

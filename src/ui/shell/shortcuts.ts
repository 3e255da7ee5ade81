import { t } from '@lingui/core/macro'

export type Shortcut = {
  /** As printed on the keys. */
  readonly keys: readonly string[]
  readonly action: string
}

/** Those of the whole page, which its menu shows too. */
export const pageKeys = {
  list: ['?'],
  connect: [t`Ctrl`, t`Shift`, 'L'],
  inspect: [t`Ctrl`, t`Shift`, 'X'],
} as const

/** The shortcuts in the list. Standard keys of controls, such as arrows in a menu, are left out. */
export const shortcuts: readonly { readonly scope: string; readonly list: readonly Shortcut[] }[] = [
  {
    scope: t`Everywhere`,
    list: [
      { keys: pageKeys.list, action: t`Show this list` },
      { keys: pageKeys.connect, action: t`Connect to a client` },
      { keys: pageKeys.inspect, action: t`Open or close the inspector` },
      { keys: [t`Esc`], action: t`Close a dialog or menu` },
    ],
  },
  { scope: t`Machines`, list: [{ keys: ['/'], action: t`Find machines` }] },
  {
    scope: t`3D view`,
    list: [
      { keys: [t`Space`], action: t`Start or stop rotation` },
      { keys: ['←'], action: t`Previous frame` },
      { keys: ['→'], action: t`Next frame` },
      { keys: ['↑'], action: t`Zoom in` },
      { keys: ['↓'], action: t`Zoom out` },
      { keys: ['W'], action: t`Wiggle` },
      { keys: ['P'], action: t`Play the trajectory` },
      { keys: ['1'], action: t`Space-filling` },
      { keys: ['2'], action: t`Ball and stick` },
      { keys: ['3'], action: t`Sticks` },
      { keys: ['4'], action: t`Cartoon` },
      { keys: ['5'], action: t`Surface` },
      { keys: ['S'], action: t`Water and ions` },
      { keys: ['L'], action: t`Legend` },
      { keys: ['F'], action: t`Full screen` },
      { keys: [t`Home`], action: t`Fit the molecule` },
    ],
  },
  {
    scope: t`Log`,
    list: [
      { keys: ['/'], action: t`Search the log` },
      { keys: ['n'], action: t`Next match` },
      { keys: ['N'], action: t`Previous match` },
      { keys: ['c'], action: t`Show the selected line in context, or matches only` },
      { keys: [t`Home`], action: t`Oldest line` },
      { keys: [t`End`], action: t`Newest line, and follow new ones` },
    ],
  },
]

export type ShortcutName = 'connect' | 'inspect' | 'list' | 'filter'

const withCtrlShift: Readonly<Record<string, ShortcutName>> = { l: 'connect', x: 'inspect' }

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** The shortcut for a key event, if any. Single characters are ignored while the user types in a field. */
export function shortcutOf(keys: Keys, isTyping: boolean): ShortcutName | undefined {
  if (keys.ctrlKey && keys.shiftKey && !keys.altKey) return withCtrlShift[keys.key.toLowerCase()]
  if (isTyping || keys.ctrlKey || keys.metaKey || keys.altKey) return undefined
  if (keys.key === '?') return 'list'
  return keys.key === '/' ? 'filter' : undefined
}

export function isTypingIn(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

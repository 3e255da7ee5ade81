import { t } from '@lingui/core/macro'
export type Shortcut = {
  /** As printed on the keys. */
  readonly keys: readonly string[]
  readonly does: string
}

/** What the list shows. Keys that belong to a control, such as arrows in a menu, are not told. */
export const shortcuts: readonly { readonly where: string; readonly list: readonly Shortcut[] }[] = [
  {
    where: t`Everywhere`,
    list: [
      { keys: ['?'], does: t`Show this list` },
      { keys: [t`Ctrl`, t`Shift`, 'L'], does: t`Connect to a client` },
      { keys: [t`Ctrl`, t`Shift`, 'X'], does: t`Open or close the inspector` },
      { keys: [t`Esc`], does: t`Close a dialog or menu` },
    ],
  },
  { where: t`Machines`, list: [{ keys: ['/'], does: t`Filter machines` }] },
  {
    where: t`3D view`,
    list: [
      { keys: [t`Space`], does: t`Start or stop rotation` },
      { keys: ['←'], does: t`Previous frame` },
      { keys: ['→'], does: t`Next frame` },
      { keys: ['↑'], does: t`Zoom in` },
      { keys: ['↓'], does: t`Zoom out` },
      { keys: ['W'], does: t`Wiggle` },
      { keys: ['P'], does: t`Play the trajectory` },
      { keys: ['1'], does: t`Space-filling` },
      { keys: ['2'], does: t`Ball and stick` },
      { keys: ['3'], does: t`Sticks` },
      { keys: ['F'], does: t`Full screen` },
      { keys: [t`Home`], does: t`Fit the molecule` },
    ],
  },
  {
    where: t`Log`,
    list: [
      { keys: ['/'], does: t`Search the log` },
      { keys: ['n'], does: t`Next match` },
      { keys: ['N'], does: t`Previous match` },
      { keys: ['c'], does: t`Show the selected line in context, or matches only` },
      { keys: [t`Home`], does: t`Oldest line` },
      { keys: [t`End`], does: t`Newest line, and follow new ones` },
    ],
  },
]

export type ShortcutName = 'connect' | 'inspect' | 'list' | 'filter'

const withBoth: Readonly<Record<string, ShortcutName>> = { l: 'connect', x: 'inspect' }

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Which shortcut the keys mean; undefined when none, or when they are being typed into a field. */
export const shortcutOf = (keys: Keys, isTyping: boolean): ShortcutName | undefined => {
  if (keys.ctrlKey && keys.shiftKey && !keys.altKey) return withBoth[keys.key.toLowerCase()]
  if (isTyping || keys.ctrlKey || keys.metaKey || keys.altKey) return undefined
  if (keys.key === '?') return 'list'
  return keys.key === '/' ? 'filter' : undefined
}

export const isTypingIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

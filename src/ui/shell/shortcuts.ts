export type Shortcut = {
  /** As printed on the keys. */
  readonly keys: readonly string[]
  readonly does: string
}

/** What the list shows. Keys that belong to a control, such as arrows in a menu, are not told. */
export const shortcuts: readonly { readonly where: string; readonly list: readonly Shortcut[] }[] = [
  {
    where: 'Everywhere',
    list: [
      { keys: ['?'], does: 'Show this list' },
      { keys: ['Ctrl', 'Shift', 'L'], does: 'Connect to a client' },
      { keys: ['Ctrl', 'Shift', 'X'], does: 'Open or close the inspector' },
      { keys: ['Esc'], does: 'Leave a dialog or a menu' },
    ],
  },
  { where: 'Machines', list: [{ keys: ['/'], does: 'Filter machines' }] },
  {
    where: '3D view',
    list: [
      { keys: ['Space'], does: 'Pause or start the rotation' },
      { keys: ['←'], does: 'Previous frame' },
      { keys: ['→'], does: 'Next frame' },
      { keys: ['↑'], does: 'Zoom in' },
      { keys: ['↓'], does: 'Zoom out' },
      { keys: ['W'], does: 'Wiggle' },
      { keys: ['P'], does: 'Play the trajectory' },
      { keys: ['1'], does: 'Space-filling' },
      { keys: ['2'], does: 'Ball and stick' },
      { keys: ['3'], does: 'Sticks' },
      { keys: ['F'], does: 'Full screen' },
      { keys: ['Home'], does: 'Fit the molecule' },
    ],
  },
  {
    where: 'Log',
    list: [
      { keys: ['/'], does: 'Search the log' },
      { keys: ['n'], does: 'Next line found' },
      { keys: ['N'], does: 'Previous line found' },
      { keys: ['c'], does: 'Show the chosen line in context, or the found lines again' },
      { keys: ['Home'], does: 'Oldest line' },
      { keys: ['End'], does: 'Newest line, and follow' },
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

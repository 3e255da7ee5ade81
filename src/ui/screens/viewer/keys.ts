import type { ViewerCommand } from '../../../machines/screens/viewer/viewer.events.ts'

/** What a key of docs/product.md §2 means: something for the machine, or for the camera. */
export type KeyMeaning = { readonly send: ViewerCommand } | { readonly zoom: 1 | -1 } | 'fit'

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

const meanings: Readonly<Record<string, KeyMeaning>> = {
  ' ': { send: { type: 'viewer.toggleRotation' } },
  ArrowLeft: { send: { type: 'viewer.step', by: -1 } },
  ArrowRight: { send: { type: 'viewer.step', by: 1 } },
  ArrowUp: { zoom: 1 },
  ArrowDown: { zoom: -1 },
  w: { send: { type: 'viewer.toggleWiggle' } },
  p: { send: { type: 'viewer.togglePlayback' } },
  f: { send: { type: 'viewer.toggleFullScreen' } },
  1: { send: { type: 'viewer.draw', style: 1 } },
  2: { send: { type: 'viewer.draw', style: 2 } },
  3: { send: { type: 'viewer.draw', style: 3 } },
  Home: 'fit',
}

export const meaningOf = ({ key, ctrlKey, metaKey, altKey }: Keys): KeyMeaning | undefined => {
  const name = key.length === 1 ? key.toLowerCase() : key
  return ctrlKey || metaKey || altKey || !Object.hasOwn(meanings, name) ? undefined : meanings[name]
}

/** Where a key belongs to what has the focus: a field, a slider, a menu, a dialog; and the space bar to a button. */
export const isTaken = ({ key }: Keys, target: EventTarget | null): boolean => {
  if (!(target instanceof Element)) return false
  if (
    target.closest(
      'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]',
    ) !== null
  )
    return true
  return key === ' ' && target.closest('button, a, [role=button]') !== null
}

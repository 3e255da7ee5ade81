import { useSystem } from '../../hooks/system-context.ts'
import { isInOverlay, useKeyDown } from '../../hooks/use-key-down.ts'
import type { ViewerCommand } from '../../../machines/screens/viewer/viewer.events.ts'
import type { MoleculeCanvas } from './molecule-canvas.ts'

/** The action of a key (docs/product.md §2): an event for the client, or a camera movement. */
export type KeyAction = { readonly send: ViewerCommand } | { readonly zoom: 1 | -1 } | 'fit'

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

const keyActions: Readonly<Record<string, KeyAction>> = {
  ' ': { send: { type: 'viewer.toggleRotation' } },
  ArrowLeft: { send: { type: 'viewer.step', by: -1 } },
  ArrowRight: { send: { type: 'viewer.step', by: 1 } },
  ArrowUp: { zoom: 1 },
  ArrowDown: { zoom: -1 },
  w: { send: { type: 'viewer.toggleWiggle' } },
  p: { send: { type: 'viewer.togglePlayback' } },
  f: { send: { type: 'viewer.toggleFullScreen' } },
  1: { send: { type: 'viewer.setStyle', style: 1 } },
  2: { send: { type: 'viewer.setStyle', style: 2 } },
  3: { send: { type: 'viewer.setStyle', style: 3 } },
  4: { send: { type: 'viewer.setStyle', style: 4 } },
  5: { send: { type: 'viewer.setStyle', style: 5 } },
  s: { send: { type: 'viewer.toggle', option: 'showsSolvent' } },
  g: { send: { type: 'viewer.toggle', option: 'hasGhost' } },
  l: { send: { type: 'viewer.toggle', option: 'showsLegend' } },
  Home: 'fit',
}

export function keyActionOf({ key, ctrlKey, metaKey, altKey }: Keys): KeyAction | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key
  return ctrlKey || metaKey || altKey || !Object.hasOwn(keyActions, name) ? undefined : keyActions[name]
}

/** Whether the focused element uses the key itself: fields, menus, dialogs; sliders, checkboxes and buttons some. */
export function isUsedByFocus({ key }: Keys, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (isInOverlay(target) || target.closest('[role=listbox]') !== null) return true
  if (target.matches('input:is([type=range], [type=checkbox], [type=radio])'))
    return /^(?: |Arrow.*|Home|End|Page.*)$/.test(key)
  if (target.closest('input, textarea, select, [contenteditable]') !== null) return true
  return key === ' ' && target.closest('button, a, [role=button]') !== null
}

/** Handles the keys of docs/product.md §2 on the whole screen. */
export function useViewerKeys(canvas: MoleculeCanvas | undefined): void {
  const { viewer } = useSystem()
  useKeyDown(event => {
    const action = keyActionOf(event)
    if (action === undefined || event.defaultPrevented || isUsedByFocus(event, event.target)) return
    event.preventDefault()
    if (action === 'fit') canvas?.fit()
    else if ('zoom' in action) canvas?.zoom(action.zoom)
    else viewer.send(action.send)
  })
}

import type { System } from '../../machines/app/system.ts'
import { selectClientRef } from '../../machines/connection/fleet/fleet.selectors.ts'
import { requestState } from '../screens/machines/client/request-state.ts'
import { stateBlocker } from '../screens/machines/client/state-blocker.ts'

const steps: Readonly<Record<string, -1 | 1>> = { j: 1, k: -1 }

/** In a grid its own keys lead on, since not all rows are rendered. */
function step(from: HTMLElement, target: Element, by: -1 | 1): void {
  if (from.dataset['key'] !== undefined) {
    const key = by === 1 ? 'ArrowDown' : 'ArrowUp'
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return
  }
  const all = [...document.querySelectorAll('[data-machine]')]
  all[all.indexOf(from) + by]?.querySelector<HTMLElement>('h2 a')?.focus()
}

/** Keys of single letters: the wall everywhere but in the 3D view, which wiggles by it, and others while the focus is on a machine of a list. */
export function pressPlainKey(system: System, { key, target }: KeyboardEvent, showWall: () => void): void {
  if (!(target instanceof Element) || !system.preferences.getSnapshot().context.shown.listKeys) return
  if (key === 'w' && !window.location.pathname.includes('/view/')) showWall()
  const place = target.closest<HTMLElement>('[data-machine], [role=grid] [data-key]')
  const id = place?.dataset['machine'] ?? place?.dataset['key'] ?? ''
  const client = selectClientRef(id)(system.fleet.getSnapshot())
  if (place === null || client === undefined) return
  const by = steps[key]
  if (by !== undefined) step(place, target, by)
  else if (key === 'x') system.selection.send({ type: 'selection.toggle', id })
  else if ((key === 'p' || key === 'f') && stateBlocker(client, system, 'fold') === undefined)
    requestState(client, system, key === 'p' ? 'pause' : 'fold')
}

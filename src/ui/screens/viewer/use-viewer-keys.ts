import { useSystem } from '../../hooks/system-context.ts'
import { useKeyDown } from '../../hooks/use-key-down.ts'
import { isUsedByFocus, keyActionOf } from './keys.ts'
import type { MoleculeCanvas } from './molecule-canvas.ts'

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

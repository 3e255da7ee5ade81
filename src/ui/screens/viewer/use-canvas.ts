import { useSyncExternalStore } from 'react'
import type { MoleculeCanvas } from './molecule-canvas.ts'

function never() {
  return () => undefined
}

/** What the canvas says now; undefined before there is one. */
export function useCanvas<T>(canvas: MoleculeCanvas | undefined, select: (canvas: MoleculeCanvas) => T): T | undefined {
  return useSyncExternalStore(canvas?.subscribe ?? never, () => (canvas === undefined ? undefined : select(canvas)))
}

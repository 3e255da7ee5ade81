import { useEffect, useSyncExternalStore } from 'react'
import type * as findModule from './find.tsx'
import { loadCode } from '../../../../loading/load-code.ts'

type FindCode = typeof findModule

let code: FindCode | undefined
const listeners = new Set<() => void>()

/** Loads the code that reads queries. Rejects when it cannot be loaded; a later call tries again. */
export async function loadFind(): Promise<FindCode> {
  const loaded = await loadCode(() => import('./find.tsx'))
  if (code === undefined) {
    code = loaded
    listeners.forEach(listener => listener())
  }
  return loaded
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * The code that reads queries; undefined until it is loaded, which begins when it is first needed. Until then a query is
 * searched for in names. A failure is shown where the query is (`ActiveQuery`), with a button to try again.
 */
export function useFindCode(isNeeded: boolean): FindCode | undefined {
  useEffect(() => {
    if (isNeeded) void loadFind().catch(() => undefined)
  }, [isNeeded])
  return useSyncExternalStore(subscribe, () => code)
}

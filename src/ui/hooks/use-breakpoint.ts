import { useSyncExternalStore } from 'react'
import { NARROW_WIDTH, SMALL_WIDTH } from '../../folding/unit/column-sets.ts'

const breakpoints: readonly number[] = [NARROW_WIDTH, SMALL_WIDTH]

function queryOf(breakpoint: number): string {
  return `(width <= ${breakpoint}px)`
}

function subscribe(onChange: () => void): () => void {
  const queries = breakpoints.map(breakpoint => window.matchMedia(queryOf(breakpoint)))
  for (const query of queries) query.addEventListener('change', onChange)
  return () => queries.forEach(query => query.removeEventListener('change', onChange))
}

function read(): number {
  return breakpoints.find(breakpoint => window.matchMedia(queryOf(breakpoint)).matches) ?? Number.POSITIVE_INFINITY
}

/** The smallest breakpoint (520 or 800 px) that the window's width does not exceed; else infinity. */
export function useBreakpoint(): number {
  return useSyncExternalStore(subscribe, read)
}

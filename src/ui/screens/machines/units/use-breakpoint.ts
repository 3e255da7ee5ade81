import { useSyncExternalStore } from 'react'
import { NARROW_WIDTH, SMALL_WIDTH } from '../../../../folding/unit/column-sets.ts'

const limits: readonly number[] = [NARROW_WIDTH, SMALL_WIDTH]

const queryOf = (limit: number): string => `(width <= ${limit}px)`

const subscribe = (onChange: () => void): (() => void) => {
  const queries = limits.map(limit => window.matchMedia(queryOf(limit)))
  for (const query of queries) query.addEventListener('change', onChange)
  return () => queries.forEach(query => query.removeEventListener('change', onChange))
}

const read = (): number => limits.find(limit => window.matchMedia(queryOf(limit)).matches) ?? Number.POSITIVE_INFINITY

/** The least of the widths that count, 520 and 800, that the window does not exceed; else infinity. */
export const useBreakpoint = (): number => useSyncExternalStore(subscribe, read)

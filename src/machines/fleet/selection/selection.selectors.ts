import type { SelectionSnapshot } from './selection.machine.ts'

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

/** The ids as a set, made once for each selection, so that thousands of rows may ask. */
export function selectSelectedSet({ context: { ids } }: SelectionSnapshot): ReadonlySet<string> {
  const cached = sets.get(ids)
  if (cached !== undefined) return cached
  const set = new Set(ids)
  sets.set(ids, set)
  return set
}

/** Whether the client shown under this id is selected. */
export function isSelected(id: string) {
  return (snapshot: SelectionSnapshot): boolean => selectSelectedSet(snapshot).has(id)
}

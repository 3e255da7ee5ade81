/**
 * Parts on the GPU by what they were made of, in the order of last use: when all together are larger than `most`, those that were not used
 * for the longest time are freed.
 */
export function createPool<Key, Part extends { readonly free: () => void }>(
  most: number,
  sizeOf: (part: Part) => number = () => 1,
) {
  const parts = new Map<Key, Part>()
  const use = (key: Key, part: Part): Part => {
    parts.delete(key)
    parts.set(key, part)
    return part
  }
  /** Frees all others. */
  const keep = (keys: readonly Key[]): void => {
    for (const [key, part] of parts) {
      if (keys.includes(key)) continue
      parts.delete(key)
      part.free()
    }
  }
  return {
    get: (key: Key): Part | undefined => {
      const part = parts.get(key)
      return part === undefined ? undefined : use(key, part)
    },
    add: (key: Key, part: Part): Part => {
      use(key, part)
      let size = [...parts.values()].reduce((sum, one) => sum + sizeOf(one), 0)
      for (const [oldest, old] of parts) {
        if (size <= most || oldest === key) break
        size -= sizeOf(old)
        parts.delete(oldest)
        old.free()
      }
      return part
    },
    newest: (): Part | undefined => [...parts.values()].at(-1),
    keep,
    free: (): void => keep([]),
  }
}

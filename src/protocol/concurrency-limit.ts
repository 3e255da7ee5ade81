/** Starts tasks in order, at most `width` at a time. */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>

export function createConcurrencyLimit(width: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let inside = 0

  return async task => {
    if (inside >= width)
      await new Promise<void>(resolve => {
        waiting.push(resolve)
      })
    else inside += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) inside -= 1
      else next()
    }
  }
}

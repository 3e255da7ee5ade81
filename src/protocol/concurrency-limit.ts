/** Starts tasks in order, at most `width` at a time. */
export type Gate = <T>(task: () => Promise<T>) => Promise<T>

export const createGate = (width: number): Gate => {
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

export type PacedQueue<T> = { add(item: T): void; clear(): void }

/**
 * Delivers items in order, one every `paceMs`: a real node passes on about 3.3 messages a second from each client, to all
 * sessions together, and the rest waits (docs/protocol.md §11.6).
 */
export function createPacedQueue<T>(paceMs: number, deliver: (item: T) => void): PacedQueue<T> {
  let pending: T[] = []
  let next = 0
  let timer: NodeJS.Timeout | undefined

  const backlog = (): number => pending.length - next

  const step = (): void => {
    timer = undefined
    const item = pending[next]
    next += 1
    if (item !== undefined) deliver(item)
    if (backlog() === 0) {
      pending = []
      next = 0
      return
    }
    if (next > 1_000) {
      pending = pending.slice(next)
      next = 0
    }
    timer = setTimeout(step, paceMs)
  }

  return {
    add: item => {
      if (paceMs <= 0) {
        deliver(item)
        return
      }
      pending.push(item)
      timer ??= setTimeout(step, paceMs)
    },
    clear: () => {
      clearTimeout(timer)
      timer = undefined
      pending = []
      next = 0
    },
  }
}

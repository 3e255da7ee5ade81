export type PacedQueue<T> = { add(item: T): void; clear(): void }

/**
 * Delivers items in order, one every `paceMs`: a real node passes on about 3.3 messages a second from each client, to all
 * sessions together, and the rest waits (docs/protocol.md §11.6).
 */
export function createPacedQueue<T>(paceMs: number, deliver: (item: T) => void): PacedQueue<T> {
  let pending: T[] = []
  let timer: NodeJS.Timeout | undefined

  const step = (): void => {
    timer = undefined
    const item = pending.shift()
    if (item !== undefined) deliver(item)
    if (pending.length > 0) timer ??= setTimeout(step, paceMs)
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
    },
  }
}

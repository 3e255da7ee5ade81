export type PacedQueue<T> = { add(item: T): void; clear(): void }

/** A longer backlog is read proportionally faster, so that it stops growing. */
const NORMAL_BACKLOG = 64

/**
 * Delivers items in order, one every `paceMs`: a real node reads about 3.3 messages a second from each machine
 * (docs/protocol.md §11.6). Unlike there, a long backlog is read faster, so that the lag is bounded.
 */
export const createPacedQueue = <T>(paceMs: number, deliver: (item: T) => void): PacedQueue<T> => {
  let pending: T[] = []
  let next = 0
  let timer: NodeJS.Timeout | undefined

  const backlog = (): number => pending.length - next

  const step = (): void => {
    timer = undefined
    const due = Math.max(1, Math.ceil(backlog() / NORMAL_BACKLOG))
    for (let done = 0; done < due && backlog() > 0; done += 1) {
      const item = pending[next]
      next += 1
      if (item !== undefined) deliver(item)
    }
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

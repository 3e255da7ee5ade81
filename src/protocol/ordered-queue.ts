export type OrderedQueue = <T>(work: Promise<T>) => Promise<T>

/** Promises run concurrently; their results are delivered in the order of the calls. */
export function createOrderedQueue(): OrderedQueue {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const before = last
    const turn = before.then(() => work)
    // A rejection goes to its own caller only; later calls just wait for it to settle.
    last = turn.catch(() => undefined)
    work.catch(() => undefined)
    return turn
  }
}

export type Lane = <T>(work: Promise<T>) => Promise<T>

/** Lets work run side by side and hands its results out in the order in which it was put in. */
export const createLane = (): Lane => {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const before = last
    const turn = before.then(() => work)
    // A failure belongs to whoever holds the turn; those behind it only wait for its end.
    last = turn.catch(() => undefined)
    work.catch(() => undefined)
    return turn
  }
}

/** Runs works one after another: each begins when the one before is over, however that ended. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Result | PromiseLike<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
}

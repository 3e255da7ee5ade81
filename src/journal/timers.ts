/** What keeps the time of a system: XState's own is made of the browser's timers. */
export type Timers = {
  readonly setTimeout: (run: () => void, ms: number) => unknown
  readonly clearTimeout: (timer: unknown) => void
}

/** Timers that tell whether it is one of them that runs now. */
export const trackedTimers = (timers: Timers) => {
  let runs = false
  return {
    clock: {
      setTimeout: (run: (...parameters: unknown[]) => void, ms: number): unknown =>
        timers.setTimeout(() => {
          runs = true
          try {
            run()
          } finally {
            runs = false
          }
        }, ms),
      clearTimeout: timers.clearTimeout,
    },
    /** True once of every timer that goes off: of the event that it was for, and not of what follows from that. */
    takeFired: (): boolean => {
      const ran = runs
      runs = false
      return ran
    },
  }
}

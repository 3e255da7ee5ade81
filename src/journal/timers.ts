/** Timers of a system. */
export type Timers = {
  readonly setTimeout: (run: () => void, ms: number) => unknown
  readonly clearTimeout: (timer: unknown) => void
}

/** A clock for XState that records which events come from its timers. */
export function trackedTimers(timers: Timers) {
  let hasFired = false
  return {
    clock: {
      setTimeout: (run: (...parameters: unknown[]) => void, ms: number): unknown =>
        timers.setTimeout(() => {
          hasFired = true
          try {
            run()
          } finally {
            hasFired = false
          }
        }, ms),
      clearTimeout: timers.clearTimeout,
    },
    /** True once per fired timer: for its own event, not for those that follow. */
    takeFired: (): boolean => {
      const fired = hasFired
      hasFired = false
      return fired
    },
  }
}

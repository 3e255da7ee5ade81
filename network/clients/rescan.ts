/**
 * Decides when the scheduler looks: as soon as it is wanted, but never in the middle of something, and again if looking
 * itself gave a reason.
 */
export const createRescan = (run: () => void) => {
  let depth = 0
  let isRequested = false
  let isStopped = false

  const runIfIdle = (): void => {
    if (depth > 0 || isStopped) return
    depth++
    try {
      // Each look settles what the one before has freed; it ends after a few, the bound is for mistakes.
      for (let round = 0; isRequested && round < 100; round++) {
        isRequested = false
        run()
      }
    } finally {
      depth--
    }
  }

  return {
    request: (): void => {
      isRequested = true
      runIfIdle()
    },
    batch: (work: () => void): void => {
      depth++
      try {
        work()
      } finally {
        depth--
      }
      runIfIdle()
    },
    stop: (): void => {
      isStopped = true
    },
  }
}

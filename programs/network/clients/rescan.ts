/** Runs the scheduler on request: at once, or after the current run or batch. A run may request another one. */
export function createRescan(run: () => void) {
  let depth = 0
  let isRequested = false
  let isStopped = false

  const runIfIdle = (): void => {
    if (depth > 0 || isStopped) return
    depth++
    try {
      // A run may free resources for the next one. A few runs are enough; the bound guards against endless requests.
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

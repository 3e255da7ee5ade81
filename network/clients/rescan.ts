/**
 * Decides when the scheduler looks: as soon as it is wanted, but never in the middle of something, and again if looking
 * itself gave a reason.
 */
export const createLookOut = (look: () => void) => {
  let depth = 0
  let isWanted = false
  let isOver = false

  const lookIfFree = (): void => {
    if (depth > 0 || isOver) return
    depth++
    try {
      // Each look settles what the one before has freed; it ends after a few, the bound is for mistakes.
      for (let round = 0; isWanted && round < 100; round++) {
        isWanted = false
        look()
      }
    } finally {
      depth--
    }
  }

  return {
    want: (): void => {
      isWanted = true
      lookIfFree()
    },
    together: (work: () => void): void => {
      depth++
      try {
        work()
      } finally {
        depth--
      }
      lookIfFree()
    },
    end: (): void => {
      isOver = true
    },
  }
}

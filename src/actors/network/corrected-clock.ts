export type CorrectedClock = {
  /** Epoch milliseconds by the clock of the folding network, as far as that is known. */
  readonly now: () => number
  /** Milliseconds to add to this computer's clock. */
  readonly offset: () => number
  /** A server's clock minus ours, and by how much that may be wrong: milliseconds. */
  readonly compare: (found: number, within: number) => void
}

/** Milliseconds: a less precise time of a server counts only if this computer's clock is wrong by more. */
const PRECISE = 3000

/** `now`: this computer's clock. `corrected` gets each new offset. */
export function createCorrectedClock(now: () => number, corrected: (offset: number) => void): CorrectedClock {
  let offset = 0
  return {
    now: () => now() + offset,
    offset: () => offset,
    compare: (found, within) => {
      if (within > PRECISE && Math.abs(found - offset) <= within) return
      offset = found
      corrected(found)
    },
  }
}

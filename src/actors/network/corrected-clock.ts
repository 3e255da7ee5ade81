export type CorrectedClock = {
  /** Epoch milliseconds by the clock of the folding network, as far as that is known. */
  readonly now: () => number
  /** The same; a server is asked first where this computer's clock was set or the computer slept since. */
  readonly settled: () => Promise<number>
  /** Milliseconds to add to this computer's clock. */
  readonly offset: () => number
  /** A server's clock minus ours, and by how much that may be wrong: milliseconds. */
  readonly compare: (found: number, within: number) => void
}

/** By how much two clocks that go alike may differ after a while. Milliseconds. */
const PRECISE = 3000

/**
 * `now`: this computer's clock. `steady`: milliseconds of one that nobody sets. `ask` has a server's clock compared, and ends soon.
 * `corrected` gets each new offset.
 */
export function createCorrectedClock(
  now: () => number,
  steady: () => number,
  ask: () => Promise<unknown>,
  corrected: (offset: number) => void,
): CorrectedClock {
  let offset = 0
  let ahead = now() - steady()
  let asked: Promise<unknown> | undefined
  return {
    now: () => now() + offset,
    settled: async () => {
      const found = now() - steady()
      // A client that takes one time that lies ahead ignores what it is told until then (docs/protocol.md §5).
      if (Math.abs(found - ahead) > PRECISE) {
        ahead = found
        asked = ask()
      }
      await asked
      return now() + offset
    },
    offset: () => offset,
    compare: (found, within) => {
      if (Math.abs(found - offset) <= within) return
      offset = found
      corrected(found)
    },
  }
}

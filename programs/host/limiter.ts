/** Counts events by name within a sliding window, to slow down guessing. */
export type Limiter = {
  /** Seconds until the next attempt is allowed; undefined if it is now. */
  secondsToWait(name: string): number | undefined
  count(name: string): void
  reset(name: string): void
}

const MAX_NAMES = 10_000

export function createLimiter({ most, withinMs, now }: { most: number; withinMs: number; now: () => number }): Limiter {
  const counted = new Map<string, number[]>()

  const recent = (name: string): number[] => (counted.get(name) ?? []).filter(at => at > now() - withinMs)

  return {
    secondsToWait: name => {
      const times = recent(name)
      const first = times[times.length - most]
      return first === undefined ? undefined : Math.max(1, Math.ceil((first + withinMs - now()) / 1_000))
    },
    count: name => {
      const times = [...recent(name), now()]
      counted.delete(name)
      counted.set(name, times)
      const [oldest] = counted.keys()
      if (counted.size > MAX_NAMES && oldest !== undefined) counted.delete(oldest)
    },
    reset: name => {
      counted.delete(name)
    },
  }
}

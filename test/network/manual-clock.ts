import type { Clock } from '../../programs/network/clients/types.ts'

/** A clock for tests. `advance` moves the time and runs due timers in order; `timers`: how many have not run. */
export function createManualClock(start: number): Clock & { advance(ms: number): void; timers(): number } {
  type Timer = { readonly at: number; readonly order: number; readonly task: () => void }
  const timers = new Set<Timer>()
  let now = start
  let order = 0

  const next = (until: number): Timer | undefined =>
    [...timers].filter(timer => timer.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0]

  return {
    now: () => now,
    timers: () => timers.size,
    setTimer: (task, ms) => {
      const timer = { at: now + ms, order: order++, task }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: ms => {
      const until = now + ms
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.at)
        timer.task()
      }
      now = until
    },
  }
}

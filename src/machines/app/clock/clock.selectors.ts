import type { ClockSnapshot } from './clock.machine.ts'

/**
 * With a larger offset clients ignore commands and relays refuse logins (docs/protocol.md §5, §11.3).
 * Milliseconds.
 */
export const LARGE_OFFSET = 60_000
export function isClockFarOut(snapshot: ClockSnapshot): boolean {
  return Math.abs(snapshot.context.offset) > LARGE_OFFSET
}
/** Epoch milliseconds. */
export function selectNow(snapshot: ClockSnapshot): number {
  return snapshot.context.now
}

import type { ClockSnapshot } from './clock.machine.ts'

/**
 * With a larger offset clients ignore commands and relays refuse logins (docs/protocol.md §5, §11.3).
 * Milliseconds.
 */
export const LARGE_OFFSET = 60_000

export const selectClockOffset = (snapshot: ClockSnapshot): number => snapshot.context.offset
export const isClockFarOut = (snapshot: ClockSnapshot): boolean => Math.abs(snapshot.context.offset) > LARGE_OFFSET

import type { ClockSnapshot } from './clock.machine.ts'

/** A clock this far out makes clients ignore commands or relays refuse logins (wire.md §5, §11.3). Milliseconds. */
const LARGE_OFFSET = 60_000

export const selectNow = (snapshot: ClockSnapshot): number => snapshot.context.now
/** Whole seconds, for what need not move four times a second. */
export const selectNowInSeconds = (snapshot: ClockSnapshot): number => Math.floor(snapshot.context.now / 1000) * 1000
/** Whole minutes, for 'three hours ago'. */
export const selectNowInMinutes = (snapshot: ClockSnapshot): number => Math.floor(snapshot.context.now / 60_000) * 60_000
export const selectClockOffset = (snapshot: ClockSnapshot): number => snapshot.context.offset
export const isClockFarOut = (snapshot: ClockSnapshot): boolean => Math.abs(snapshot.context.offset) > LARGE_OFFSET

/*
 * How much of what clients report is kept in memory. The counts are those of docs/product.md §9; the limits in bytes
 * hold for clients that send few but huge items.
 */
const MEGABYTE = 1024 * 1024

/** Lines kept of one client's log; the client itself keeps as many. */
export const MAX_LOG_LINES = 100_000

/** Bytes of one client's log. A usual line has 80 bytes, so 100,000 lines are 8 MB. */
export const MAX_LOG_BYTES = 64 * MEGABYTE

/** Frames kept of one unit. */
export const MAX_FRAMES = 1000

/** Bytes of one unit's positions. A client sends at most 25 MB of JSON for a unit (docs/protocol.md §8), which is less. */
export const MAX_FRAME_BYTES = 128 * MEGABYTE

/** Ended units kept, of all clients; the oldest are dropped first. */
export const MAX_STORED_UNITS = 50_000

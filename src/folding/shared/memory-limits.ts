/*
 * How much is kept of what machines say. Counts come from docs/product.md §9; bytes bound what a machine that sends few
 * but huge things can take of the page's memory.
 */
const MEGABYTE = 1024 * 1024

/** Most lines kept of one client's log, and what the client itself keeps. */
export const LOG_CAP = 100_000

/** Bytes of them. A usual line has 80, so that a hundred thousand are 8 MB. */
export const LOG_BYTES = 64 * MEGABYTE

/** Most frames kept of one unit. */
export const FRAME_CAP = 1000

/**
 * Bytes of their positions. A client sends at most 25 MB of text for a unit (docs/protocol.md §8), which are fewer
 * bytes here.
 */
export const FRAME_BYTES = 128 * MEGABYTE

/** Units that ended, of all machines together; beyond it the oldest go: fifty years of a machine that does three a day. */
export const MOST_KEPT = 50_000

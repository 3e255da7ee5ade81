/** Milliseconds: what the first picture does not need waits for this long. */
export const STARTUP_DELAY = 8000

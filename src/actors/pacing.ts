/*
 * How long data may wait between a socket and the page. Milliseconds, unless another unit is given. The policy is
 * described in ARCHITECTURE.md, 'How stale a value may be'.
 */

/** Changes of a machine that is not visible are posted this many steps later: 1 s, in steps that spread machines evenly. */
export const HIDDEN_MACHINE_STEPS = 20
export const STEP = 50

/**
 * After the page has processed a batch, the worker waits this long before it posts the next one. Of 200 changes a second
 * 95 % are in the picture after 18 ms (headless Chromium, two cores); with a wait of 8 ms it was 27 ms, for a tenth less work
 * of the page.
 */
export const BATCH_DELAY = 3

/** Part of a frame that may be spent on machines that are not visible; the rest of them wait for the next frame. */
export const HIDDEN_MACHINE_BUDGET = 10

/** The same while facts of a relay wait for them, as when thousands of machines connect: a click is still answered. */
export const RELAY_BUDGET = 20

/** The longest wait for an animation frame, which a page that has just been hidden does not get. */
export const LONGEST_FRAME = 250

/** Between batches while the page is hidden. */
export const HIDDEN_PAGE_INTERVAL = 250

/** Between reports that a relay is alive while it brings messages of machines only. */
export const RELAY_ALIVE_INTERVAL = 1000

/** Between ticks of the clock, which also update the cells that are scrolled out of view (docs/product.md §9). */
export const CLOCK_TICK = 250

/** How long a socket that was opened ahead of its channel waits for it. */
export const PREPARED_LIFETIME = 10_000

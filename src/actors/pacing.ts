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

/*
 * Sessions through a relay: a node may pass on a machine's messages later and later (docs/protocol.md §11.6). A request of
 * the full state measures by how much, since its answer comes after all that the machine sent before.
 */

/** After this, a request of the full state is late: what is shown is at least as old. A round trip to an idle machine takes 0.9 s. */
export const LATE_ANSWER = 5000
/** An answer within this means that nothing waits before it. */
export const PROMPT_ANSWER = 2000
/** The longest that an answer is awaited: twice as long after each that did not come. The relay is not renewed meanwhile. */
export const LONGEST_ANSWER = 20_000
/** Until the first measurement: a machine with six units is 2 s behind by then. */
export const FIRST_AGE_CHECK = 3000
/** Between two measurements of a session that brings anything; with many sessions this long for each of them. */
export const AGE_CHECK = 15_000
export const AGE_CHECK_PER_SESSION = 100
/** The same while the log or a molecule is shown, which the machine then sends again. */
export const AGE_CHECK_OF_STREAMS = 60_000
/** Between two requests of the full state from a machine whose messages are late: so that what is shown is about 10 s old. */
export const BEHIND_INTERVAL = 8000
/**
 * For each millisecond that an answer took: six units make four times as many messages as a node passes on, all of which
 * stand behind the answer.
 */
export const BEHIND_PER_WAIT = 4
/** When its changes are tried again; twice as long after each time that they were late, up to 16 min. */
export const TRY_CHANGES = 120_000
/** How long a machine is followed after a command, to show its effect. */
export const EFFECT_TIME = 3000

/** Between two requests of the full state while the page is hidden: for incidents, which last minutes. */
export const HIDDEN_PAGE_SAMPLE = 300_000

/** Only a new connection ends a session (docs/protocol.md §11.3). Sessions that end within this need one renewal. */
export const RENEWAL_DELAY = 300
/** Between two renewals, and longer for each machine, whose login the node sends each time. */
export const RENEWAL_INTERVAL = 5000
export const RENEWAL_PER_CLIENT = 50
/** The node must answer a new connection within this, and list the machines that are still connected. */
export const RENEWAL_TIMEOUT = 20_000

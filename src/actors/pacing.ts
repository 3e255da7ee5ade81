import type { Change } from '../protocol/client/changes.ts'

/*
 * When what clients report is shown: all of the policy is here (ARCHITECTURE.md, 'How stale a value may be').
 * Milliseconds.
 *
 * Facts are shown in the next frame: state, pause, failures, units that come and go, groups, settings, connections, logs.
 * Figures are shown once a second, all of the screen in one paint, as the second begins. With them goes what follows from
 * the time: ages, countdowns. All that is in no list below is a fact.
 */

const FIGURES: ReadonlySet<unknown> = new Set([
  'wu_progress',
  'progress',
  'eta',
  'ppd',
  'tpf_secs',
  'run_time',
  'frames',
])

export function isFigure(change: Change): boolean {
  return change.length >= 4 && change[0] === 'units' && Number(change[1]) >= 0 && FIGURES.has(change[2])
}

/** Whether a fact changes more than a value of one unit, so that figures that came before it must be applied before it. */
export function movesUnits([list, unit, key, ...rest]: Change): boolean {
  return list === 'units' && !(Number(unit) >= 0 && typeof key === 'string' && rest.length > 0)
}

export const SECOND = 1000

export function untilNextSecond(now: number): number {
  return SECOND - (now % SECOND)
}

/** How long the clock of the page waits for the figures of a second, to be painted together with them. */
export const FIGURES_GRACE = 200

/** Part of a frame that may be spent on clients that are not visible; the rest of them wait for the next frame. */
export const FRAME_BUDGET = 10

/** The longest wait for an animation frame, which a page that has just been hidden does not get. */
export const LONGEST_FRAME = 250

/*
 * Sessions through a relay. An idle node passes on the messages of a client slowly, in order, for all pages together
 * (docs/protocol.md §11.6), so what a page shows of a busy client would be older and older.
 */

/**
 * After such a pause no message waits at a node: to each of ten pages that see a busy client, a message comes every 3 s.
 */
export const QUIET_TIME = 3000
/** How long messages come without such a pause before it is measured how late they are. */
export const BUSY_TIME = 1000
/** The time to the next such measurement: twice as long after each prompt answer. */
export const FIRST_AGE_CHECK = 4000
export const LONGEST_AGE_CHECK = 10_000
/** The changes of a client with more running units are never followed: two make 6 messages a second with the log, a node passes on 3.3. */
export const MOST_FOLLOWED_UNITS = 1
/** A client with running units that has said nothing for so long is asked for its state: its age is said 6 s after its last message. */
export const SILENCE = 3500
/** An answer to a request of the full state is late after this. From an idle client it takes 0.9 s. */
export const LATE_ANSWER = 2500
/** When nothing at all has come since a request, the account logs in again: a node answers that, whatever its clients do. */
export const NODE_CHECK = 10_000
/** A client counts as gone when nothing has come for so long since a request. What others are sent first may take a minute. */
export const GONE_TIME = 120_000
/** A timer that ends later or earlier than this by the clock tells that the clock was set or the computer slept. */
export const TIMER_DELAY = 10_000
/** An answer that has not come by then is no longer expected, and its connection is closed: three pages made a client with forty changes a second 3 min late. */
export const LOST_ANSWER = 600_000
/** Between two requests of the full state of a client whose changes are not followed. */
export const SAMPLE_INTERVAL = 5000
/** The same for each client of the account that is not visible, since the node sends the logins of all each time. */
export const SAMPLE_PER_CLIENT = 20
/**
 * A client sends what has changed in its units once a second, and pages of one account ask at the same time by chance. Where changes
 * follow an answer, since the session has not ended yet, later requests are sent later by a part of this.
 */
export const SAMPLE_SHIFT = 500
/** A request of a client whose messages are late waits for such a pause between those that were sent before, but not longer. */
export const DRAIN_PAUSE = 1000
export const LONGEST_DRAIN = 60_000
/** An open log is requested again at the latest after this; a short one sooner, so that it takes no more than the bytes a second. */
export const LOG_SAMPLE = 60_000
export const LOG_BYTES_PER_SECOND = 10_000
/** For so long a session stays open that was asked for a molecule: a client sends its frames one after another. */
export const MOLECULE_SHARE = 1500
/** After a command, the state is requested that shows its effect. */
export const EFFECT_TIME = 1000
/** When changes are followed again; twice as long after each time that they were late, up to 40 min. */
export const TRY_CHANGES = 300_000
/** Between two requests of the full state while the page is hidden: for incidents, which last minutes. */
export const HIDDEN_PAGE_SAMPLE = 300_000
/** Sessions that end within this share the login that ends them. */
export const END_SESSIONS = 50
/** Between two logins over a connection, for each client that the node lists in answer: with a thousand of them, as long as between two requests. */
export const LOGIN_PER_CLIENT = 5

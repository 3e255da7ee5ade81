/** Exponential back-off: the first and the longest delay, in milliseconds. */
export type BackOff = { readonly first: number; readonly most: number }

/** A client or a server on another computer, which other programs or pages that nobody looks at try to reach. */
export const REMOTE: BackOff = { first: 1000, most: 30_000 }
/** The same on a page that is looked at. */
export const LOOKED_AT: BackOff = { first: 1000, most: 10_000 }
/** A client on this computer: retries cost little, and a client that was just started is found soon. */
export const LOCAL: BackOff = { first: 1000, most: 5000 }
/** The account API and statistics: they are not urgent. */
export const SERVER: BackOff = { first: 3000, most: 120_000 }

/**
 * The delay before the next attempt after so many failures, in milliseconds: it doubles each time, up to `most`, and is
 * at least what the server demands (`Retry-After`).
 */
export function backOffDelay(failures: number, { first, most }: BackOff, demanded = 0): number {
  return Math.max(demanded, Math.min(most, first * 2 ** Math.min(30, Math.max(0, failures - 1))))
}

/** So many requests without an answer are a second apart: a short outage is over soon, and a request costs little. */
const EAGER_REQUESTS = 60

/**
 * The delay before a host is asked again, in milliseconds: after so many requests without an answer, or, when it answered, after
 * so many attempts without a connection.
 */
export function askDelay(unanswered: number, failures: number, slow: BackOff): number {
  return backOffDelay(unanswered > 0 ? unanswered - EAGER_REQUESTS : failures, slow)
}

/** A node that was away would be asked for its sockets by all pages within a second. */
const LONGEST_SPREAD = 4000

/** How long a page waits that heard a node answer again, in milliseconds. `random`: 0 to 1. */
export function spreadDelay(random: number): number {
  return Math.round(random * LONGEST_SPREAD)
}

/** Adds up to 50 %, so that clients that lost the same server do not reconnect all at once. `random`: 0 to 1. */
export function withJitter(wait: number, random: number): number {
  return Math.round(wait * (1 + random / 2))
}

/** Longer `Retry-After` demands are cut to this. */
const MAX_RETRY_AFTER = 60 * 60_000

/** Parses `Retry-After` (seconds or a date, RFC 9110 §10.2.3) to milliseconds; undefined for anything else. */
export function retryAfterOf(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(MAX_RETRY_AFTER, wait) : undefined
}

/** Lengths of time in milliseconds. */
export type BackOff = { readonly first: number; readonly most: number }

/** A relay, a client or a server on another computer. */
export const REMOTE: BackOff = { first: 1000, most: 30_000 }
/** A client on this computer: nobody else is kept busy, and one that is started is found soon. */
export const LOCAL: BackOff = { first: 1000, most: 5000 }
/** What holds an account or numbers: nothing is lost meanwhile. */
export const SERVER: BackOff = { first: 3000, most: 120_000 }

/**
 * How long to wait before the next try, after so many that failed: twice as long each time, up to the most. What the
 * server asks for (`Retry-After`) is waited for in any case.
 */
export const waitAfter = (failures: number, { first, most }: BackOff, demanded = 0): number =>
  Math.max(demanded, Math.min(most, first * 2 ** Math.min(30, Math.max(0, failures - 1))))

/** Up to half as much again, so that those who lost the same server do not come back in one wave. `random`: from 0 to 1. */
export const jittered = (wait: number, random: number): number => Math.round(wait * (1 + random / 2))

/** A server that asks for more than this is asked again all the same. */
const MOST_DEMANDED = 60 * 60_000

/** The `Retry-After` of an answer in milliseconds: whole seconds, or a date; undefined for anything else (RFC 9110 §10.2.3). */
export const retryAfterOf = (header: string | null, now: number): number | undefined => {
  const text = header?.trim() ?? ''
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(MOST_DEMANDED, wait) : undefined
}

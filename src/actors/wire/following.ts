import {
  BUSY_TIME,
  DRAIN_PAUSE,
  EFFECT_TIME,
  FIRST_AGE_CHECK,
  LATE_ANSWER,
  LONGEST_AGE_CHECK,
  LONGEST_DRAIN,
  LOST_ANSWER,
  QUIET_TIME,
  TRY_CHANGES,
} from '../pacing.ts'
import type { HubDeps } from './hub.types.ts'

/**
 * Whether the changes of a client are followed through a relay, or only its full state is requested from time to time: while
 * its messages are late, and while the page is hidden. Times are epoch milliseconds.
 */
export type Following = {
  /** A message of the client has arrived. */
  heard(at: number): void
  /** The oldest request was answered. */
  answered(at: number): void
  /** The answer to the oldest request was unreadable. */
  unreadable(): void
  /** What was requested will not be answered, since the connection for it has ended. */
  lost(): void
  /** Requests the full state now. The effect of `command`, if any, is requested a moment later. */
  request(command?: 'command'): void
  /** Milliseconds between requests in place of changes; undefined to follow changes. */
  sampleEvery(interval: number | undefined): void
  isFollowed(): boolean
  stop(): void
}

type Parts = {
  readonly deps: Pick<HubDeps, 'now' | 'later'>
  /** Requests the full state, over another connection than that of the changes. */
  readonly ask: () => void
  /** Begins or ends the session that follows changes. At first it is open. */
  readonly follow: (isFollowed: boolean) => void
  /** As of when the known state is; undefined: it is current. */
  readonly dated: (at: number, asOf: number | undefined) => void
  /** The least milliseconds between two requests of a client whose messages are late. */
  readonly interval: () => number
}

export function createFollowing({ deps: { now, later }, ask, follow, dated, interval }: Parts): Following {
  let isFollowed = true
  let isStopped = false
  let pageInterval: number | undefined
  /** Unanswered requests, oldest first. A client answers them in order, after all that it sent before. */
  let asked: number[] = []
  let askedAt = -Infinity
  let heardAt = -Infinity
  /** Whether the session that follows changes has brought anything. */
  let isAnswered = false
  /** The known state is not older. */
  let currentAt = now()
  /** Since when messages have come without a pause. */
  let busySince = now()
  let ageCheck = FIRST_AGE_CHECK
  let timesLate = 0
  let followAgainAt = -Infinity
  let cancelWatch: (() => void) | undefined
  let cancelNext: () => void = () => undefined

  /** Runs once, unless another call replaces it. */
  const schedule = (ms: number, run: () => void): void => {
    cancelNext()
    if (!isStopped) cancelNext = later(ms, run)
  }

  const request = (): void => {
    const at = now()
    askedAt = at
    asked.push(at)
    ask()
    later(LATE_ANSWER, () => {
      if (!isStopped && isFollowed && asked[0] !== undefined && asked[0] <= at) fallBehind()
    })
    watchForLoss()
  }

  /** One timer for all that is not answered. The clock may be set meanwhile. */
  const watchForLoss = (): void => {
    const [oldest] = asked
    if (isStopped || cancelWatch !== undefined || oldest === undefined) return
    cancelWatch = later(Math.min(LOST_ANSWER, Math.max(0, oldest + LOST_ANSWER - now())), () => {
      cancelWatch = undefined
      const [waiting] = asked
      if (waiting === undefined) return
      const age = now() - waiting
      if (age >= 0 && age < LOST_ANSWER) return watchForLoss()
      asked = []
      request()
    })
  }

  const requestIfAnswered = (): void => {
    if (asked.length === 0) request()
  }

  const start = (): void => {
    isFollowed = true
    isAnswered = false
    schedule(LATE_ANSWER, () => {
      if (!isAnswered) fallBehind()
    })
  }

  const end = (): void => {
    isFollowed = false
    follow(false)
  }

  const fallBehind = (): void => {
    followAgainAt = now() + TRY_CHANGES * 2 ** Math.min(timesLate, 3)
    timesLate += 1
    end()
    dated(now(), currentAt)
    requestIfAnswered()
  }

  const followAgain = (): void => {
    follow(true)
    start()
  }

  /** Not before what waits at the node has passed, as far as it is for this page. */
  const sample = (): void => {
    if (now() - heardAt < DRAIN_PAUSE && now() - askedAt < LONGEST_DRAIN) schedule(DRAIN_PAUSE, sample)
    else requestIfAnswered()
  }

  /** All clients of an account at the same time, since one login ends all of their sessions. */
  const sampleAfter = (ms: number): void => {
    const step = Math.min(interval(), ms)
    const at = step * Math.ceil((now() + ms - step / 2) / step)
    schedule(at - now(), sample)
  }

  start()

  return {
    heard(at) {
      const hasPaused = at - heardAt >= QUIET_TIME
      heardAt = at
      if (!isFollowed) return
      if (!isAnswered) dated(at, undefined)
      else if (hasPaused) currentAt = at
      if (!isAnswered || hasPaused) {
        busySince = at
        ageCheck = FIRST_AGE_CHECK
      }
      isAnswered = true
      if (at - busySince >= BUSY_TIME && at - askedAt >= ageCheck) requestIfAnswered()
    },
    answered(at) {
      const requestedAt = asked.shift()
      if (requestedAt === undefined) return
      currentAt = requestedAt
      if (isFollowed) {
        ageCheck = Math.min(2 * ageCheck, LONGEST_AGE_CHECK)
        return
      }
      dated(at, requestedAt)
      if (pageInterval !== undefined) sampleAfter(pageInterval)
      else if (at >= followAgainAt && at - requestedAt < LATE_ANSWER && asked.length === 0) followAgain()
      else sampleAfter(interval())
    },
    unreadable() {
      asked.shift()
    },
    lost() {
      if (asked.length === 0) return
      asked = []
      if (!isFollowed) sampleAfter(interval())
    },
    request(command) {
      request()
      if (command === undefined) return
      later(EFFECT_TIME, () => {
        if (!isStopped && !isFollowed) requestIfAnswered()
      })
    },
    sampleEvery(ms) {
      if (ms === pageInterval) return
      pageInterval = ms
      if (ms === undefined) {
        if (isFollowed) return
        if (now() >= followAgainAt) followAgain()
        else requestIfAnswered()
      } else {
        const isKnown = isAnswered
        if (isFollowed) {
          end()
          if (isKnown) dated(now(), now())
        }
        if (isKnown) sampleAfter(ms)
        else requestIfAnswered()
      }
    },
    isFollowed: () => isFollowed && !isStopped,
    stop() {
      isStopped = true
      cancelWatch?.()
      cancelNext()
    },
  }
}

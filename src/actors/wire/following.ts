import {
  BUSY_TIME,
  DRAIN_PAUSE,
  EFFECT_TIME,
  FIRST_AGE_CHECK,
  GONE_TIME,
  LATE_ANSWER,
  LONGEST_AGE_CHECK,
  LONGEST_DRAIN,
  LOST_ANSWER,
  MOST_FOLLOWED_UNITS,
  NODE_CHECK,
  QUIET_TIME,
  SAMPLE_INTERVAL,
  SILENCE,
  TIMER_DELAY,
  TRY_CHANGES,
} from '../pacing.ts'
import type { FollowingState, HubDeps } from './hub.types.ts'

/**
 * Whether the changes of a client are followed through a relay, or only its full state is requested from time to time: the
 * first state is requested alone, and decides. A state machine whose states are reported (`entered`). Times are epoch
 * milliseconds.
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
  /** A full state has told how many units run. */
  counted(running: number): void
  /** Requests the full state now. The effect of a `command` is requested a moment later; `check`: of one that was sent before. */
  request(reason?: 'command' | 'check'): void
  /** Milliseconds between requests in place of changes; undefined to follow changes. */
  sampleEvery(interval: number | undefined): void
  /** The `spread` has changed: what was to be sampled later may be due sooner. */
  sampleSooner(): void
  isFollowed(): boolean
  stop(): void
}

type Parts = {
  readonly deps: Pick<HubDeps, 'now' | 'later'>
  /** Requests the full state, over another connection than that of the changes. */
  readonly ask: () => void
  /** Begins or ends the session that follows changes. */
  readonly follow: (isFollowed: boolean) => void
  readonly entered: (state: FollowingState, at: number) => void
  /** As of when the known state is; undefined: it is current. */
  readonly dated: (at: number, asOf: number | undefined) => void
  /** All that the client said until `until` has arrived. Told after requests for the effect of a command. */
  readonly seen: (at: number, until: number) => void
  /** Nothing has come for a while although a state was requested: the node may be gone. */
  readonly unanswered: () => void
  /** Nothing has come for so long that the client counts as gone. */
  readonly gone: (at: number) => void
  /** Milliseconds that the clients of the account need one after another. */
  readonly spread: () => number
  /** When within an interval the account's requests are sent, milliseconds. */
  readonly phase: () => number
  /** Changes have followed an answer: another `phase` may be better. */
  readonly changesFollowed: () => void
}

export function createFollowing(parts: Parts): Following {
  const { ask, follow, entered, dated, seen, unanswered, gone, spread, phase } = parts
  const { later } = parts.deps
  /** Where this computer's clock was set back, what was heard counts as long ago, and what was asked as just now. */
  const now = (): number => {
    const at = parts.deps.now()
    if (at < Math.max(heardAt, askedAt)) {
      heardAt = -Infinity
      askedAt = at
      followAgainAt = at
    }
    return at
  }
  let state: FollowingState = 'asking'
  let isStopped = false
  let pageInterval: number | undefined
  /** Units that run, in the last full state. */
  let running = 0
  /** Unanswered requests, oldest first. A client answers them in order, after all that it sent before. */
  let asked: number[] = []
  let askedAt = -Infinity
  let heardAt = -Infinity
  /** Whether the session that follows changes has brought anything, and since when there is one. */
  let isAnswered = false
  let followedAt = now()
  /** The known state is not older. */
  let currentAt = followedAt
  /** Since when messages have come without a pause. */
  let busySince = now()
  let ageCheck = FIRST_AGE_CHECK
  let timesLate = 0
  let followAgainAt = -Infinity
  /** When what was last asked for was sent; undefined when all of its effect is seen. */
  let commandAt: number | undefined
  let isNodeChecked = false
  let haveChangesFollowed = false
  let cancelWatch: (() => void) | undefined
  let cancelSilence: (() => void) | undefined
  let cancelNext: () => void = () => undefined

  const enter = (next: FollowingState): void => {
    state = next
    entered(next, now())
  }

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
      if (!isStopped && state === 'following' && asked[0] !== undefined && asked[0] <= at) fallBehind()
    })
    watchForAnswer()
  }

  const requestIfAnswered = (): void => {
    if (asked.length === 0) request()
  }

  /** One timer for all that is not answered. The clock may be set meanwhile. */
  const watchForAnswer = (): void => {
    const [oldest] = asked
    if (isStopped || cancelWatch !== undefined || oldest === undefined) return
    const silentSince = Math.max(oldest, heardAt)
    // The client machine waits for the first answer.
    const goneAt = state === 'asking' ? Infinity : silentSince + GONE_TIME
    const due = Math.min(oldest + LOST_ANSWER, isNodeChecked ? goneAt : silentSince + NODE_CHECK)
    const wait = Math.min(GONE_TIME, Math.max(0, due - now()))
    const endsAt = now() + wait
    cancelWatch = later(wait, () => {
      cancelWatch = undefined
      checkAnswer(Math.abs(now() - endsAt) > TIMER_DELAY)
      watchForAnswer()
    })
  }

  /** `isOtherTime`: the clock was set, or the computer slept. */
  const checkAnswer = (isOtherTime: boolean): void => {
    const [oldest] = asked
    if (oldest === undefined) return
    const at = now()
    const silence = at - Math.max(oldest, heardAt)
    if (isOtherTime || at - oldest >= LOST_ANSWER) {
      asked = []
      request()
    } else if (silence >= GONE_TIME && state !== 'asking') {
      isStopped = true
      gone(at)
    } else if (silence >= NODE_CHECK && !isNodeChecked) {
      isNodeChecked = true
      unanswered()
    }
  }

  /** A unit that runs causes messages every second. */
  const watchForSilence = (): void => {
    if (isStopped || cancelSilence !== undefined || running === 0 || state !== 'following') return
    const limit = Math.max(SILENCE, spread())
    const left = Math.max(heardAt, askedAt) + limit - now()
    cancelSilence = later(Math.min(limit, Math.max(0, left)), () => {
      cancelSilence = undefined
      if (state === 'following' && running > 0 && now() - Math.max(heardAt, askedAt) >= limit) requestIfAnswered()
      watchForSilence()
    })
  }

  const isBusy = (): boolean => running > MOST_FOLLOWED_UNITS
  const interval = (): number => Math.max(SAMPLE_INTERVAL, spread())

  const end = (next: FollowingState): void => {
    enter(next)
    follow(false)
  }

  const fallBehind = (): void => {
    followAgainAt = now() + TRY_CHANGES * 2 ** Math.min(timesLate, 3)
    timesLate += 1
    end('late')
    dated(now(), currentAt)
    requestIfAnswered()
  }

  const beginFollowing = (): void => {
    enter('following')
    isAnswered = false
    followedAt = now()
    follow(true)
    schedule(LATE_ANSWER, () => {
      if (state === 'following' && !isAnswered) fallBehind()
    })
    watchForSilence()
  }

  /** Not before what waits at the node has passed, as far as it is for this page. */
  const sample = (): void => {
    if (now() - heardAt < DRAIN_PAUSE && now() - askedAt < LONGEST_DRAIN) schedule(DRAIN_PAUSE, sample)
    else requestIfAnswered()
  }

  /** All clients of an account at the same time, since one login ends all of their sessions. After a late answer this is sooner. */
  const sampleAfter = (ms: number): void => {
    const step = Math.min(interval(), ms)
    const at = step * Math.ceil((now() + ms - 0.8 * step - phase()) / step) + phase()
    schedule(at - now(), sample)
  }

  const noteChanges = (): void => {
    if (haveChangesFollowed || state === 'asking' || asked.length > 0) return
    haveChangesFollowed = true
    parts.changesFollowed()
    sampleAfter(pageInterval ?? interval())
  }

  /** After a full state of `requestedAt`. */
  const decide = (at: number, requestedAt: number): void => {
    const isPrompt = at - requestedAt < LATE_ANSWER && asked.length === 0
    if (pageInterval === undefined && !isBusy() && isPrompt && at >= followAgainAt) return beginFollowing()
    const next = pageInterval !== undefined ? 'hidden' : isBusy() ? 'busy' : 'late'
    if (state === 'following') end(next)
    else if (state !== next) enter(next)
    dated(at, requestedAt)
    sampleAfter(pageInterval ?? interval())
  }

  enter('asking')
  request()

  return {
    heard(at) {
      const hasPaused = Math.min(at, now()) - heardAt >= QUIET_TIME
      heardAt = at
      isNodeChecked = false
      if (state !== 'following') {
        noteChanges()
        return
      }
      if (!isAnswered) {
        currentAt = followedAt
        dated(at, undefined)
      } else if (hasPaused) currentAt = at
      if (!isAnswered || hasPaused) {
        busySince = at
        ageCheck = FIRST_AGE_CHECK
      }
      isAnswered = true
      if (isBusy()) {
        end('busy')
        dated(at, currentAt)
        sampleAfter(interval())
        return
      }
      if (at - busySince >= BUSY_TIME && at - askedAt >= ageCheck) requestIfAnswered()
      watchForSilence()
    },
    answered(at) {
      const requestedAt = asked.shift()
      if (requestedAt === undefined) return
      currentAt = requestedAt
      haveChangesFollowed = false
      isNodeChecked = false
      if (state !== 'following' || isBusy()) decide(at, requestedAt)
      else ageCheck = Math.min(2 * ageCheck, LONGEST_AGE_CHECK)
      if (commandAt === undefined) return
      seen(at, requestedAt)
      if (requestedAt - commandAt >= EFFECT_TIME) commandAt = undefined
    },
    unreadable() {
      asked.shift()
    },
    lost() {
      if (asked.length === 0) return
      asked = []
      if (state !== 'following') sampleAfter(interval())
    },
    counted(count) {
      running = count
      watchForSilence()
    },
    request(reason) {
      if (reason !== undefined) commandAt = now()
      request()
      if (reason !== 'command') return
      later(EFFECT_TIME, () => {
        if (!isStopped && state !== 'following') requestIfAnswered()
      })
    },
    sampleEvery(ms) {
      if (ms === pageInterval) return
      pageInterval = ms
      if (ms === undefined) {
        if (state !== 'following') requestIfAnswered()
        return
      }
      const isKnown = state === 'following' ? isAnswered : state !== 'asking'
      if (state === 'following') {
        end('hidden')
        if (isAnswered) dated(now(), now())
      } else if (state !== 'asking') enter('hidden')
      if (isKnown) sampleAfter(ms)
      else requestIfAnswered()
    },
    sampleSooner() {
      if ((state === 'busy' || state === 'late') && asked.length === 0) sampleAfter(interval())
    },
    isFollowed: () => state === 'following' && !isStopped,
    stop() {
      isStopped = true
      cancelWatch?.()
      cancelSilence?.()
      cancelNext()
    },
  }
}

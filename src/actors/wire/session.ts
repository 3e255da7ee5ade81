import type { Change } from '../../protocol/changes.ts'
import type { ClientFact } from '../../protocol/client-message.ts'
import type { SessionCipher } from '../../protocol/crypto/envelope.ts'
import type { Fault, Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import {
  AGE_CHECK_OF_STREAMS,
  BEHIND_INTERVAL,
  BEHIND_PER_WAIT,
  EFFECT_TIME,
  FIRST_AGE_CHECK,
  LATE_ANSWER,
  LONGEST_ANSWER,
  PROMPT_ANSWER,
  TRY_CHANGES,
} from '../pacing.ts'
import type { HubDeps, LinkReport } from './hub.types.ts'
import { createResync, createStreams, isLoss } from './resync.ts'

/**
 * An encrypted session with a client. It is either followed, change by change, or only its full state is requested from time
 * to time: while the page is hidden, and while the client's messages are late (docs/protocol.md §11.6).
 */
export type Session = {
  /** The cipher of the relay's connection; undefined while that is renewed, which ends the session at the client. */
  attach(cipher: SessionCipher | undefined): void
  /** Requests the full state. Repeated, the client answers again; streams that screens show are restarted. */
  open(): void
  send(command: JsonObject): void
  receive(content: Promise<Result<Json>>, at: number): void
  /** Milliseconds between requests of the full state in place of changes; undefined to follow the changes. */
  sample(interval: number | undefined): void
  /** Whether an answer of the client is about to arrive, so that its relay should not be renewed now. */
  isAwaiting(): boolean
  /** Whether the client is sending changes to it. */
  isFollowed(): boolean
  /** Reports the end after all earlier messages. */
  end(at: number): Promise<void>
  /** The listener is not called any more. */
  close(): void
}

type SessionParts = {
  readonly sendText: (text: string) => void
  readonly deps: Pick<HubDeps, 'now' | 'later'>
  readonly decode: (content: Json) => readonly ClientFact[]
  readonly report: (at: number, facts: readonly LinkReport[]) => void
  /** The client sends changes that nobody needs: only a new connection of the relay ends that. */
  readonly wantsEnd: () => void
  /** Milliseconds between two measurements of how late its messages are. */
  readonly ageCheck: () => number
}

export const createSession = ({ sendText, deps, decode, report, wantsEnd, ageCheck }: SessionParts): Session => {
  const { now, later } = deps
  let cipher: SessionCipher | undefined
  let isListening = true
  let isAnswered = false
  /** Whether the client sends changes: from a request until the relay's connection is renewed. */
  let isOpen = false
  let last: Promise<unknown> = Promise.resolve()
  /** The request of the full state that is not answered yet. */
  let asked: { readonly at: number } | undefined
  /** Whether it is to be requested as soon as there is a connection. */
  let isDue = true
  let hasTraffic = false
  let checks = 0
  let sentAt = -Infinity
  let pageInterval: number | undefined
  /** While the client's messages are late: the time between two requests, and when its changes are tried again. */
  let behind: { readonly interval: number; readonly until: number } | undefined
  let timesBehind = 0
  let patience = LATE_ANSWER
  let toldAsOf: number | undefined
  /** Commands that were given while the relay's connection is renewed. */
  const waiting: JsonObject[] = []
  const streams = createStreams()
  /** Whether the client reports units that end: not before it is asked again after a request of the full state. */
  let reportsEnded = false
  let unitIds: readonly (string | undefined)[] = []
  let timer = {}

  const isSampled = (): boolean => pageInterval !== undefined || behind !== undefined

  /** Runs once, unless another call replaces it. */
  const schedule = (ms: number, run: () => void): void => {
    const own = {}
    timer = own
    later(ms, () => {
      if (timer === own && isListening) run()
    })
  }

  const post = (sealed: Promise<string> | undefined): void => {
    void sealed?.then(text => {
      if (isListening) sendText(text)
    })
  }

  const tellAge = (at: number, asOf: number | undefined): void => {
    if (asOf === toldAsOf || !isListening) return
    toldAsOf = asOf
    report(at, [{ type: 'session.dated', asOf }])
  }

  const request = (): void => {
    isDue = cipher === undefined
    if (cipher === undefined) return
    const own = { at: now() }
    asked = own
    isOpen = true
    reportsEnded = false
    post(cipher.sealOpen())
    if (pageInterval === undefined) for (const command of streams.shown()) post(cipher.sealCommand(command))
    later(patience, () => {
      if (asked === own && isListening) foundLate(own.at)
    })
  }

  /** A client sends all of its history whenever it is asked, so only when there is something new in it. */
  const requestHistory = (): void => {
    const command = streams.history()
    if (command === undefined || reportsEnded) return
    reportsEnded = true
    sentAt = now()
    post(cipher?.sealCommand(command))
  }

  const noteUnits = (facts: readonly ClientFact[]): void => {
    for (const fact of facts) {
      if (fact.type === 'snapshot.received') {
        const ids = fact.data.units.filter(({ state }) => state !== 'ASSIGN').map(({ id }) => id)
        if (unitIds.some(id => !ids.includes(id))) requestHistory()
        unitIds = ids
      } else if (fact.type === 'changes.received' && fact.changes.some(isUnitRemoved)) {
        requestHistory()
        unitIds = []
      }
    }
  }

  /**
   * What arrives now was sent before this request. While its answer is on the way, the client adds changes behind it, so
   * the session ends until what is queued has passed.
   */
  const foundLate = (at: number): void => {
    if (isAnswered) tellAge(now(), toldAsOf ?? at)
    noteBehind(now() - at)
    patience = Math.min(2 * patience, LONGEST_ANSWER)
    rest()
  }

  const noteBehind = (waited: number): void => {
    if (behind === undefined) timesBehind += 1
    behind = {
      interval: Math.max(BEHIND_PER_WAIT * waited, BEHIND_INTERVAL),
      until: behind?.until ?? now() + TRY_CHANGES * 2 ** Math.min(timesBehind - 1, 3),
    }
  }

  const rest = (): void => {
    const wait = sentAt + EFFECT_TIME - now()
    if (wait > 0) {
      schedule(wait, rest)
      return
    }
    asked = undefined
    if (isOpen) wantsEnd()
    schedule(pageInterval ?? behind?.interval ?? BEHIND_INTERVAL, request)
  }

  /** A request is also what measures how late messages are: its answer stands behind all that the client sent before. */
  const checkAge = (): void => {
    const isFirst = checks === 0
    checks += 1
    const usual = streams.shown().length > 0 ? Math.max(ageCheck(), AGE_CHECK_OF_STREAMS) : ageCheck()
    schedule(isFirst ? Math.min(FIRST_AGE_CHECK, usual) : usual, () => {
      if (hasTraffic) request()
      else checkAge()
    })
  }

  const answered = (at: number): void => {
    if (asked === undefined) return
    const took = at - asked.at
    const askedAt = asked.at
    asked = undefined
    hasTraffic = false
    patience = LATE_ANSWER
    if (behind !== undefined && took < PROMPT_ANSWER && at >= behind.until) behind = undefined
    else if (behind !== undefined || took >= LATE_ANSWER) noteBehind(took)
    if (!isSampled()) {
      tellAge(at, undefined)
      checkAge()
      return
    }
    tellAge(at, askedAt)
    rest()
  }

  const handle = (result: Result<Json>, at: number) => {
    if (!isListening) return
    hasTraffic = true
    if (!result.ok) {
      report(at, [faultFound(result.fault)])
      if (isLoss(result.fault)) requestFullState()
      return
    }
    const decoded = decode(result.value)
    const facts: LinkReport[] = [...result.faults.map(faultFound), ...decoded]
    if (!isAnswered) facts.unshift({ type: 'session.opened' })
    isAnswered = true
    report(at, facts)
    noteUnits(decoded)
    if (decoded.some(({ type }) => type === 'snapshot.received')) answered(at)
  }

  // A message that was lost may have told of a unit that ended.
  const requestFullState = createResync(deps, () => {
    request()
    requestHistory()
  })

  return {
    attach(next) {
      cipher = next
      isOpen = false
      if (next === undefined || !isListening) return
      if (isSampled() && !isDue && waiting.length === 0) {
        // The end of the connection left this request without an answer.
        if (asked !== undefined) rest()
        return
      }
      request()
      for (const command of waiting.splice(0)) post(next.sealCommand(command))
    },
    open: request,
    send(command) {
      streams.remember(command)
      if (command['cmd'] === 'wus') reportsEnded = true
      sentAt = now()
      if (cipher === undefined) {
        waiting.push(command)
        return
      }
      if (isSampled() && asked === undefined) request()
      post(cipher.sealCommand(command))
    },
    receive(content, at) {
      last = content.then(result => handle(result, at))
    },
    sample(interval) {
      if (interval === pageInterval) return
      pageInterval = interval
      if (interval === undefined) request()
      else if (isAnswered && asked === undefined) {
        if (behind === undefined) tellAge(now(), now())
        rest()
      }
    },
    isAwaiting() {
      return isListening && ((asked !== undefined && now() - asked.at < LONGEST_ANSWER) || now() - sentAt < EFFECT_TIME)
    },
    isFollowed: () => isListening && isOpen && !isSampled(),
    async end(at) {
      await last
      if (isListening) report(at, [{ type: 'session.closed' }])
      isListening = false
    },
    close() {
      if (isListening && isOpen) wantsEnd()
      isListening = false
    },
  }
}

const isUnitRemoved = (change: Change): boolean => change.length === 3 && change[0] === 'units' && change[2] === null

const faultFound = (fault: Fault): LinkReport => ({ type: 'fault.found', fault })

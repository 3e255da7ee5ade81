import type { ClientFact } from '../../protocol/client-message.ts'
import type { SessionCipher } from '../../protocol/crypto/envelope.ts'
import type { Fault, Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { STREAM_SAMPLE } from '../pacing.ts'
import { createFollowing } from './following.ts'
import type { HubDeps, LinkReport } from './hub.types.ts'
import { createResync, createStreams, isLoss } from './resync.ts'

/**
 * A client behind a relay: an encrypted session that follows its changes, or full states from time to time while those
 * come late or the page is hidden (docs/protocol.md §11.6).
 */
export type Session = {
  /** Requests the full state. Repeated, the client answers again, and its streams are restarted. */
  open(): void
  send(command: JsonObject): void
  receive(content: Promise<Result<Json>>, at: number): void
  /** Receives what was asked for over the other connection. */
  receiveSample(content: Promise<Result<Json>>, at: number): void
  /** What was asked for over the other connection will not be answered. */
  samplesLost(): void
  /** The account has logged in again, which ended the session at the client. */
  ended(): void
  /** Milliseconds between requests of the full state in place of changes; undefined to follow changes. */
  sample(interval: number | undefined): void
  /** Reports the end after all earlier messages. */
  end(at: number): Promise<void>
  /** The listener is not called any more. */
  close(): void
}

type SessionParts = {
  readonly cipher: SessionCipher | undefined
  readonly sendText: (text: string) => void
  readonly deps: Pick<HubDeps, 'now' | 'later'>
  readonly decode: (content: Json) => readonly ClientFact[]
  readonly report: (at: number, facts: readonly LinkReport[]) => void
  /** Requests the full state over another connection, and what the commands cause. */
  readonly ask: (commands: readonly JsonObject[]) => void
  /** Has the account log in again, so that the client ends the session. */
  readonly endAtClient: () => void
  /** The least milliseconds between two requests where changes are not followed. */
  readonly interval: () => number
}

export function createSession(parts: SessionParts): Session {
  const { cipher, sendText, deps, decode, report, ask, endAtClient } = parts
  let isListening = true
  let isAnswered = false
  /** Whether full states have come since the changes, so that older changes do not apply to what is known. */
  let isSampled = false
  let last: Promise<unknown> = Promise.resolve()
  let reportedAsOf: number | undefined
  let streamsAskedAt = -Infinity
  let unitIds: readonly (string | undefined)[] = []
  let wantsHistory = false
  const streams = createStreams()

  const post = (sealed: Promise<string> | undefined) => {
    void sealed?.then(text => {
      if (isListening) sendText(text)
    })
  }

  const follow = () => {
    post(cipher?.sealOpen())
    for (const command of streams.all()) post(cipher?.sealCommand(command))
  }

  const dueCommands = (): readonly JsonObject[] => {
    const history = wantsHistory ? streams.history() : undefined
    wantsHistory = false
    const at = deps.now()
    const shown = at - streamsAskedAt < STREAM_SAMPLE ? [] : streams.shown()
    if (shown.length > 0) streamsAskedAt = at
    return history === undefined ? shown : [...shown, history]
  }

  let given: readonly JsonObject[] = []
  const following = createFollowing({
    deps,
    interval: parts.interval,
    ask: () => {
      ask([...dueCommands(), ...given])
      given = []
    },
    follow: isFollowed => {
      if (isFollowed) follow()
      else endAtClient()
    },
    dated: (at, asOf) => {
      if (asOf === reportedAsOf || !isListening) return
      reportedAsOf = asOf
      report(at, [{ type: 'session.dated', asOf }])
    },
  })

  /** The facts of a message; undefined if it has none. */
  const factsOf = (result: Result<Json>, at: number): readonly ClientFact[] | undefined => {
    if (!result.ok) {
      report(at, [faultFound(result.fault)])
      if (isLoss(result.fault)) requestFullState()
      return undefined
    }
    if (result.faults.length > 0) report(at, result.faults.map(faultFound))
    return decode(result.value)
  }

  const tell = (at: number, facts: readonly ClientFact[]) => {
    report(at, isAnswered ? facts : [{ type: 'session.opened' }, ...facts])
    isAnswered = true
  }

  const handle = (result: Result<Json>, at: number) => {
    if (!isListening) return
    const facts = factsOf(result, at)
    if (facts === undefined) return
    const isFollowed = following.isFollowed()
    if (isSampled && isFollowed && !facts.some(isSnapshot)) return
    following.heard(at)
    if (isSampled && !isFollowed) return
    isSampled = false
    const isFirst = !isAnswered
    tell(at, facts)
    // It fell behind before there was anything whose age could be shown.
    if (isFirst && reportedAsOf !== undefined) report(at, [{ type: 'session.dated', asOf: reportedAsOf }])
  }

  const handleSample = (result: Result<Json>, at: number) => {
    if (!isListening) return
    const facts = factsOf(result, at)
    // Any other message that cannot be used is no answer, such as a repeated one.
    if (!result.ok && isLoss(result.fault)) following.unreadable()
    if (facts === undefined) return
    if (!following.isFollowed()) {
      isSampled = true
      following.heard(at)
      noteUnits(facts)
      // Nobody heard what was said of its age before it was open.
      if (!isAnswered) reportedAsOf = undefined
      tell(at, facts)
    }
    if (facts.some(isSnapshot)) following.answered(at)
  }

  /** A client sends all of its history whenever it is asked, so only when a unit has ended. */
  const noteUnits = (facts: readonly ClientFact[]) => {
    for (const fact of facts) {
      if (fact.type !== 'snapshot.received') continue
      const ids = fact.data.units.filter(({ state }) => state !== 'ASSIGN').map(({ id }) => id)
      wantsHistory ||= unitIds.some(id => !ids.includes(id))
      unitIds = ids
    }
  }

  const requestNow = () => {
    if (!isListening) return
    if (following.isFollowed()) follow()
    else following.request()
  }

  const requestFullState = createResync(deps, requestNow)

  const receive = (content: Promise<Result<Json>>, run: (result: Result<Json>) => void) => {
    last = Promise.all([content, last]).then(([result]) => run(result))
  }

  return {
    open: requestNow,
    send(command) {
      streams.remember(command)
      if (following.isFollowed()) post(cipher?.sealCommand(command))
      else if (isListening) {
        given = [...given, command]
        following.request('command')
      }
    },
    receive(content, at) {
      receive(content, result => handle(result, at))
    },
    receiveSample(content, at) {
      receive(content, result => handleSample(result, at))
    },
    samplesLost() {
      following.lost()
    },
    ended() {
      if (following.isFollowed() && isListening) follow()
    },
    sample(interval) {
      following.sampleEvery(interval)
    },
    async end(at) {
      await last
      if (isListening) report(at, [{ type: 'session.closed' }])
      isListening = false
      following.stop()
    },
    close() {
      if (isListening && following.isFollowed()) endAtClient()
      isListening = false
      following.stop()
    },
  }
}

function isSnapshot({ type }: ClientFact): boolean {
  return type === 'snapshot.received'
}

function faultFound(fault: Fault): LinkReport {
  return { type: 'fault.found', fault }
}

import type { Unit } from '../../protocol/client/client-data.ts'
import type { ClientFact } from '../../protocol/client/client-message.ts'
import type { SessionCipher } from '../../protocol/crypto/envelope.ts'
import type { Fault, Result } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import { LOG_BYTES_PER_SECOND, LOG_SAMPLE, MOLECULE_SHARE } from '../pacing.ts'
import { createFollowing } from './following.ts'
import type { HubDeps, LinkReport } from './hub.types.ts'
import { createResync, createStreams, isEndOfStream, isLoss, isStream } from './resync.ts'

/**
 * A client behind a relay: an encrypted session that follows its changes, or full states from time to time while those
 * come late or the page is hidden (docs/protocol.md §11.6).
 */
export type Session = {
  /** Requests the full state again. The client's streams are restarted. */
  open(): void
  send(command: JsonObject): void
  /** Has `session.seen` reported when all is known that the client said until now. */
  check(): void
  /** Whether the client is visible: it is asked more often where the account has many. */
  watch(isWatched: boolean): void
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
  /** Milliseconds to add to this computer's clock. */
  readonly offset: () => number
  /** Requests the full state over another connection, and what the commands cause within `share` milliseconds. */
  readonly ask: (commands: readonly JsonObject[], share: number) => void
  /** Has the account log in again, so that the client ends the session. */
  readonly endAtClient: () => void
  /** Nothing has come for a while although a state was requested. */
  readonly unanswered: () => void
  /** Milliseconds that the clients of the account need one after another. */
  readonly spread: () => number
  /** When within an interval the account's requests are sent, milliseconds. */
  readonly phase: () => number
  /** Changes have followed an answer to a request. */
  readonly changesFollowed: () => void
}

export function createSession(parts: SessionParts): Session {
  const { cipher, sendText, deps, decode, report, ask, endAtClient } = parts
  let isListening = true
  let isWatched = false
  let isAnswered = false
  /** Whether full states have come since the changes, so that older changes do not apply to what is known. */
  let isSampled = false
  let last: Promise<unknown> = Promise.resolve()
  let reportedAsOf: number | undefined
  let logDueAt = -Infinity
  let units: readonly Unit[] = []
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

  /** What screens show meanwhile, each by its share of the messages; the history only when a unit has ended. */
  const dueCommands = (): readonly JsonObject[] => {
    const history = wantsHistory ? streams.history() : undefined
    wantsHistory = false
    const at = deps.now()
    // Later than that only where this computer's clock was set back.
    const log = at < logDueAt && logDueAt <= at + LOG_SAMPLE ? undefined : streams.log()
    if (log !== undefined) logDueAt = at + LOG_SAMPLE
    return [log, streams.molecule(units), history].filter(command => command !== undefined)
  }

  let pendingCommands: readonly JsonObject[] = []
  const following = createFollowing({
    deps,
    spread: () => (isWatched ? 0 : parts.spread()),
    phase: parts.phase,
    changesFollowed: parts.changesFollowed,
    ask: () => {
      const commands = [
        ...pendingCommands,
        ...dueCommands().filter(({ cmd }) => !pendingCommands.some(other => other['cmd'] === cmd)),
      ]
      pendingCommands = []
      ask(commands, commands.some(({ cmd }) => cmd === 'viz') ? MOLECULE_SHARE : 0)
    },
    follow: isFollowed => {
      if (isFollowed) follow()
      else endAtClient()
    },
    entered: (state, at) => {
      if (isListening) report(at, [{ type: 'session.entered', state }])
    },
    dated: (at, asOf) => {
      if (asOf === reportedAsOf || !isListening) return
      reportedAsOf = asOf
      report(at, [{ type: 'session.dated', asOf }])
    },
    seen: (at, until) => {
      if (isListening) report(at, [{ type: 'session.seen', until: until + parts.offset() }])
    },
    unanswered: parts.unanswered,
    gone: at => {
      if (!isListening) return
      report(at, [{ type: 'session.closed', isSilent: true }])
      close()
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

  const notify = (at: number, facts: readonly ClientFact[]) => {
    for (const fact of facts) noteStream(fact, at)
    report(at, isAnswered ? facts : [{ type: 'session.opened' }, ...facts])
    isAnswered = true
  }

  const handle = (result: Result<Json>, at: number) => {
    if (!isListening) return
    const facts = factsOf(result, at)
    if (facts === undefined) return
    const isFollowed = following.isFollowed()
    if (isSampled && isFollowed && !facts.some(isSnapshot)) return
    if (isFollowed) noteUnits(facts)
    if (isSampled && !isFollowed) {
      following.heard(at)
      return
    }
    isSampled = false
    notify(at, facts)
    following.heard(at)
  }

  const handleSample = (result: Result<Json>, at: number) => {
    if (!isListening) return
    const facts = factsOf(result, at)
    // Any other message that cannot be used is no answer, such as a repeated one.
    if (!result.ok && isLoss(result.fault)) following.unreadable()
    if (facts === undefined) return
    noteUnits(facts)
    if (!following.isFollowed()) {
      isSampled = true
      following.heard(at)
      notify(at, facts)
    }
    if (facts.some(isSnapshot)) following.answered(at)
  }

  const noteUnits = (facts: readonly ClientFact[]) => {
    for (const fact of facts) {
      if (fact.type !== 'snapshot.received') continue
      const ids = fact.data.units.filter(({ state }) => state !== 'ASSIGN').map(({ id }) => id)
      wantsHistory ||= units.some(({ id, state }) => state !== 'ASSIGN' && !ids.includes(id))
      units = fact.data.units
      following.counted(units.filter(isRunning).length)
    }
  }

  const noteStream = (fact: ClientFact, at: number) => {
    if (fact.type === 'log.received' && !following.isFollowed()) {
      const share = (fact.lines.bytes.length / LOG_BYTES_PER_SECOND) * 1000
      logDueAt = at + Math.min(LOG_SAMPLE, share)
    } else if (fact.type === 'frame.received') streams.noteFrame(fact.unit, fact.index)
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

  const close = () => {
    if (isListening && following.isFollowed()) endAtClient()
    isListening = false
    following.stop()
  }

  return {
    open: requestNow,
    send(command) {
      streams.remember(command)
      if (following.isFollowed()) post(cipher?.sealCommand(command))
      // The session of a stream that is to end has ended.
      else if (isListening && !isEndOfStream(command)) {
        pendingCommands = [...pendingCommands, command]
        following.request(isStream(command) ? undefined : 'command')
      }
    },
    check() {
      if (isListening) following.request('check')
    },
    watch(isSeen) {
      if (isWatched === isSeen) return
      isWatched = isSeen
      if (isSeen) following.sampleSooner()
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
    close,
  }
}

function isRunning({ state, pause_reason: reason = '' }: Unit): boolean {
  return state === 'RUN' && reason === ''
}

function isSnapshot({ type }: ClientFact): boolean {
  return type === 'snapshot.received'
}

function faultFound(fault: Fault): LinkReport {
  return { type: 'fault.found', fault }
}

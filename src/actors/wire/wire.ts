import { encodeBase64Url } from '../../protocol/crypto/base64.ts'
import { randomBytes } from '../../protocol/crypto/bytes.ts'
import type { WorkerCondition } from '../../loading/keep-worker.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import { pageFrames } from './frames.ts'
import type { Batch, Channel, Frames, HubCommand, LinkEntry, RelayEntry, WirePort } from './hub.types.ts'
import { workerPort } from './worker-port.ts'

export type { LinkEntry, RelayEntry } from './hub.types.ts'

export type Link = {
  /** Without a `time` it gets the corrected one. Dropped when not connected. */
  send(command: JsonObject): void
  /** News of a link that nobody looks at may take a quarter of a second. A new link is not looked at. */
  watch(isWatched: boolean): void
  close(): void
}

export type RelayLink = {
  broadcast(payload: JsonObject): void
  probe(client: string): void
  close(): void
}

/**
 * Every connection of the page, seen from its thread. A listener is called at most once a frame with what happened
 * since; when the page is hidden, four times a second. After `close` it is not called any more.
 */
export type Wire = {
  openDirect(url: SocketUrl, listen: (entry: LinkEntry) => void): Link
  openRelay(
    options: { readonly url: SocketUrl; readonly keys: AccountKeys },
    listen: (entry: RelayEntry) => void,
  ): RelayLink
  /** Through the relay that was opened last. */
  openSession(client: string, listen: (entry: LinkEntry) => void): Link
  /** Milliseconds to add to this computer's clock. */
  correctClock(offset: number): void
  /** Hears from now on when the hub is started, lost, or cannot be started. Gives what ends that. */
  follow(listener: (condition: WorkerCondition) => void): () => void
  /** Tries at once to start the hub, where there is none. */
  restart(): void
  stop(): void
}

const HIDDEN_EVERY = 250
/** Milliseconds after a frame when the hub posts the next batch: shortly before the next frame, with all that it can hold. */
const GATHERING = 12
/** Milliseconds of a frame that may go to what nobody looks at; the rest of it waits for the next frame. */
const BUDGET = 10
const SESSION_BYTES = 12
const nothing: Batch = { links: [], relays: [] }

/** The wire of a page: its hub lives in the worker `wire.worker.ts`. */
export const createWire = (page: {
  readonly openWorker: () => Worker
  readonly window: Window
  readonly document: Document
}): Wire =>
  connectWire({
    port: workerPort(page.openWorker),
    ...pageFrames(page.window, page.document),
    epochNow: () => Date.now(),
  })

type WireDeps = Frames & {
  readonly port: WirePort
  /** Epoch milliseconds. */
  readonly epochNow: () => number
}

export const connectWire = ({ port, requestFrame, isHidden, now, epochNow }: WireDeps): Wire => {
  const links = new Map<Channel, (entry: LinkEntry) => void>()
  const relays = new Map<Channel, (entry: RelayEntry) => void>()
  /** What a hub that was started again is told. */
  const openings = new Map<Channel, HubCommand>()
  const watched = new Set<Channel>()
  const followers = new Set<(condition: WorkerCondition) => void>()
  let offset: number | undefined
  let channels = 0
  let relayChannel = 0

  /** What nobody looks at and the last frames had no time for, oldest first. */
  const backlog: Batch['links'][number][] = []

  const hand = (entry: Batch['links'][number]) =>
    calling(links.get(entry.channel), { at: entry.at, facts: entry.facts })

  const workOff = (until: number) => {
    let done = 0
    while (done < backlog.length && (done === 0 || now() < until)) {
      const entry = backlog[done++]
      if (entry !== undefined) hand(entry)
    }
    backlog.splice(0, done)
  }

  /** Everything that waits of the channels that somebody looks at now, before what has just come of them. */
  const catchUp = (channels: ReadonlySet<Channel>) => {
    if (backlog.length === 0) return
    const kept = backlog.filter(entry => !channels.has(entry.channel))
    if (kept.length === backlog.length) return
    for (const entry of backlog.splice(0, backlog.length, ...kept)) if (channels.has(entry.channel)) hand(entry)
  }

  const deliver = (batch: Batch, after: number, budget: number) => {
    const until = now() + budget
    // A relay's news may end what its sessions said before: they must not overtake.
    const isOrdered = batch.relays.some(({ facts }) => facts.length > 0)
    const first = batch.links.filter(({ isWatched }) => isWatched)
    catchUp(new Set(first.map(({ channel }) => channel)))
    for (const entry of first) hand(entry)
    for (const entry of batch.links) if (!entry.isWatched) backlog.push(entry)
    if (backlog.length > 0) workOff(isOrdered ? Infinity : until)
    for (const { channel, ...entry } of batch.relays) calling(relays.get(channel), entry)
    if (backlog.length > 0) requestFrame(() => deliver(nothing, after, budget))
    else port.post({ type: 'take', after })
  }

  port.listen(batch => {
    // A hidden page paints no frames, and its timers are slowed down: there the hub keeps the time.
    if (isHidden()) deliver(batch, HIDDEN_EVERY, Infinity)
    // Drawing it takes longer than a frame: what can be done before the next one is not left for it.
    else if (batch.links.some(bringsWholeLog)) deliver(batch, GATHERING, BUDGET)
    else requestFrame(() => deliver(batch, GATHERING, BUDGET))
  })

  /** All that went through the hub has ended. Whoever wants it again opens it again. */
  const endAll = () => {
    const at = epochNow()
    backlog.length = 0
    for (const [channel, opening] of [...openings]) {
      openings.delete(channel)
      const type = opening.type === 'session.open' ? 'session.closed' : 'socket.closed'
      if (opening.type !== 'relay.open') calling(links.get(channel), { at, facts: [{ type }] })
    }
    for (const listen of [...relays.values()]) calling(listen, { at, facts: [{ type: 'socket.closed' }] })
  }

  const tellAll = () => {
    if (offset !== undefined) port.post({ type: 'clock.correct', offset })
    for (const opening of openings.values()) port.post(opening)
    for (const channel of watched) port.post({ type: 'watch', channel, isWatched: true })
  }

  port.follow(condition => {
    if (condition.type === 'started') tellAll()
    if (condition.type === 'lost') endAll()
    for (const follower of followers) follower(condition)
  })

  const openChannel = (channel: Channel, opening: HubCommand) => {
    openings.set(channel, opening)
    port.post(opening)
  }

  const closeChannel = (channel: Channel) => {
    openings.delete(channel)
    watched.delete(channel)
    port.post({ type: 'close', channel })
  }

  const openLink = (listen: (entry: LinkEntry) => void, open: (channel: Channel) => HubCommand): Link => {
    const channel = ++channels
    links.set(channel, listen)
    openChannel(channel, open(channel))
    return {
      send: command => port.post({ type: 'send', channel, command }),
      watch(isWatched) {
        if (isWatched) watched.add(channel)
        else watched.delete(channel)
        port.post({ type: 'watch', channel, isWatched })
      },
      close() {
        links.delete(channel)
        closeChannel(channel)
      },
    }
  }

  return {
    openDirect: (url, listen) => openLink(listen, channel => ({ type: 'direct.open', channel, url })),
    openSession: (client, listen) =>
      openLink(listen, channel => ({ type: 'session.open', channel, relay: relayChannel, client })),
    openRelay({ url, keys }, listen) {
      const channel = (relayChannel = ++channels)
      relays.set(channel, listen)
      openChannel(channel, {
        type: 'relay.open',
        channel,
        url,
        keys,
        session: encodeBase64Url(randomBytes(SESSION_BYTES)),
      })
      return {
        broadcast: payload => port.post({ type: 'broadcast', channel, payload }),
        probe: client => port.post({ type: 'probe', channel, client }),
        close() {
          relays.delete(channel)
          closeChannel(channel)
        },
      }
    },
    correctClock(found) {
      offset = found
      port.post({ type: 'clock.correct', offset: found })
    },
    follow(listener) {
      followers.add(listener)
      return () => followers.delete(listener)
    },
    restart: port.restart,
    stop: () => port.stop(),
  }
}

const bringsWholeLog = ({ isWatched, facts }: Batch['links'][number]): boolean =>
  isWatched && facts.some(fact => fact.type === 'log.received' && fact.replace)

// One listener's mistake must not cost the others their facts, nor the hub its answer.
const calling = <Entry>(listen: ((entry: Entry) => void) | undefined, entry: Entry) => {
  try {
    listen?.(entry)
  } catch (mistake) {
    queueMicrotask(() => {
      throw mistake
    })
  }
}

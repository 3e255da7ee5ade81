import { encodeBase64Url } from '../../protocol/base64.ts'
import { randomBytes } from '../../protocol/bytes.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/keys.ts'
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
  readonly port: Worker
  readonly window: Window
  readonly document: Document
}): Wire => connectWire({ port: workerPort(page.port), ...pageFrames(page.window, page.document) })

export const connectWire = ({ port, requestFrame, isHidden, now }: Frames & { readonly port: WirePort }): Wire => {
  const links = new Map<Channel, (entry: LinkEntry) => void>()
  const relays = new Map<Channel, (entry: RelayEntry) => void>()
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

  const openLink = (listen: (entry: LinkEntry) => void, open: (channel: Channel) => HubCommand): Link => {
    const channel = ++channels
    links.set(channel, listen)
    port.post(open(channel))
    return {
      send: command => port.post({ type: 'send', channel, command }),
      watch: isWatched => port.post({ type: 'watch', channel, isWatched }),
      close() {
        links.delete(channel)
        port.post({ type: 'close', channel })
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
      port.post({ type: 'relay.open', channel, url, keys, session: encodeBase64Url(randomBytes(SESSION_BYTES)) })
      return {
        broadcast: payload => port.post({ type: 'broadcast', channel, payload }),
        probe: client => port.post({ type: 'probe', channel, client }),
        close() {
          relays.delete(channel)
          port.post({ type: 'close', channel })
        },
      }
    },
    correctClock: offset => port.post({ type: 'clock.correct', offset }),
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

import { encodeBase64Url } from '../../protocol/crypto/base64.ts'
import { randomBytes } from '../../protocol/crypto/bytes.ts'
import type { WorkerCondition, WorkerThread } from '../../loading/supervise-worker.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import { BATCH_DELAY, HIDDEN_MACHINE_BUDGET, HIDDEN_PAGE_INTERVAL, RELAY_BUDGET } from '../pacing.ts'
import { pageFrames } from './frames.ts'
import type { Batch, ChannelId, Frames, HubCommand, LinkEntry, RelayEntry, WirePort } from './hub.types.ts'
import { workerPort } from './worker-port.ts'

export type { LinkEntry, RelayEntry } from './hub.types.ts'

export type Link = {
  /** A command without `time` gets the corrected time. Dropped when not connected. */
  send(command: JsonObject): void
  /** Whether the link's data is visible: changes of others may wait for a second. A new link is not watched. */
  watch(isWatched: boolean): void
  close(): void
}

export type RelayLink = {
  broadcast(payload: JsonObject): void
  probe(client: string): void
  /** Logs in again, which the node answers with its machines. */
  logInAgain(): void
  /** Milliseconds between requests of the full state of each client, in place of changes; undefined to follow changes. */
  sample(interval: number | undefined): void
  close(): void
}

/**
 * All connections of the page. A listener is called at most every `BATCH_DELAY`, in a hidden page every `HIDDEN_PAGE_INTERVAL`,
 * and not after `close`.
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
  /** Calls the listener when the hub starts, is lost, or cannot start. Returns the function that unsubscribes. */
  follow(listener: (condition: WorkerCondition) => void): () => void
  /** Starts the hub now if it does not run. */
  restart(): void
  stop(): void
}

const SESSION_BYTES = 12
const nothing: Batch = { links: [], relays: [] }

/** The wire of a page: its hub lives in the worker `src/app/wire.worker.ts`. */
export const createWire = (page: {
  readonly openWorker: () => WorkerThread
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
  const links = new Map<ChannelId, (entry: LinkEntry) => void>()
  const relays = new Map<ChannelId, (entry: RelayEntry) => void>()
  /** Sent again to a restarted hub. */
  const openings = new Map<ChannelId, HubCommand>()
  const watched = new Set<ChannelId>()
  const followers = new Set<(condition: WorkerCondition) => void>()
  let offset: number | undefined
  let channels = 0
  let relayChannel = 0

  /** Entries of links that are not watched, which the last frames had no time for; oldest first. */
  const backlog: Batch['links'][number][] = []
  /** Entries of relays that wait for those: a relay's facts may end sessions, so entries of sessions come before them. */
  const held: Batch['relays'][number][] = []

  const deliverEntry = (entry: Batch['links'][number]) =>
    callListener(links.get(entry.channel), { at: entry.at, facts: entry.facts })

  const deliverRelays = (entries: Batch['relays']) => {
    for (const { channel, ...entry } of entries) callListener(relays.get(channel), entry)
  }

  const deliverBacklog = (until: number) => {
    let done = 0
    while (done < backlog.length && (done === 0 || now() < until)) {
      const entry = backlog[done++]
      if (entry !== undefined) deliverEntry(entry)
    }
    backlog.splice(0, done)
  }

  /** Delivers waiting entries of channels that are watched now, before their new ones. */
  const deliverWatchedBacklog = (channels: ReadonlySet<ChannelId>) => {
    if (backlog.length === 0) return
    const kept = backlog.filter(entry => !channels.has(entry.channel))
    if (kept.length === backlog.length) return
    for (const entry of backlog.splice(0, backlog.length, ...kept)) if (channels.has(entry.channel)) deliverEntry(entry)
  }

  const deliver = (batch: Batch, after: number, budget: number) => {
    held.push(...batch.relays.filter(({ facts }) => facts.length > 0))
    const until = now() + (held.length === 0 ? budget : Math.max(budget, RELAY_BUDGET))
    const first = batch.links.filter(({ isWatched }) => isWatched)
    deliverWatchedBacklog(new Set(first.map(({ channel }) => channel)))
    for (const entry of first) deliverEntry(entry)
    for (const entry of batch.links) if (!entry.isWatched) backlog.push(entry)
    if (backlog.length > 0) deliverBacklog(until)
    deliverRelays(batch.relays.filter(({ facts }) => facts.length === 0))
    if (backlog.length > 0) {
      requestFrame(() => deliver(nothing, after, budget))
      return
    }
    deliverRelays(held.splice(0))
    // What follows a history is the rest of it, which would keep the newest units from being painted.
    if (first.some(hasHistory)) requestFrame(() => port.post({ type: 'take', after }))
    else port.post({ type: 'take', after })
  }

  /** Whether this frame has had its data of machines that are not watched. */
  let hadOthers = false

  port.listen(batch => {
    // A hidden page has no frames and slow timers, so the hub waits instead.
    if (isHidden()) deliver(batch, HIDDEN_PAGE_INTERVAL, Infinity)
    // Before the next frame, which then shows it.
    else if (batch.links.some(({ isWatched }) => isWatched)) deliver(batch, BATCH_DELAY, HIDDEN_MACHINE_BUDGET)
    // Once in a frame, whose rest it may use.
    else if (hadOthers) requestFrame(() => deliver(batch, BATCH_DELAY, HIDDEN_MACHINE_BUDGET))
    else {
      hadOthers = true
      requestFrame(() => (hadOthers = false))
      deliver(batch, BATCH_DELAY, HIDDEN_MACHINE_BUDGET)
    }
  })

  /** Reports all channels as closed; their machines open them again. */
  const closeAll = () => {
    const at = epochNow()
    backlog.length = 0
    held.length = 0
    for (const [channel, opening] of [...openings]) {
      openings.delete(channel)
      const type = opening.type === 'session.open' ? 'session.closed' : 'socket.closed'
      if (opening.type !== 'relay.open') callListener(links.get(channel), { at, facts: [{ type }] })
    }
    for (const listen of [...relays.values()]) callListener(listen, { at, facts: [{ type: 'socket.closed' }] })
  }

  const restoreHub = () => {
    if (offset !== undefined) port.post({ type: 'clock.correct', offset })
    for (const opening of openings.values()) port.post(opening)
    for (const channel of watched) port.post({ type: 'watch', channel, isWatched: true })
  }

  port.follow(condition => {
    if (condition.type === 'started') restoreHub()
    if (condition.type === 'lost') closeAll()
    for (const follower of followers) follower(condition)
  })

  const openChannel = (channel: ChannelId, opening: HubCommand) => {
    openings.set(channel, opening)
    port.post(opening)
  }

  const closeChannel = (channel: ChannelId) => {
    openings.delete(channel)
    watched.delete(channel)
    port.post({ type: 'close', channel })
  }

  const openLink = (listen: (entry: LinkEntry) => void, open: (channel: ChannelId) => HubCommand): Link => {
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
        logInAgain: () => port.post({ type: 'relay.logInAgain', channel }),
        sample: interval => port.post({ type: 'relay.sample', channel, interval }),
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

const hasHistory = ({ facts }: LinkEntry): boolean => facts.some(({ type }) => type === 'history.received')

// An error in one listener must not stop the others or the next batch.
const callListener = <Entry>(listen: ((entry: Entry) => void) | undefined, entry: Entry) => {
  try {
    listen?.(entry)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

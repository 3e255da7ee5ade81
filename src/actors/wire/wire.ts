import { encodeBase64Url } from '../../protocol/crypto/base64.ts'
import { randomBytes } from '../../protocol/crypto/bytes.ts'
import type { WorkerCondition, WorkerLocks, WorkerThread } from '../../loading/supervise-worker.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import type { SocketUrl } from '../../protocol/url.ts'
import { FRAME_BUDGET } from '../pacing.ts'
import { pageFrames } from './frames.ts'
import {
  EARLY_CHANNEL,
  type Batch,
  type ChannelId,
  type Frames,
  type HubCommand,
  type LinkEntry,
  type RelayEntry,
  type WirePort,
} from './hub.types.ts'
import { workerPort } from './worker-port.ts'

export type { LinkEntry, RelayEntry } from './hub.types.ts'

export type Link = {
  /** A command without `time` gets the corrected time. Dropped when not connected. */
  send(command: JsonObject): void
  /** Has `session.seen` reported when all is known that the client said until now. Nothing over a socket of its own. */
  check(): void
  /** Whether the link's data is visible: of others only a part is delivered in each frame. A new link is not watched. */
  watch(isWatched: boolean): void
  close(): void
}

export type RelayLink = {
  broadcast(payload: JsonObject): void
  probe(client: string): void
  /** Logs in again, which the node answers with its clients. */
  logInAgain(): void
  /** Milliseconds between requests of the full state of each client, in place of changes; undefined to follow changes. */
  sample(interval: number | undefined): void
  close(): void
}

/** All connections of the page. A listener is called once a frame at most, and not after `close`. */
export type Wire = {
  openDirect(url: SocketUrl, listen: (entry: LinkEntry) => void): Link
  openRelay(
    options: { readonly url: SocketUrl; readonly keys: AccountKeys },
    listen: (entry: RelayEntry) => void,
  ): RelayLink
  /** Through the relay that was opened last. */
  openSession(client: string, listen: (entry: LinkEntry) => void): Link
  /** Calls the listener when the figures of a second have been delivered. Returns the function that unsubscribes. */
  onFigures(listener: () => void): () => void
  /** Milliseconds to add to this computer's clock. */
  correctClock(offset: number): void
  /** Calls the listener when the hub starts, is lost, or cannot start. Returns the function that unsubscribes. */
  follow(listener: (condition: WorkerCondition) => void): () => void
  /** Starts the hub now if it does not run. */
  restart(): void
  stop(): void
}

const SESSION_BYTES = 12

/** The wire of a page: its hub lives in the worker `src/app/wire.worker.ts`. */
export function createWire(page: {
  readonly openWorker: () => WorkerThread
  readonly locks: WorkerLocks
  readonly window: Window
  readonly document: Document
  /** What `EARLY_CHANNEL` was opened to. */
  readonly early?: SocketUrl | undefined
}): Wire {
  return connectWire({
    port: workerPort(page.openWorker, page.locks),
    early: page.early,
    ...pageFrames(page.window, page.document),
    epochNow: () => Date.now(),
  })
}

type WireDeps = Frames & {
  readonly port: WirePort
  /** Epoch milliseconds. */
  readonly epochNow: () => number
  /** The first direct link to it takes `EARLY_CHANNEL`; without one, that is closed. */
  readonly early?: SocketUrl | undefined
}

export function connectWire({ port, requestFrame, isHidden, now, epochNow, early }: WireDeps): Wire {
  const links = new Map<ChannelId, (entry: LinkEntry) => void>()
  const relays = new Map<ChannelId, (entry: RelayEntry) => void>()
  /** Sent again to a restarted hub. */
  const openings = new Map<ChannelId, HubCommand>()
  const watched = new Set<ChannelId>()
  const followers = new Set<(condition: WorkerCondition) => void>()
  let offset: number | undefined
  let channels = 0
  let relayChannel = 0

  const figureListeners = new Set<() => void>()
  /** How many hubs were lost. Nothing of a lost one is delivered. */
  let lost = 0

  const deliverLinks = (entries: Batch['links']) => {
    for (const { channel, at, facts } of entries) callListener(links.get(channel), { at, facts })
  }

  const deliverInFrames = (entries: Batch['links'], whenDone: () => void) => {
    const until = isHidden() ? Infinity : now() + FRAME_BUDGET
    const before = lost
    let done = 0
    while (done < entries.length && (done === 0 || now() < until)) deliverLinks(entries.slice(done, ++done))
    if (done === entries.length) whenDone()
    else requestFrame(() => lost === before && deliverInFrames(entries.slice(done), whenDone))
  }

  port.listen(({ links: entries, relays: relayEntries, hasFigures }) => {
    const visible = entries.filter(({ isWatched }) => isWatched)
    if (!hasFigures) deliverLinks(visible)
    deliverInFrames(
      entries.filter(({ isWatched }) => !isWatched),
      () => {
        // In one task with the listeners, so that all figures are in one paint.
        if (hasFigures) deliverLinks(visible)
        // A relay's facts may end sessions, so entries of sessions come before them.
        for (const { channel, ...entry } of relayEntries) callListener(relays.get(channel), entry)
        if (hasFigures) for (const listener of figureListeners) listener()
        const take = () => port.post({ type: 'take' })
        // A hidden page has no frames and slow timers.
        if (isHidden()) take()
        else requestFrame(take)
      },
    )
  })

  /** Reports all channels as closed; their machines open them again. */
  const closeAll = () => {
    const at = epochNow()
    lost += 1
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
    if (condition.type === 'opened') restoreHub()
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

  let waiting = early
  if (early !== undefined)
    queueMicrotask(() => {
      if (waiting !== undefined) closeChannel(EARLY_CHANNEL)
      waiting = undefined
    })

  const openDirect = (url: SocketUrl, listen: (entry: LinkEntry) => void): Link => {
    const isOpen = url === waiting
    if (isOpen) waiting = undefined
    const channel = isOpen ? EARLY_CHANNEL : ++channels
    const opening: HubCommand = { type: 'direct.open', channel, url }
    if (isOpen) openings.set(channel, opening)
    else openChannel(channel, opening)
    return linkOf(channel, listen)
  }

  const openSession = (client: string, listen: (entry: LinkEntry) => void): Link => {
    const channel = ++channels
    openChannel(channel, { type: 'session.open', channel, relay: relayChannel, client })
    return linkOf(channel, listen)
  }

  const linkOf = (channel: ChannelId, listen: (entry: LinkEntry) => void): Link => {
    links.set(channel, listen)
    return {
      send: command => port.post({ type: 'send', channel, command }),
      check: () => port.post({ type: 'check', channel }),
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
    openDirect,
    openSession,
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
    onFigures(listener) {
      figureListeners.add(listener)
      return () => figureListeners.delete(listener)
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

// An error in one listener must not stop the others or the next batch.
function callListener<Entry>(listen: ((entry: Entry) => void) | undefined, entry: Entry) {
  try {
    listen?.(entry)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

import { encodeBase64Url } from '../../protocol/base64.ts'
import { randomBytes } from '../../protocol/bytes.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/keys.ts'
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
  openDirect(url: string, listen: (entry: LinkEntry) => void): Link
  openRelay(options: { readonly url: string; readonly keys: AccountKeys }, listen: (entry: RelayEntry) => void): RelayLink
  /** Through the relay that was opened last. */
  openSession(client: string, listen: (entry: LinkEntry) => void): Link
  /** Milliseconds to add to this computer's clock. */
  correctClock(offset: number): void
  stop(): void
}

const HIDDEN_EVERY = 250
const SESSION_BYTES = 12

/** The wire of a page: its hub lives in the worker `wire.worker.ts`. */
export const createWire = (page: { readonly port: Worker; readonly window: Window; readonly document: Document }): Wire =>
  connectWire({ port: workerPort(page.port), ...pageFrames(page.window, page.document) })

export const connectWire = ({ port, requestFrame, isHidden }: Frames & { readonly port: WirePort }): Wire => {
  const links = new Map<Channel, (entry: LinkEntry) => void>()
  const relays = new Map<Channel, (entry: RelayEntry) => void>()
  let channels = 0
  let relayChannel = 0

  const deliver = (batch: Batch, after: number) => {
    for (const entry of batch.links) calling(links.get(entry.channel), entry)
    for (const entry of batch.relays) calling(relays.get(entry.channel), entry)
    port.post({ type: 'take', after })
  }

  port.listen(batch => {
    // A hidden page paints no frames, and its timers are slowed down: there the hub keeps the time.
    if (isHidden()) deliver(batch, HIDDEN_EVERY)
    else requestFrame(() => deliver(batch, 0))
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
    openSession: (client, listen) => openLink(listen, channel => ({ type: 'session.open', channel, relay: relayChannel, client })),
    openRelay({ url, keys }, listen) {
      const channel = relayChannel = ++channels
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

import type { WorkerCondition } from '../../loading/keep-worker.ts'
import type { ClientFact } from '../../protocol/client-message.ts'
import type { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import type { SocketUrl } from '../../protocol/url.ts'

/** A conversation, named by the side that opens it. */
export type Channel = number

/** What the page says to the hub. Times are added where they are missing, by the corrected clock. */
export type HubCommand =
  | { readonly type: 'direct.open'; readonly channel: Channel; readonly url: SocketUrl }
  | {
      readonly type: 'relay.open'
      readonly channel: Channel
      readonly url: SocketUrl
      readonly keys: AccountKeys
      readonly session: string
    }
  | { readonly type: 'session.open'; readonly channel: Channel; readonly relay: Channel; readonly client: string }
  | { readonly type: 'close'; readonly channel: Channel }
  /** Whether somebody looks at what this channel says. */
  | { readonly type: 'watch'; readonly channel: Channel; readonly isWatched: boolean }
  /** To a direct client or through a session; dropped when it is not connected. */
  | { readonly type: 'send'; readonly channel: Channel; readonly command: JsonObject }
  | { readonly type: 'broadcast'; readonly channel: Channel; readonly payload: JsonObject }
  /** Asks a client of a relay for a sign of life. */
  | { readonly type: 'probe'; readonly channel: Channel; readonly client: string }
  /** Milliseconds to add to this computer's clock. */
  | { readonly type: 'clock.correct'; readonly offset: number }
  /** The last batch is dealt with; the next may come, `after` so many milliseconds. */
  | { readonly type: 'take'; readonly after: number }

export type LinkFact =
  | ClientFact
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed' }
  /** The client answered: its first full message follows. */
  | { readonly type: 'session.opened' }
  /** The client went, came back with another key, or the relay is gone. */
  | { readonly type: 'session.closed' }

export type RelayFact =
  /** Connected and login sent. A node answers no login. */
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed' }
  /** A machine whose login verified. `loginTime` is by its own clock, `at` when it was received here: epoch ms. */
  | { readonly type: 'client.connected'; readonly id: string; readonly loginTime: number; readonly at: number }
  | { readonly type: 'client.disconnected'; readonly id: string }
  /** Signed by the account. `time`: epoch ms. */
  | { readonly type: 'broadcast.received'; readonly cmd: string; readonly time: number; readonly payload: JsonObject }
  | { readonly type: 'fault.found'; readonly fault: Fault }

/** What happened in one channel since the last batch. `at`: when the first of it was received, epoch ms. */
export type LinkEntry = { readonly at: number; readonly facts: readonly LinkFact[] }
/** As for a link; without facts when a client was heard and nothing else happened. */
export type RelayEntry = { readonly at: number; readonly facts: readonly RelayFact[] }

/** Sessions first, relays last: a session ends before its client is told to have come back. */
export type Batch = {
  /** `isWatched`: somebody looks at it, so it goes first. */
  readonly links: readonly (LinkEntry & { readonly channel: Channel; readonly isWatched: boolean })[]
  readonly relays: readonly (RelayEntry & { readonly channel: Channel })[]
}

/** Where the hub's effects come from: a worker's globals, a page's, or a test's. */
export type HubDeps = {
  readonly openSocket: OpenSocket
  /** Epoch ms. */
  readonly now: () => number
  /** In 0 ms: as soon as what has come in already was dealt with. */
  readonly later: (ms: number, run: () => void) => void
  readonly post: (batch: Batch, transfer: ArrayBuffer[]) => void
}

export type SocketListener = {
  readonly opened: () => void
  readonly received: (data: string | ArrayBuffer) => void
  /** A message was larger than any that is read: the socket is closed, and told to be closed next. */
  readonly refused?: (fault: Fault) => void
  /** Once, also when it never opened. */
  readonly closed: () => void
}

export type OpenSocket = (url: SocketUrl, listener: SocketListener) => Socket

export type Socket = {
  /** Dropped when the socket is not open. */
  send(text: string): void
  /** The listener hears nothing any more. */
  close(): void
}

/** The page's way to a hub, wherever it runs. */
export type WirePort = {
  readonly post: (command: HubCommand) => void
  readonly listen: (listener: (batch: Batch) => void) => void
  /** Hears when a hub is there, which knows nothing of what was said before, and when it is lost or cannot be started. */
  readonly follow: (listener: (condition: WorkerCondition) => void) => void
  /** Tries at once to start a hub, where there is none. */
  readonly restart: () => void
  readonly stop: () => void
}

export type Frames = {
  /** Runs once before the next paint; at the latest after a quarter of a second. */
  readonly requestFrame: (run: () => void) => void
  readonly isHidden: () => boolean
  /** Milliseconds from any start. */
  readonly now: () => number
}

import type { WorkerCondition } from '../../loading/supervise-worker.ts'
import type { ClientFact } from '../../protocol/client/client-message.ts'
import type { Fault } from '../../protocol/fault.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import type { SocketUrl } from '../../protocol/url.ts'

/** The number of a connection, given by the page. */
export type ChannelId = number

/** Commands from the page to the hub. Commands to clients get a `time` by the corrected clock if they have none. */
export type HubCommand =
  | { readonly type: 'direct.open'; readonly channel: ChannelId; readonly url: SocketUrl }
  | {
      readonly type: 'relay.open'
      readonly channel: ChannelId
      readonly url: SocketUrl
      readonly keys: AccountKeys
      readonly session: string
    }
  | { readonly type: 'session.open'; readonly channel: ChannelId; readonly relay: ChannelId; readonly client: string }
  | { readonly type: 'close'; readonly channel: ChannelId }
  /** Whether the channel's data is visible on the page. */
  | { readonly type: 'watch'; readonly channel: ChannelId; readonly isWatched: boolean }
  /** To a direct client or through a session; dropped when not connected. */
  | { readonly type: 'send'; readonly channel: ChannelId; readonly command: JsonObject }
  /** What a client said until now is to be known: `session.seen` tells. */
  | { readonly type: 'check'; readonly channel: ChannelId }
  | { readonly type: 'broadcast'; readonly channel: ChannelId; readonly payload: JsonObject }
  /** Checks whether a client of a relay still answers. */
  | { readonly type: 'probe'; readonly channel: ChannelId; readonly client: string }
  /** Has the account log in again at its node, which answers with its clients. */
  | { readonly type: 'relay.logInAgain'; readonly channel: ChannelId }
  /** Milliseconds between requests of the full state of each client, in place of changes; undefined to follow changes. */
  | { readonly type: 'relay.sample'; readonly channel: ChannelId; readonly interval: number | undefined }
  /** Milliseconds to add to this computer's clock. */
  | { readonly type: 'clock.correct'; readonly offset: number }
  /** The last batch was processed. */
  | { readonly type: 'take' }

export type LinkReport =
  | ClientFact
  /** `took`: milliseconds since it was requested. */
  | { readonly type: 'socket.opened'; readonly took: number }
  | { readonly type: 'socket.closed' }
  /** The client answered; its full state follows. */
  | { readonly type: 'session.opened' }
  /** The client disconnected, reconnected with another key, or the relay closed. `isSilent`: it does not answer. */
  | { readonly type: 'session.closed'; readonly isSilent?: true }
  /** What is known of the client is as old as `asOf`, epoch ms; undefined: it is current. */
  | { readonly type: 'session.dated'; readonly asOf: number | undefined }
  /** All that the client said until `until` has arrived: epoch ms, corrected. */
  | { readonly type: 'session.seen'; readonly until: number }
  | { readonly type: 'session.entered'; readonly state: FollowingState }

/**
 * How a session learns what a client says. `asking`: for the first full state. `following`: each change. The others: full
 * states from time to time, since several units run, its messages come late, or the page is hidden.
 */
export type FollowingState = 'asking' | 'following' | 'busy' | 'late' | 'hidden'

export type RelayReport =
  /** Connected, and the login was sent. Nodes do not confirm logins. */
  | { readonly type: 'socket.opened' }
  | { readonly type: 'socket.closed' }
  /** A client with a verified login. */
  | { readonly type: 'client.connected'; readonly id: string }
  | { readonly type: 'client.disconnected'; readonly id: string }
  /** Signed by the account. `time`: epoch ms. */
  | { readonly type: 'broadcast.received'; readonly cmd: string; readonly time: number; readonly payload: JsonObject }
  /** The account has logged in again. A node that works answers with its clients. */
  | { readonly type: 'login.sent' }
  /** Something has arrived since then. */
  | { readonly type: 'login.answered' }
  | { readonly type: 'fault.found'; readonly fault: Fault }

/** Facts of a channel since the last batch. `at`: when the first was received, epoch ms. */
export type LinkEntry = { readonly at: number; readonly facts: readonly LinkReport[] }
/** As for a link. Without facts: messages of clients arrived, and nothing else. */
export type RelayEntry = { readonly at: number; readonly facts: readonly RelayReport[] }

/** Links before relays: a session ends before its client is reported to have reconnected. */
export type Batch = {
  /** `isWatched`: visible on the page. */
  readonly links: readonly (LinkEntry & { readonly channel: ChannelId; readonly isWatched: boolean })[]
  readonly relays: readonly (RelayEntry & { readonly channel: ChannelId })[]
  /** With the figures of a second. */
  readonly hasFigures: boolean
}

/** The hub's effects: those of a worker, or a test's. */
export type HubDeps = {
  readonly openSocket: OpenSocket
  /** Epoch ms. */
  readonly now: () => number
  /** With 0 ms: after all messages that have arrived already. Returns what cancels a timer. */
  readonly later: (ms: number, run: () => void) => () => void
  /** From 0 on, below 1. */
  readonly random: () => number
  readonly post: (batch: Batch, transfer: ArrayBuffer[]) => void
  /** How many batches are posted in addition to the first before the page has taken that: while a page starts. Default: 0. */
  readonly ahead?: number
  /** Takes what a client sent through a relay before the page would; default: `decodeClientContent`. */
  readonly decode?: (client: string, content: Json) => readonly ClientFact[]
}

export type SocketListener = {
  readonly opened: () => void
  readonly received: (data: string | ArrayBuffer) => void
  /** A message exceeded the size limit. `closed` follows. */
  readonly refused?: (fault: Fault) => void
  /** Called once, also when the socket never opened. */
  readonly closed: () => void
}

export type OpenSocket = (url: SocketUrl, listener: SocketListener) => Socket

export type Socket = {
  /** Dropped when the socket is not open. */
  send(text: string): void
  /** The listener is not called any more. */
  close(): void
}

/** The channel that the worker opens before the app runs. */
export const EARLY_CHANNEL: ChannelId = 0

/** The page's connection to a hub. */
export type WirePort = {
  readonly post: (command: HubCommand) => void
  readonly listen: (listener: (batch: Batch) => void) => void
  /** Called when there is a new hub, without any channels, when its code runs, and when it is lost or cannot start. */
  readonly follow: (listener: (condition: WorkerCondition) => void) => void
  /** Starts a hub now if none runs. */
  readonly restart: () => void
  readonly stop: () => void
}

export type Frames = {
  /** Runs once before the next paint, at the latest after `LONGEST_FRAME`. */
  readonly requestFrame: (run: () => void) => void
  readonly isHidden: () => boolean
  /** Milliseconds since any fixed time. */
  readonly now: () => number
}

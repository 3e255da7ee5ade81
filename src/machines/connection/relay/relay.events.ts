import type { Fault } from '../../../protocol/fault.ts'
import type { AccountKeys } from '../../../protocol/crypto/keys.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import type { Broadcast } from '../broadcast/broadcast.events.ts'

export type RelayTarget = {
  /** `wss://node1.example.org/ws/account` */
  readonly url: SocketUrl
  readonly keys: AccountKeys
}

export type RelaySocketCommand =
  /** A config may hold a passkey. */
  | { readonly type: 'relaySocket.broadcast'; readonly secrets: { readonly payload: JsonObject } }
  | { readonly type: 'relaySocket.probe'; readonly client: string }

/** What the relay's socket reports. `at` in epoch milliseconds. */
export type RelayFact =
  | { readonly type: 'relay.opened'; readonly at: number }
  | { readonly type: 'relay.closed'; readonly at: number }
  /** A machine's login verified. `loginTime` is the machine's own clock, `at` ours: their difference tells a wrong clock. */
  | { readonly type: 'relay.clientConnected'; readonly id: string; readonly loginTime: number; readonly at: number }
  | { readonly type: 'relay.clientDisconnected'; readonly id: string; readonly at: number }
  /** The account or its machines changed somewhere else. Its signature is the account's. */
  | { readonly type: 'relay.broadcastReceived'; readonly cmd: string; readonly time: number; readonly at: number }
  | { readonly type: 'relay.faultFound'; readonly fault: Fault; readonly at: number }
  /** Anything at all arrived for any client: the connection lives. */
  | { readonly type: 'relay.heard'; readonly at: number }

export type RelayCommand =
  | { readonly type: 'relay.activate'; readonly target: RelayTarget }
  /** `invalidNode`: what the account names as its node, when that is no address. */
  | { readonly type: 'relay.deactivate'; readonly invalidNode?: string }
  /** The page woke or the network came back: do not wait for what may never come. */
  | { readonly type: 'relay.check' }
  /** Somebody looks at the page again: an attempt that is due later is made now. */
  | { readonly type: 'relay.retry' }
  /** `at`: its time, in corrected epoch milliseconds. */
  | { readonly type: 'relay.broadcast'; readonly broadcast: Broadcast; readonly at: number }

export type RelayEvent = RelayCommand | RelayFact

/** What the relay tells the rest of the house. */
export type RelayNews =
  | Extract<RelayFact, { type: 'relay.clientConnected' | 'relay.clientDisconnected' | 'relay.broadcastReceived' }>
  | { readonly type: 'relay.broadcastSent'; readonly broadcast: Broadcast; readonly at: number }
  /**
   * A login was not taken. A node never says why: most likely one of the two clocks is wrong (docs/protocol.md §11.3).
   */
  | { readonly type: 'relay.refused' }
  /** There is no connection that it could go out on. */
  | { readonly type: 'relay.broadcastRefused'; readonly broadcast: Broadcast }
  /** No client can be reached through the relay any more. `at`: when something last came through. */
  | { readonly type: 'relay.lost'; readonly at: number | undefined }

import type { Fault } from '../../../protocol/fault.ts'
import type { AccountKeys } from '../../../protocol/crypto/keys.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import type { BroadcastContent } from '../broadcast/broadcast.events.ts'

export type RelayTarget = {
  /** `wss://node1.example.org/ws/account` */
  readonly url: SocketUrl
  readonly keys: AccountKeys
}

export type RelaySocketCommand =
  /** A config may hold a passkey. */
  | { readonly type: 'relaySocket.broadcast'; readonly secrets: { readonly payload: JsonObject } }
  | { readonly type: 'relaySocket.probe'; readonly client: string }
  /** Have the account log in again, which a node answers with its clients. */
  | { readonly type: 'relaySocket.logInAgain' }
  /** Whether the page has been hidden for a while: full states from time to time are then enough. */
  | { readonly type: 'relaySocket.sample'; readonly isHidden: boolean }

/** Reported by the relay socket. `at`: epoch milliseconds. */
export type RelaySocketFact =
  | { readonly type: 'relay.opened'; readonly at: number }
  | { readonly type: 'relay.closed'; readonly at: number }
  /** A client's login was verified. */
  | { readonly type: 'relay.clientConnected'; readonly id: string; readonly at: number }
  | { readonly type: 'relay.clientDisconnected'; readonly id: string; readonly at: number }
  /** The account or its clients changed elsewhere. The signature was verified. */
  | { readonly type: 'relay.broadcastReceived'; readonly cmd: string; readonly time: number; readonly at: number }
  | { readonly type: 'relay.faultFound'; readonly fault: Fault; readonly at: number }
  /** The account has logged in again: a node that works answers with its clients. */
  | { readonly type: 'relay.loginSent'; readonly at: number }
  /** Something arrived for any client: the connection works. */
  | { readonly type: 'relay.dataReceived'; readonly at: number }

export type RelayCommand =
  | { readonly type: 'relay.activate'; readonly target: RelayTarget }
  /** `invalidNode`: the account's node setting, when it is not an address. */
  | { readonly type: 'relay.deactivate'; readonly invalidNode?: string }
  /** The page woke up or the network came back: check the connection now. */
  | { readonly type: 'relay.check' }
  /** The page became visible: reconnect now instead of after the delay, and follow the clients again. */
  | { readonly type: 'relay.pageShown' }
  | { readonly type: 'relay.pageHidden' }
  /** Raised when the page has been hidden for a while. */
  | { readonly type: 'relay.pageLeft' }
  /** Raised when the node has listed no further client for a while. */
  | { readonly type: 'relay.listed' }
  /** `at`: its time, in corrected epoch milliseconds. */
  | { readonly type: 'relay.broadcast'; readonly broadcast: BroadcastContent; readonly at: number }

export type RelayEvent = RelayCommand | RelaySocketFact

/** Sent to the app. */
export type RelayNotification =
  | Extract<RelaySocketFact, { type: 'relay.clientConnected' | 'relay.clientDisconnected' | 'relay.broadcastReceived' }>
  | { readonly type: 'relay.broadcastSent'; readonly broadcast: BroadcastContent; readonly at: number }
  /**
   * A login was rejected. A node gives no reason: most likely one of the two clocks is wrong.
   */
  | { readonly type: 'relay.refused' }
  /** The broadcast was not sent: there is no connection. */
  | { readonly type: 'relay.broadcastRefused'; readonly broadcast: BroadcastContent }
  /** The relay connection ended, so no client can be reached through it. `at`: when the last message arrived. */
  | { readonly type: 'relay.lost'; readonly at: number | undefined }
  /** It has been connected again for a while: what others changed in between was not received. */
  | { readonly type: 'relay.missed' }

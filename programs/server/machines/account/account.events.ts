import type { ErrorActorEvent } from 'xstate'
import type { ClientEntry } from '../../../../src/machines/connection/fleet/fleet.events.ts'
import type { RelayNotification } from '../../../../src/machines/connection/relay/relay.events.ts'
import type { SocketUrl } from '../../../../src/protocol/url.ts'

/** The account as its API reports it. */
export type AccountList = {
  readonly machines: readonly ClientEntry[]
  /** Of its relay node; undefined when the account names none that can be used. */
  readonly node: SocketUrl | undefined
}

export type AccountEvent =
  | RelayNotification
  | ErrorActorEvent
  /** Whether a page reads one of the clients, or a schedule has to change one. */
  | { readonly type: 'account.read'; readonly isRead: boolean }

/** What the fleet is told. */
export type AccountNews =
  | { readonly type: 'fleet.machinesListed'; readonly account: string; readonly machines: readonly ClientEntry[] }
  | Extract<RelayNotification, { type: 'relay.clientConnected' | 'relay.clientDisconnected' | 'relay.lost' }>

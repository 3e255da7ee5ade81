import type { ErrorActorEvent } from 'xstate'
import type { DirectClient } from '../../../folding/client/direct-clients.ts'
import type { CloneKind, Clones } from '../../../folding/client/client-key.ts'
import type { ClientData, Unit } from '../../../protocol/client/client-data.ts'
import type { DonorConfig } from '../../../folding/account/donor.ts'
import type { FoldingState } from '../../../protocol/client/commands.ts'
import type { ArchivedClient } from '../../../folding/unit/archived-client.ts'
import type {
  ClientEnvironment,
  ClientHistoryAsked,
  ClientReported,
  ClientUnitsEnded,
} from '../client/client.events.ts'
import type { RelayNotification } from '../relay/relay.events.ts'

export type FleetCommand =
  /** Connect directly. `address` is host[:port]. */
  | { readonly type: 'fleet.connect'; readonly address: string; readonly name?: string }
  /** Add several clients at the end of the list, and connect. */
  | { readonly type: 'fleet.addClients'; readonly clients: readonly DirectClient[] }
  /** Give a client that was added by address a name in this browser; '' for none. */
  | { readonly type: 'fleet.nameClient'; readonly address: string; readonly name: string }
  /** Move a client that was added by address by some places in the list. */
  | { readonly type: 'fleet.moveClient'; readonly address: string; readonly by: number }
  /** Remove a client that was added by address. */
  | { readonly type: 'fleet.disconnect'; readonly id: string }
  /** `ids`: undefined for all shown clients. */
  | { readonly type: 'fleet.setState'; readonly state: FoldingState; readonly ids?: readonly string[] }
  | { readonly type: 'fleet.check' }
  /** The page became visible: reconnect now instead of after the delay. */
  | { readonly type: 'fleet.retry' }
  | { readonly type: 'fleet.pageSeen'; readonly isHidden: boolean }
  /**
   * Clients report the work units that ended, and those that end from now on. `ids`: undefined for all that are connected
   * directly, now or later; a client of the account reports until its connection ends.
   */
  | { readonly type: 'fleet.reportHistory'; readonly ids?: readonly string[] }
  /** The user just signed in: link the client on this computer as soon as it connects, once. */
  | { readonly type: 'fleet.linkWhenConnected' }
  | {
      readonly type: 'fleet.link'
      readonly id: string
      readonly name: string
      readonly secrets: { readonly token: string }
    }

export type ClientEntry = { readonly id: string; readonly name: string }

/** The last known state of a client. This browser stores it without secrets. */
export type RememberedClient = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  readonly name: string | undefined
  /** When its last message arrived, in epoch milliseconds. */
  readonly at: number
  readonly data: ClientData
  /** How it is told from other computers with its id, if there are any. */
  readonly clone?: CloneKind
}

/** Which clients are put away, how the speed of units is measured, and own names. */
export type Choices = Pick<ClientEnvironment, 'putAway' | 'speed' | 'tags'>

export type FleetFact =
  /** Another tab changed the clients that were added by their addresses. */
  | { readonly type: 'fleet.addressesChanged'; readonly clients: readonly DirectClient[] }
  | { readonly type: 'fleet.machinesListed'; readonly account: string; readonly machines: readonly ClientEntry[] }
  | { readonly type: 'fleet.accountSignedOut' }
  /** Ids that several computers were found to have. */
  | { readonly type: 'fleet.clonesKnown'; readonly clones: Clones }
  /** Stored clients, shown until they connect. */
  | { readonly type: 'fleet.restored'; readonly machines: readonly RememberedClient[] }
  /** A broadcast of this state was sent to all clients of the account at this corrected time, or could not be sent. */
  | { readonly type: 'fleet.broadcastSent'; readonly state: FoldingState; readonly at: number }
  | { readonly type: 'fleet.broadcastRefused'; readonly state: FoldingState }
  | { readonly type: 'fleet.latestVersionChanged'; readonly version: string | undefined }
  /** What the person chose for clients. */
  | { readonly type: 'fleet.chosen'; readonly choices: Choices }

/** Spawn the next part of a large fleet. */
type FleetTimer =
  | { readonly type: 'fleet.spawnNext' }
  /** The account may be fetched again for clients that the relay reports but its list does not hold. */
  | { readonly type: 'fleet.listDue' }
  /** Clients of this id have reported different processes for long enough to be sure that they are different ones. */
  | { readonly type: 'fleet.suspicionDue'; readonly id: string }

export type FleetEvent =
  | ErrorActorEvent
  | FleetTimer
  | FleetCommand
  | FleetFact
  | RelayNotification
  | ClientReported
  | ClientHistoryAsked
  | ClientUnitsEnded

/** A client that is no longer shown under `id`. */
export type ClientGone = {
  readonly id: string
  readonly name: string
  /** The connection over which it is shown instead; undefined when the client left. */
  readonly shownAs?: string
}

/** Sent to the app. */
export type FleetNotification =
  /** Clients left, or are shown over another connection. */
  | { readonly type: 'fleet.machinesGone'; readonly machines: readonly ClientGone[] }
  /** The list of direct clients is full, so this one was not added. */
  | { readonly type: 'fleet.clientRefused'; readonly address: string }
  /** The relay reported a client that the account's list does not hold: the list is outdated. */
  | { readonly type: 'fleet.listOutdated' }
  /** A client was asked for its history; it answers with `fleet.unitsEnded`. */
  | { readonly type: 'fleet.historyAsked'; readonly connection: string }
  | {
      readonly type: 'fleet.unitsEnded'
      /** The id of the connection. */
      readonly connection: string
      readonly machine: ArchivedClient
      readonly units: readonly Unit[]
    }
  /** A state for all clients of the account is requested. */
  | { readonly type: 'fleet.broadcastWanted'; readonly state: FoldingState }
  | { readonly type: 'fleet.localDonorChanged'; readonly donor: DonorConfig }
  /** The client on this computer has no account. */
  | { readonly type: 'fleet.unlinkedClientFound'; readonly id: string; readonly name: string }
  /** The client on this computer belongs to another account. */
  | { readonly type: 'fleet.foreignClientFound'; readonly id: string; readonly name: string }

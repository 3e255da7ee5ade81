import type { ErrorActorEvent } from 'xstate'
import type { ClientData } from '../../../protocol/client-data.ts'
import type { DonorConfig } from '../../../folding/account/donor.ts'
import type { FoldingState } from '../../../protocol/commands.ts'
import type { KeptMachine } from '../../../folding/unit/history.ts'
import type { Unit } from '../../../protocol/client-data.ts'
import type { ClientReported, ClientUnitsEnded } from '../client/client.events.ts'
import type { RelayNews } from '../relay/relay.events.ts'

export type FleetCommand =
  /** Connect directly. `address` is host[:port]. */
  | { readonly type: 'fleet.connect'; readonly address: string }
  /** Stop connecting to a client that was added by address. */
  | { readonly type: 'fleet.forget'; readonly id: string }
  /** `ids` undefined means every client that is shown. */
  | { readonly type: 'fleet.setState'; readonly state: FoldingState; readonly ids?: readonly string[] }
  | { readonly type: 'fleet.check' }
  /** Somebody looks at the page again: attempts that are due later are made now. */
  | { readonly type: 'fleet.retry' }
  /** All clients are to report the units that ended, from now on. */
  | { readonly type: 'fleet.collect' }
  /** Somebody has just logged in: the client on this computer is linked as soon as it is seen, once. */
  | { readonly type: 'fleet.linkOnSight' }
  | {
      readonly type: 'fleet.link'
      readonly id: string
      readonly name: string
      readonly secrets: { readonly token: string }
    }

export type MachineEntry = { readonly id: string; readonly name: string }

/** A machine as this browser last knew it. Without secrets. */
export type RememberedMachine = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  readonly name: string | undefined
  /** When it was heard, in epoch milliseconds. */
  readonly at: number
  readonly data: ClientData
}

export type FleetNews =
  | { readonly type: 'fleet.machinesListed'; readonly account: string; readonly machines: readonly MachineEntry[] }
  | { readonly type: 'fleet.accountLeft' }
  /** What is to be shown until the machines are reached. */
  | { readonly type: 'fleet.recalled'; readonly machines: readonly RememberedMachine[] }
  /** A broadcast of this went out to all machines of the account, at this corrected time; or it could not. */
  | { readonly type: 'fleet.broadcastSent'; readonly state: FoldingState; readonly at: number }
  | { readonly type: 'fleet.broadcastRefused'; readonly state: FoldingState }
  | { readonly type: 'fleet.versionLearned'; readonly version: string | undefined }

/** The next part of a large fleet may be taken up. */
type FleetTimer =
  | { readonly type: 'fleet.takeUp' }
  /** The account may be asked again for machines that the relay names and its list does not hold. */
  | { readonly type: 'fleet.listDue' }

export type FleetEvent =
  ErrorActorEvent | FleetTimer | FleetCommand | FleetNews | RelayNews | ClientReported | ClientUnitsEnded

/** What the fleet tells the rest of the house. */
export type FleetNotice =
  /** The relay named a client that the account's list does not hold: the list is old. */
  | { readonly type: 'fleet.listIsOld' }
  | { readonly type: 'fleet.unitsEnded'; readonly machine: KeptMachine; readonly units: readonly Unit[] }
  /** Several machines of the account are to do the same. */
  | { readonly type: 'fleet.broadcastWanted'; readonly state: FoldingState }
  | { readonly type: 'fleet.localDonorLearned'; readonly donor: DonorConfig }
  /** The client on this computer belongs to nobody. */
  | { readonly type: 'fleet.clientIsUnlinked'; readonly id: string; readonly name: string }
  /** The client on this computer belongs to another account. */
  | { readonly type: 'fleet.clientIsForeign'; readonly id: string; readonly name: string }

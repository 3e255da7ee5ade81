import type { OwnNames } from '../../../folding/fleet/tags.ts'
import type { PutAway } from '../../../folding/client/put-away.ts'
import type { SpeedBasis } from '../../../folding/unit/watched.ts'
import type { ErrorActorEvent } from 'xstate'
import type { ClientData, Unit } from '../../../protocol/client/client-data.ts'
import type { ClientLimit } from '../../../folding/client/client.ts'
import type { Comparison } from '../../../folding/client/identity.ts'
import type { Excess } from '../../../folding/client/client-excess.ts'
import type { Structure } from '../../../folding/molecule/structure.ts'
import type { ClientFact } from '../../../protocol/client/client-message.ts'
import type { Command, FoldingState } from '../../../protocol/client/commands.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import type { ArchivedClient } from '../../../folding/unit/archived-client.ts'
import type { ClientSettingsNews } from '../client-settings/client-settings.events.ts'
import type { DonorConfig } from '../../../folding/account/donor.ts'
import type { ProblemLevel } from '../../../folding/client/badges.ts'
import type { Traits } from '../../../folding/client/client-key.ts'
import type { ConnectionKind } from '../../../folding/client/connections.ts'
import type { Summary } from '../../../folding/client/totals.ts'

/** What a link connects to: a socket of its own, or an encrypted session through the relay. */
export type LinkTarget = { readonly isWatched: boolean } & (
  | { readonly kind: 'direct'; readonly url: SocketUrl }
  | { readonly kind: 'session'; readonly client: string }
)

/** Sent to the link. `at`: the command's time stamp, corrected epoch milliseconds. */
export type ClientLinkCommand =
  | { readonly type: 'link.send'; readonly command: Command; readonly at: number }
  | { readonly type: 'link.bind'; readonly name: string; readonly secrets: { readonly token: string } }
  /** What the client said until now is to be known: `link.seen` tells. */
  | { readonly type: 'link.check' }
  /** Updates of a client that is not watched may be delayed. */
  | { readonly type: 'link.watch'; readonly isWatched: boolean }

/** Reported by the link. `at`: when the message arrived, epoch milliseconds. */
export type ClientLinkFact =
  /** `took`: milliseconds until a socket of its own was open. */
  | { readonly type: 'link.opened'; readonly at: number; readonly took?: number }
  | { readonly type: 'link.reported'; readonly at: number; readonly facts: readonly ClientFact[] }
  /** What it reported is as old as `asOf`; undefined: it is current. */
  | { readonly type: 'link.dated'; readonly at: number; readonly asOf: number | undefined }
  /** All that it said until `until` was reported: corrected epoch milliseconds. */
  | { readonly type: 'link.seen'; readonly until: number }
  /** How a session learns what it says, for inspectors. */
  | { readonly type: 'link.entered'; readonly state: string }
  /** `excess`: of what the client sent too much, for a server. */
  | {
      readonly type: 'link.closed'
      readonly at: number
      readonly trouble: DisconnectReason
      readonly excess?: Excess
    }

/**
 * Why a link ended, as far as a page can tell: a closed socket gives no reason (docs/protocol.md §1). `failed`: an error
 * of the page. `excessive`: the client sent too much, and a server ended it.
 */
export type DisconnectReason = 'closed' | 'unreachable' | 'silent' | 'failed' | 'excessive'

export type ClientCommandEvent =
  /** `group`: undefined for all groups; '' for the default group. */
  | { readonly type: 'client.setState'; readonly state: FoldingState; readonly group?: string }
  | { readonly type: 'client.dump'; readonly unit: string }
  /** A screen starts or stops watching it. */
  | { readonly type: 'client.watch' }
  | { readonly type: 'client.unwatch' }
  /** Its settings page was opened or closed. */
  | { readonly type: 'client.openSettings' }
  | { readonly type: 'client.closeSettings' }
  /**
   * Stream the molecule of a unit, of one at a time (docs/protocol.md §8). `kept`: the part that this browser has stored.
   */
  | {
      readonly type: 'client.subscribeMolecule'
      readonly unit: string
      readonly reader?: MoleculeReader
      readonly kept?: Structure
    }
  /** Stop streaming the molecule, unless another reader took over. */
  | { readonly type: 'client.unsubscribeMolecule'; readonly unit: string; readonly reader?: MoleculeReader }
  /** A reader of its log appears or leaves. The log is streamed while there are readers, across reconnections. */
  | { readonly type: 'client.subscribeLog' }
  | { readonly type: 'client.unsubscribeLog' }
  /** Reconnect now. */
  | { readonly type: 'client.reconnect' }
  /** The user dismissed the notice of an ignored command. */
  | { readonly type: 'client.dismiss'; readonly key: string }

/**
 * Send commands, and tell the actor `to` (its system id) what becomes of them. They fail at once while the client is not
 * connected.
 */
export type ClientJobEvent =
  | { readonly type: 'client.run'; readonly to: string; readonly commands: readonly Command[] }
  /** Take back the commands of the actor `to` if none was sent yet, and tell it nothing more. */
  | { readonly type: 'client.withdraw'; readonly to: string }
  /** Tell the actor `to` when the client's data show the effect of this command, which is sent in another way. */
  | { readonly type: 'client.follow'; readonly to: string; readonly command: Command }

/** Sent to the actor that had the commands sent: all were sent, or confirmed, or one was ignored. */
export type JobNotification =
  | { readonly type: 'job.sent' }
  | { readonly type: 'job.confirmed' }
  | { readonly type: 'job.ignored'; readonly because: string }

/** Sent by the fleet. */
export type ClientFleetEvent =
  | { readonly type: 'client.joined' }
  /** `at`: when its last message arrived, if any did. */
  | { readonly type: 'client.left'; readonly at: number | undefined }
  /** The page has its client directly, or no longer: each session through a relay delays those of others. */
  | { readonly type: 'client.release' }
  | { readonly type: 'client.resume' }
  /** The page woke up or the network came back: check the connection now. */
  | { readonly type: 'client.check' }
  | { readonly type: 'client.pageSeen'; readonly isHidden: boolean }
  /** A broadcast of this state was sent at this corrected time while it was connected. */
  | { readonly type: 'client.broadcastApplied'; readonly state: FoldingState; readonly at: number }
  /** It disconnected before a broadcast of this state was sent. */
  | { readonly type: 'client.broadcastMissed'; readonly state: FoldingState }
  /** Link it to the account of this token. */
  | { readonly type: 'client.link'; readonly name: string; readonly secrets: { readonly token: string } }
  | { readonly type: 'client.renamed'; readonly name: string | undefined }
  /** What comparing it with the other clients told. */
  | { readonly type: 'client.compared'; readonly comparison: Comparison }
  /** What the server that connects to it lets this page do. */
  | { readonly type: 'client.limited'; readonly limit: ClientLimit | undefined }
  /** Its data of an earlier visit, received at `at`. */
  | { readonly type: 'client.restored'; readonly data: ClientData; readonly at: number }
  /** It needs no restart any more: it was restarted over another connection, or logs in again by itself. */
  | { readonly type: 'client.cancelRestart' }
  /** Report work units that ended from now on, on every connection. */
  | { readonly type: 'client.reportHistory' }
  | { readonly type: 'client.environmentChanged'; readonly environment: ClientEnvironment }

/** Sent to the fleet when the report changed. */
export type ClientReported = { readonly type: 'client.reported'; readonly id: string; readonly report: ClientReport }

/** Sent to the fleet: the client was asked for its history, and answers with `client.unitsEnded`. */
export type ClientHistoryAsked = { readonly type: 'client.historyAsked'; readonly id: string }

/** Sent to the fleet: work units that ended; none when its history is empty. */
export type ClientUnitsEnded = {
  readonly type: 'client.unitsEnded'
  readonly id: string
  readonly machine: Omit<ArchivedClient, 'owner'>
  readonly units: readonly Unit[]
}

/** The actor that reads a molecule: the viewer, unless another is named. */
export type MoleculeReader = 'viewer' | 'molecules'

/** Sent to the reader of a molecule. `structure` is a new object whenever more of the molecule arrived. */
export type MoleculeNotification = {
  readonly type: 'molecule.changed'
  readonly client: string
  readonly unit: string
  readonly structure: Structure
}

/** What a client's report depends on besides its own data. */
export type ClientEnvironment = {
  /** Id of the account that is signed in. */
  readonly account: string | undefined
  readonly latestVersion: string | undefined
  /** When clients that are put away were last heard. */
  readonly putAway?: PutAway
  readonly speed?: SpeedBasis
  /** Own names of GPUs and groups. */
  readonly tags?: OwnNames
  /** Whether accounts are of a network of simulated clients, as the page's settings say. */
  readonly isDemo?: boolean
}

/** Events that the machine raises itself. */
export type ClientTimerEvent =
  | { readonly type: 'command.overdue'; readonly key: string }
  /** What became of it has not been seen for so long that it is said to be unknown. */
  | { readonly type: 'command.unknown'; readonly key: string }
  /** A new connection had time to show the effect of commands that were sent over the one before. */
  | { readonly type: 'commands.outlived'; readonly keys: readonly string[] }
  | { readonly type: 'client.longGone' }
  | { readonly type: 'commands.waiting' }
  /** Request the log stream on a new connection. */
  | { readonly type: 'log.due' }
  /** Request the history, and reports of units that end, on a new connection. */
  | { readonly type: 'history.due' }
  /** A requested restart has not been sent yet. */
  | { readonly type: 'restart.due' }
  /** The restart command had time to be delivered. */
  | { readonly type: 'restart.sent' }

export type ClientEvent =
  | ErrorActorEvent
  | ClientCommandEvent
  | ClientJobEvent
  | ClientFleetEvent
  | ClientSettingsNews
  | ClientLinkFact
  | ClientTimerEvent
/** Summary of a client for the fleet. */
export type ClientReport = {
  /** As it is shown. */
  readonly name: string
  /** Also where other clients have the same. */
  readonly ownName: string
  /** Where a direct client listens. */
  readonly address: string | undefined
  readonly traits: Traits
  /** Whether it says that it belongs to a network of simulated clients. */
  readonly isSimulated: boolean
  readonly isConnected: boolean
  /** Whether a person put it away until it connects. */
  readonly isPutAway?: boolean
  /** When it was connected last, if that is less than 5 minutes ago and it is not now. */
  readonly goneSince: number | undefined
  /** Whether a broadcast through the relay reaches it. */
  readonly isAtRelay: boolean
  /** How it is reached. */
  readonly way: ConnectionKind
  /** How long its own socket took to open, as a step of `delayStep`. */
  readonly delay: number | undefined
  /** The client's own id; known on a direct connection once the client has sent it. */
  readonly machine: string | undefined
  /** Id of the account that it is linked to; '' for none; undefined until known. */
  readonly account: string | undefined
  /** The donor in its own config. */
  readonly donor: DonorConfig | undefined
  /** Numbers of the projects that it is folding now, in order. */
  readonly projects: readonly number[]
  /** Whether its version is too old to be controlled. */
  readonly isTooOld: boolean
  /** Why a server does not pass on folding, pausing and finishing; undefined when it does. */
  readonly withheld: string | undefined
  readonly problem: ProblemLevel
  /** Whether a requested restart has not been sent yet. */
  readonly isRestartPending: boolean
  /** Whether `finish` would have an effect. */
  readonly hasWorkToFinish: boolean
  readonly summary: Summary
}

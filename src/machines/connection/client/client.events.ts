import type { ErrorActorEvent } from 'xstate'
import type { ClientData, Unit } from '../../../protocol/client-data.ts'
import type { Structure } from '../../../folding/molecule/structure.ts'
import type { ClientFact } from '../../../protocol/client-message.ts'
import type { Command, FoldingState } from '../../../protocol/commands.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import type { KeptMachine } from '../../../folding/unit/history.ts'
import type { ClientSettingsNews } from '../client-settings/client-settings.events.ts'
import type { ClientReport } from './client.report.ts'

/** What a link is made to: a socket of its own, or one encrypted session through the relay. */
export type LinkTarget = { readonly isWatched: boolean } & (
  { readonly kind: 'direct'; readonly url: SocketUrl } | { readonly kind: 'session'; readonly client: string }
)

/** What a client's machine says to its link. `at`: the command's time stamp, corrected epoch milliseconds. */
export type LinkCommand =
  | { readonly type: 'link.send'; readonly command: Command; readonly at: number }
  | { readonly type: 'link.bind'; readonly name: string; readonly secrets: { readonly token: string } }
  /** News of a client that nobody looks at may take a quarter of a second. */
  | { readonly type: 'link.watch'; readonly isWatched: boolean }

/** What a link reports. `at` is in epoch milliseconds, taken where the message arrived. */
export type LinkFact =
  | { readonly type: 'link.opened'; readonly at: number }
  | { readonly type: 'link.reported'; readonly at: number; readonly facts: readonly ClientFact[] }
  | { readonly type: 'link.closed'; readonly at: number; readonly trouble: LinkTrouble }

/**
 * Why a link went away, as far as a page can tell (a closed socket never says: docs/protocol.md §1). `failed`: by an
 * error of the page.
 */
export type LinkTrouble = 'closed' | 'unreachable' | 'silent' | 'failed'

export type ClientCommandEvent =
  /** `group` undefined means every group; '' is the default group. */
  | { readonly type: 'client.setState'; readonly state: FoldingState; readonly group?: string }
  | { readonly type: 'client.dump'; readonly unit: string }
  /** Somebody begins, or ceases, to look at it. */
  | { readonly type: 'client.watch' }
  | { readonly type: 'client.unwatch' }
  /** Somebody opens, or leaves, the page of its settings. */
  | { readonly type: 'client.openSettings' }
  | { readonly type: 'client.closeSettings' }
  /**
   * Somebody looks at the molecule of a unit, of one at a time (docs/protocol.md §8). `kept`: what is known of it from
   * earlier.
   */
  | { readonly type: 'client.view'; readonly unit: string; readonly kept?: Structure }
  /** Nobody looks at it any more. */
  | { readonly type: 'client.unview'; readonly unit: string }
  /** Somebody begins, or ceases, to read its log. It is streamed as long as anybody does, over every reconnection. */
  | { readonly type: 'client.readLog' }
  | { readonly type: 'client.leaveLog' }
  /** Try the connection again now. */
  | { readonly type: 'client.reconnect' }
  /** The person has read that a command was ignored. */
  | { readonly type: 'client.dismiss'; readonly key: string }

/** What the fleet tells a client. */
export type ClientNews =
  | { readonly type: 'client.joined'; readonly at: number }
  /** `at`: when it was last heard, if it ever was. */
  | { readonly type: 'client.left'; readonly at: number | undefined }
  /** The page woke or the network came back: do not wait for what may never come. */
  | { readonly type: 'client.check' }
  /** A broadcast told it so at this corrected time, and the relay has handed it on. */
  | { readonly type: 'client.wasTold'; readonly state: FoldingState; readonly at: number }
  /** It was to be told so by a broadcast, and was gone before that could be sent. */
  | { readonly type: 'client.wasMissed'; readonly state: FoldingState }
  /** To be linked to the account whose token this is. */
  | { readonly type: 'client.link'; readonly name: string; readonly secrets: { readonly token: string } }
  | { readonly type: 'client.renamed'; readonly name: string }
  /** What it last said, at `at`, on an earlier visit of this page. */
  | { readonly type: 'client.recalled'; readonly data: ClientData; readonly at: number }
  /** It needs no restart any more: it was told in another way, or starts anew by itself. */
  | { readonly type: 'client.restartSettled' }
  /** From now on it reports the units that ended, in every connection. */
  | { readonly type: 'client.collect' }
  | { readonly type: 'client.surroundingsChanged'; readonly surroundings: Surroundings }

/** What a client says of itself to the fleet, whenever it changes. */
export type ClientReported = { readonly type: 'client.reported'; readonly id: string; readonly report: ClientReport }

/** Units that ended, as a client reports them. */
export type ClientUnitsEnded = {
  readonly type: 'client.unitsEnded'
  readonly id: string
  readonly machine: Omit<KeptMachine, 'owner'>
  readonly units: readonly Unit[]
}

/** What a client tells the viewer: another object whenever more of the molecule has come. */
export type MoleculeNews = {
  readonly type: 'molecule.changed'
  readonly client: string
  readonly unit: string
  readonly structure: Structure
}

/** What a client's meaning depends on beyond its own data. */
export type Surroundings = {
  /** Id of the account that is signed in. */
  readonly account: string | undefined
  readonly latestVersion: string | undefined
}

/** Timers and nudges inside the machine. */
export type ClientTimerEvent =
  | { readonly type: 'command.overdue'; readonly key: string }
  | { readonly type: 'commands.waiting' }
  /** A new connection knows nothing of who reads the log. */
  | { readonly type: 'log.due' }
  /** A restart was asked for and not sent yet. */
  | { readonly type: 'restart.due' }
  /** The restart has had the time to reach the machine. */
  | { readonly type: 'restart.sent' }

export type ClientEvent =
  ErrorActorEvent | ClientCommandEvent | ClientNews | ClientSettingsNews | LinkFact | ClientTimerEvent

import type { Structure } from '../../../folding/molecule/structure.ts'
import { emptyQueue, type CommandQueue } from '../../../protocol/client/command-queue.ts'
import type { ClientLimit } from '../../../folding/client/client.ts'
import { NOT_COMPARED, type Comparison } from '../../../folding/client/identity.ts'
import type { Excess } from '../../../folding/client/client-excess.ts'
import type { Command } from '../../../protocol/client/commands.ts'
import type { ClientSettingsRef } from '../client-settings/client-settings.machine.ts'
import type { DisconnectReason, ClientEnvironment, MoleculeReader, ClientReport } from './client.events.ts'
import { emptyRecord, type ClientRecord } from './client.reducer.ts'

export type ClientInput = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  /** host:port of a direct client. */
  readonly address?: string
  /** Its name in the account; of a direct client, the name given in this browser. */
  readonly name?: string
  readonly environment: ClientEnvironment
  /** Whether it reports work units that ended. */
  readonly collects?: boolean
  /** What comparing it with the other clients told. */
  readonly comparison?: Comparison
  /** Errors since the page was loaded. After an error the client waits before it connects. */
  readonly failures?: number
}

export type Viewed = {
  readonly unit: string
  readonly reader: MoleculeReader
  readonly sentStructure: Structure | undefined
}

/** Commands whose progress another actor is told. */
export type Job = {
  /** The actor's system id. */
  readonly to: string
  /** Their keys in the queue. */
  readonly keys: readonly string[]
  /** A command that is sent in another way; `from`: the first key that its entry in the queue can have. */
  readonly followed?: { readonly command: Command; readonly from: number }
  /** Whether some of them were confirmed, which are no longer in `keys`. */
  readonly isBegun?: boolean
  /** Whether it was told that they were sent. */
  readonly isSent: boolean
}

export type ClientContext = {
  readonly id: string
  readonly kind: 'direct' | 'relay'
  readonly address: string | undefined
  readonly name: string | undefined
  readonly environment: ClientEnvironment
  readonly record: ClientRecord
  /** Whether `record` is from an earlier visit: shown, but not used for decisions or merges. */
  readonly isRestored: boolean
  readonly queue: CommandQueue
  readonly jobs: readonly Job[]
  /** Whether a requested restart has not been sent yet. It is sent on the next connection. */
  readonly isRestartPending: boolean
  /** Number of commands so far: the key of the next one. */
  readonly commandCount: number
  /** Milliseconds until the next command may be sent. */
  readonly spacing: number
  /** When the connection was made, in epoch milliseconds; undefined while disconnected. */
  readonly connectedAt: number | undefined
  /** When the connection was lost; undefined while connected, or if it never was. */
  readonly lostAt: number | undefined
  /** Whether it was connected less than 5 minutes ago (docs/product.md §4). */
  readonly isRecent: boolean
  /** When it last reported, in epoch milliseconds; undefined before the first report. */
  readonly heardAt: number | undefined
  /** As of when the data are, in epoch milliseconds, where its messages arrive late or are not followed; undefined: current. */
  readonly asOf: number | undefined
  /** The same of its log, which is asked for less often. */
  readonly logAsOf: number | undefined
  /** All that it said until then was reported: corrected epoch milliseconds. */
  readonly seenUntil: number | undefined
  /** How its session learns what it says, for inspectors. */
  readonly sessionState: string | undefined
  /** Whether the relay lists it as connected. */
  readonly isAtRelay: boolean
  /** Whether the page has it directly, so that no session through the relay is needed. */
  readonly isReleased: boolean
  readonly trouble: DisconnectReason | undefined
  /** Of what it sent too much, until it is connected again. */
  readonly excess: Excess | undefined
  /** Attempts since the last connection. */
  readonly attempts: number
  /** Requests in a row that its host did not answer. */
  readonly unanswered: number
  /** Whether nobody looks at the page. */
  readonly isPageHidden: boolean
  /** How often it was restarted after an error. */
  readonly failures: number
  /** Number of screens that watch it. */
  readonly watchers: number
  /** Whether it reports work units that ended. Over the relay until the connection ends, as that costs up to 500 units. */
  readonly collects: boolean
  /** The unit whose molecule is viewed, and the structure last sent to its reader. */
  readonly viewed: Viewed | undefined
  readonly logReaders: number
  /** What the server that connects to it lets this page do; undefined without such a server. */
  readonly limit: ClientLimit | undefined
  /** What comparing it with the other clients told. */
  readonly comparison: Comparison
  readonly report: ClientReport | undefined
  /** Milliseconds until its own socket was open the last time; undefined if it never was, and over the relay. */
  readonly openedIn: number | undefined
  /** Whether a connection is being made. */
  readonly isOpening: boolean
  /** The settings actor; undefined while the settings page is closed. */
  readonly settings: ClientSettingsRef | undefined
  /** The data last sent to the settings. */
  readonly sentSettingsSources: readonly unknown[]
}

/** The context of a client that has not connected yet. */
export function createInitialContext(input: ClientInput): ClientContext {
  return {
    id: input.id,
    kind: input.kind,
    address: input.address,
    name: input.name,
    environment: input.environment,
    record: emptyRecord,
    isRestored: false,
    queue: emptyQueue,
    jobs: [],
    isRestartPending: false,
    commandCount: 0,
    spacing: 0,
    connectedAt: undefined,
    lostAt: undefined,
    isRecent: false,
    heardAt: undefined,
    asOf: undefined,
    logAsOf: undefined,
    seenUntil: undefined,
    sessionState: undefined,
    isAtRelay: input.kind === 'relay' && input.failures !== undefined,
    isReleased: false,
    trouble: input.failures === undefined ? undefined : 'failed',
    excess: undefined,
    attempts: input.failures ?? 0,
    unanswered: 0,
    isPageHidden: false,
    failures: input.failures ?? 0,
    watchers: 0,
    collects: input.collects ?? false,
    viewed: undefined,
    logReaders: 0,
    limit: undefined,
    comparison: input.comparison ?? NOT_COMPARED,
    report: undefined,
    openedIn: undefined,
    isOpening: false,
    settings: undefined,
    sentSettingsSources: [],
  }
}

/* What can be done with many clients at once, and what it means for each of them. */
import type { AccountSettingKey, SettingValue } from '../../protocol/client/settings-table.ts'
import type { Command, FoldingState, GroupPatch } from '../../protocol/client/commands.ts'
import type { History } from '../unit/history.ts'
import type { IdleTime, IdleTimes } from './idle-time.ts'
import type { Tags } from './tags.ts'
import type { ClientView } from '../client/client.ts'
import type { ProcessorNote, ProcessorNotes, Processor } from '../client/processor-notes.ts'

/** Which resource groups of each client a change of settings concerns. */
export type GroupScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'default' }
  | { readonly kind: 'named'; readonly name: string }

/** How many CPUs: a number, or all that the client has without some. */
export type CpuRule =
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'allBut'; readonly spare: number }

/** Changed settings; a setting that is not given stays. */
export type SettingsPatch = {
  readonly scope: GroupScope
  readonly onIdle?: boolean
  readonly onBattery?: boolean
  readonly keepAwake?: boolean
  readonly beta?: boolean
  readonly cuda?: boolean
  readonly hip?: boolean
  readonly key?: number
  readonly cpus?: CpuRule
  /** Whether all supported GPUs are enabled, or all disabled. */
  readonly gpus?: boolean
  readonly user?: string
  readonly team?: number
  readonly cause?: string
  readonly secrets?: { readonly passkey: string }
  /** Only clients with at least, and at most, so many CPUs. */
  readonly leastCpus?: number
  readonly mostCpus?: number
}

export type TagMode = 'add' | 'remove'

/** GPUs or CPUs of each client: one of one client, all GPUs, those of a model, or the CPUs of all groups. */
export type ProcessorChoice =
  | { readonly kind: 'one'; readonly processor: Processor; readonly name: string }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'gpus' }
  | { readonly kind: 'cpus' }
  /** How many CPUs the group that has the most of them uses: `most` while it folds, else `least`. */
  | { readonly kind: 'count'; readonly least: number; readonly most: number }

export type BulkAction =
  /** `keepsPaused`: groups that a person paused while others of their client are not stay paused. */
  | { readonly kind: 'state'; readonly state: FoldingState; readonly keepsPaused: boolean }
  /** Of single GPUs or CPUs, while others of their groups go on. */
  | { readonly kind: 'processor'; readonly state: FoldingState; readonly which: ProcessorChoice }
  /** Nothing left to compute by a time, epoch milliseconds; undefined takes it back. `pauses`: what is not done then. */
  | { readonly kind: 'idle'; readonly until: number | undefined; readonly pauses: boolean }
  | { readonly kind: 'settings'; readonly patch: SettingsPatch }
  /** `{name}`, `{host}`, `{os}`, `{cpus}`, `{version}`; `{n}` counts from 1, `{nn}` with two digits. */
  | { readonly kind: 'rename'; readonly pattern: string }
  /** The person's own tags, which need no connection. */
  | { readonly kind: 'tags'; readonly mode: TagMode; readonly tag: string }
  | { readonly kind: 'unlink' }
  /** Connect to the account again. */
  | { readonly kind: 'restart' }
  /** Give clients back what they had, by id. */
  | { readonly kind: 'undo'; readonly of: BulkAction['kind']; readonly before: Readonly<Record<string, Before>> }

export type BulkKind = BulkAction['kind']

/** Values that a client shall have: of groups by name, of the client, its passkey. */
export type Values = {
  readonly groups: Readonly<Record<string, GroupPatch>>
  readonly machine: { readonly [Key in Exclude<AccountSettingKey, 'passkey'>]?: SettingValue<Key> }
  readonly secrets?: { readonly passkey: string }
}

/** What a client had before it was changed. `tag`: whether it had it (`add` gives it back). */
export type Before =
  /** `notes`: of its processors. */
  | { readonly kind: 'values'; readonly values: Values; readonly notes?: readonly ProcessorNote[] }
  | { readonly kind: 'idle'; readonly time: IdleTime | undefined }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly mode: TagMode }

/** What is done to one client: commands to it, or a call of the account. */
export type BulkWork =
  | { readonly kind: 'commands'; readonly commands: readonly Command[] }
  /** The command is sent to all clients of the fleet at once. */
  | { readonly kind: 'follow'; readonly command: Command }
  | { readonly kind: 'rename'; readonly machine: string; readonly name: string }
  | { readonly kind: 'unlink'; readonly machine: string }
  /** Only what is noted of it changes. */
  | { readonly kind: 'note' }
  /** `machine`: its own id. */
  | { readonly kind: 'tag'; readonly machine: string; readonly tag: string; readonly mode: TagMode }

/** One value of a client that changes. `group`: undefined for a value of the client itself. */
export type ValueChange = {
  readonly group?: string
  readonly key: string
  /** Of a processor. */
  readonly name?: string
  readonly before: unknown
  readonly after: unknown
}

/** A person's own names of groups, by their names. */
export type OwnTitles = Readonly<Record<string, string>>

/** What an action means for one client. */
export type BulkEffect =
  | {
      readonly kind: 'change'
      readonly changes: readonly ValueChange[]
      readonly work: BulkWork
      /** What undoes it; undefined where nothing does. */
      readonly before: Before | undefined
      /** Groups that a person paused while others of the client were not, and that are resumed. */
      readonly resumed: readonly string[]
      /** Groups that stay paused. */
      readonly kept: readonly string[]
      /** What of its other work units is disturbed, and what must be known before. */
      readonly costs?: readonly string[]
      /** What is noted of its processors from now on. `machine`: its own id. */
      readonly noted?: { readonly machine: string; readonly notes: readonly ProcessorNote[] }
      /** By when it shall be idle from now on. */
      readonly idle?: { readonly machine: string; readonly time: IdleTime | undefined }
      readonly titles?: OwnTitles
    }
  /** It is so already. `kept`: groups that stay paused. */
  | { readonly kind: 'same'; readonly kept: readonly string[]; readonly titles?: OwnTitles }
  /** The client does not meet the condition. */
  | { readonly kind: 'excluded'; readonly because: string }
  /** `needs`: the version of the client from which on it is possible. */
  | { readonly kind: 'tooOld'; readonly has: string; readonly needs: string }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'impossible'; readonly because: string }

export type BulkTarget = {
  /** The id of the shown connection. */
  readonly id: string
  readonly view: ClientView
}

/** What a plan depends on besides the clients. */
export type BulkWorld = {
  /** The id of the account that is signed in. */
  readonly account: string | undefined
  /** Names of the clients that are not concerned, which new names must not repeat. */
  readonly otherNames: ReadonlySet<string>
  readonly tags: Tags
  readonly processors: ProcessorNotes
  /** Whether the server of this page keeps these too, and watches its own clients. */
  readonly isServed: boolean
  readonly idleTimes: IdleTimes
  /** Units that ended, as far as they are loaded. */
  readonly history: Pick<History, 'units'>
  /** Epoch milliseconds. */
  readonly now: number
}

export type PlanEntry = { readonly id: string; readonly name: string; readonly effect: BulkEffect }

export type EffectKind = BulkEffect['kind']

export type BulkPlan = {
  readonly entries: readonly PlanEntry[]
  readonly counts: Readonly<Record<EffectKind, number>>
}

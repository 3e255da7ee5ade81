import type { Excerpt, KeptMachine } from '../../../folding/unit/history.ts'
import type { FileReading } from '../../../folding/unit/unit-file.ts'
import type { UnitView } from '../../../folding/unit/unit-rows.ts'
import type { Unit } from '../../../protocol/client-data.ts'

export type FileFormat = 'csv' | 'json'

export type HistoryCommand =
  /** Somebody looks at the history: what is kept is read, and machines are asked for theirs, once. */
  | { readonly type: 'history.open' }
  /** What a view shows goes into a file. `at`: epoch milliseconds, for units of the last so many days. */
  | {
      readonly type: 'history.export'
      readonly format: FileFormat
      readonly view: UnitView
      readonly at: number
      /** Whether a CSV file names machines by their ids too. A JSON file always does: it could not be imported otherwise. */
      readonly withMachineIds?: boolean
    }
  | { readonly type: 'history.import'; readonly file: Blob }
  /** Everything goes, and what machines report of that time stays away. */
  | { readonly type: 'history.clear' }
  /** What came of the last file has been read. */
  | { readonly type: 'history.dismiss' }

export type HistoryFact =
  | { readonly type: 'history.reported'; readonly machine: KeptMachine; readonly units: readonly Unit[] }
  | { readonly type: 'history.accountEntered'; readonly account: string }
  | { readonly type: 'history.accountLeft' }

/** What ended until then was cleared away, in epoch milliseconds: of machines seen directly, and of the account's. */
export type CutOffs = { readonly direct?: number; readonly account?: number }

/** What this browser is told to keep. */
export type KeeperCommand =
  | { readonly type: 'keeper.recall' }
  | { readonly type: 'keeper.keep'; readonly excerpt: Excerpt }
  | { readonly type: 'keeper.clear'; readonly cutOffs: CutOffs }
  /** Forget machines of every account but this one, and what they did; of every account when it is undefined. */
  | { readonly type: 'keeper.forgetOthers'; readonly account: string | undefined }

/** Why this browser keeps nothing: it has no such place, as some private windows; or the place is full. */
export type KeeperTrouble = 'unavailable' | 'full'

export type KeeperFact =
  | { readonly type: 'keeper.recalled'; readonly excerpt: Excerpt; readonly cutOffs: CutOffs }
  | { readonly type: 'keeper.failed'; readonly trouble: KeeperTrouble }

export type HistoryEvent = HistoryCommand | HistoryFact | KeeperFact

/** What the history tells the house. */
export type HistoryNews = { readonly type: 'history.wanted' }

export type ExportTask = {
  readonly format: FileFormat
  readonly excerpt: Excerpt
  readonly withMachineIds: boolean
}
/** What was written. */
export type Exported = { readonly count: number; readonly holdsMachineIds: boolean }
export type ImportTask = { readonly file: Blob }

/** What came of a file, for the person who chose it. */
export type FileOutcome =
  | ({ readonly kind: 'exported' } & Exported)
  | { readonly kind: 'imported'; readonly added: number; readonly known: number; readonly unusable: number }
  | { readonly kind: 'refused'; readonly reason: string }

export type ImportResult = FileReading

import type { Clones } from '../../../folding/client/client-key.ts'
import type { ArchivedClient } from '../../../folding/unit/archived-client.ts'
import type { CreditAnswer } from '../../../folding/unit/credits.ts'
import type { Excerpt } from '../../../folding/unit/history.ts'
import type { FileReading } from '../../../folding/unit/unit-file.ts'
import type { UnitView } from '../../../folding/unit/unit-rows.ts'
import type { Unit } from '../../../protocol/client/client-data.ts'

export type FileFormat = 'csv' | 'json'

export type HistoryCommand =
  /** The history is opened: load the stored units, and request those of directly connected clients, once. */
  | { readonly type: 'history.open' }
  /**
   * Clients of the account whose units are to be requested too, one after another; this replaces what the reader wanted
   * before. `machines`: ids of connections, the most wanted first; [] when the reader is closed.
   */
  | { readonly type: 'history.want'; readonly reader: HistoryReader; readonly machines: readonly string[] | 'all' }
  /** Request the units of all wanted clients, however many there are. */
  | { readonly type: 'history.wantUnlimited' }
  /** Export the rows of a view. `at`: now, in epoch milliseconds, for filters by age. */
  | {
      readonly type: 'history.export'
      readonly format: FileFormat
      readonly view: UnitView
      readonly at: number
      /** Whether a CSV file contains client ids. A JSON file always does: the import needs them. */
      readonly withMachineIds?: boolean
    }
  | { readonly type: 'history.import'; readonly file: Blob }
  /** Leave a unit out of benchmarks, with the reason; undefined takes it in again. `key`: of the history. */
  | { readonly type: 'history.leaveOut'; readonly key: string; readonly reason: string | undefined }
  /** Take back what the last file brought. */
  | { readonly type: 'history.undoImport' }
  /** Delete all units, and ignore reports of units that ended before now. */
  | { readonly type: 'history.clear' }
  /** Ask the browser to keep what is stored. */
  | { readonly type: 'history.keep' }
  /** The user dismissed the result of the last file. */
  | { readonly type: 'history.dismiss' }

/** What shows the history of clients. */
export type HistoryReader = 'unit' | 'grid' | 'charts' | 'units' | 'power'

export type HistoryFact =
  | { readonly type: 'history.pageHidden' }
  | { readonly type: 'history.pageShown' }
  /** A client was asked for its history, and is to answer with `history.reported`. `connection`: the id of its connection. */
  | { readonly type: 'history.asked'; readonly connection: string }
  | {
      readonly type: 'history.reported'
      readonly connection: string
      readonly machine: ArchivedClient
      readonly units: readonly Unit[]
    }
  /** The API was asked for the credits of units. */
  | { readonly type: 'history.credited'; readonly answers: readonly CreditAnswer[] }
  | { readonly type: 'history.accountSignedIn'; readonly account: string }
  | { readonly type: 'history.accountSignedOut' }

/** Units that ended until then are cleared, in epoch milliseconds: of direct clients, and of the account's. */
export type CutOffs = { readonly direct?: number; readonly account?: number }

/** Sent to the store. */
export type HistoryStoreCommand =
  | { readonly type: 'store.load' }
  | { readonly type: 'store.save'; readonly excerpt: Excerpt }
  | { readonly type: 'store.remove'; readonly excerpt: Excerpt }
  | { readonly type: 'store.clear'; readonly cutOffs: CutOffs }
  /** Delete clients and units of all accounts but this one; of all accounts when it is undefined. */
  | { readonly type: 'store.deleteOthers'; readonly account: string | undefined }
  /** Ask the browser not to delete what is stored: the person pressed a button for it. */
  | { readonly type: 'store.keep' }

/** Why nothing is stored: there is no storage, as in some private windows, or it is full. */
export type HistoryStoreFault = 'unavailable' | 'full'

/**
 * Whether the browser keeps the history when its disk is full or the page is not visited for a while: `volatile` when it may
 * delete it, `undecided` until the person, whom it would ask, has pressed a button.
 */
export type Durability = 'durable' | 'undecided' | 'volatile'

export type HistoryStoreFact =
  /** `unusable`: rows of the server that could not be read. */
  | {
      readonly type: 'store.loaded'
      readonly excerpt: Excerpt
      readonly cutOffs: CutOffs
      readonly unusable?: number
    }
  | { readonly type: 'store.failed'; readonly trouble: HistoryStoreFault }
  | { readonly type: 'store.durabilityFound'; readonly durability: Durability }

export type HistoryEvent = HistoryCommand | HistoryFact | HistoryStoreFact

/** Sent to the app. */
export type HistoryNotification =
  /** Clients are to report units that ended. `ids`: undefined for all that are connected directly. */
  | { readonly type: 'history.requested'; readonly ids?: readonly string[] }
  /** The stored history is of several computers of these ids. */
  | { readonly type: 'history.clonesFound'; readonly clones: Clones }

export type ExportTask = {
  readonly format: FileFormat
  readonly excerpt: Excerpt
  readonly withMachineIds: boolean
}
/** What was written. */
export type Exported = { readonly count: number; readonly holdsMachineIds: boolean }
export type ImportTask = { readonly file: Blob }

/** The result of an import or export, to show. */
export type FileOutcome =
  | ({ readonly kind: 'exported' } & Exported)
  | { readonly kind: 'imported'; readonly added: number; readonly known: number; readonly unusable: number }
  | { readonly kind: 'refused'; readonly reason: string }

export type ImportResult = FileReading

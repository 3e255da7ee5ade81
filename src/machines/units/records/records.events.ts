import type { Seen, SeenUnit, UnitRecord } from '../../../folding/unit/unit-record.ts'

export type RecordsCommand =
  /** Delete what was seen through accounts other than this one; null: through any. */
  { readonly type: 'records.accountChanged'; readonly account: string | null } | { readonly type: 'records.clear' }

/** Reported by actors. */
export type RecordsFact =
  | { readonly type: 'records.loaded'; readonly records: readonly UnitRecord[] }
  /** `account`: that is signed in; null for none, undefined until that is known. */
  | { readonly type: 'records.observed'; readonly account: string | null | undefined; readonly seen: readonly Seen[] }

export type RecordsEvent = RecordsCommand | RecordsFact

/** Sent to the store. */
export type RecordStoreCommand =
  | { readonly type: 'recordStore.load' }
  | { readonly type: 'recordStore.save'; readonly records: readonly UnitRecord[] }
  | { readonly type: 'recordStore.delete'; readonly units: readonly Pick<SeenUnit, 'client' | 'unit'>[] }
  | { readonly type: 'recordStore.clear' }

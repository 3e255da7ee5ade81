import type { ClientData, Unit } from '../../protocol/client/client-data.ts'

/** What a unit's cells depend on besides the unit. */
export type UnitContext = {
  /** The client's display name. */
  readonly machine: string
  /** The client's last known state. */
  readonly data: ClientData | undefined
  /** Epoch milliseconds on the client's clock (see unit-progress.ts). */
  readonly now: number
  readonly locale?: string | undefined
  readonly timeZone?: string | undefined
}

/** A value to sort by; undefined sorts last in both directions. */
export type SortValue = number | string | undefined

/** The columns of docs/product.md §3, and Type of §10. */
export type ColumnName =
  | 'Project'
  | 'Type'
  | 'CPUs'
  | 'GPUs'
  | 'GPUs Text'
  | 'Status'
  | 'Status Text'
  | 'Progress'
  | 'PPD'
  | 'ETA'
  | 'TPF'
  | 'OS'
  | 'OS Text'
  | 'Core'
  | 'Deadline'
  | 'Timeout'
  | 'RCG'
  | 'Run Time'
  | 'Base Credit'
  | 'Assign Time'
  | 'Number'
  | 'Machine'
  | 'Work Server'
  | 'Version'
  | 'Resources'
  | 'Group Name'

export type UnitColumn = {
  /** Stable id for code, tests and styles: 'base-credit'. */
  readonly id: string
  /** The name in the account's config, in English whatever the locale: 'Base Credit'. */
  readonly name: string
  readonly title: string
  /** Shown when the heading is hovered or focused. */
  readonly hint: string
  readonly align: 'start' | 'end'
  /** Usual width of its texts in `ch`. */
  readonly width: number
  /** Whether it takes the remaining width. */
  readonly grows: boolean
  readonly value: (unit: Unit, context: UnitContext) => SortValue
  readonly text: (unit: Unit, context: UnitContext) => string
  /** More about a cell, on hover and focus; undefined when there is none. */
  readonly detail?: (unit: Unit, context: UnitContext) => string | undefined
  /** Whether the unit misses this deadline or has missed it. */
  readonly isLate?: (unit: Unit, context: UnitContext) => boolean
  /** Whether the value is outdated and shown so. */
  readonly isStale?: (unit: Unit, context: UnitContext) => boolean
}

import type { ClientData, Unit } from '../../protocol/client-data.ts'

/** What a unit's cells need besides the unit. */
export type UnitContext = {
  /** What the unit's machine is called. */
  readonly machine: string
  /** The machine's last known state: its groups, GPUs, system. */
  readonly data: ClientData | undefined
  /** Epoch milliseconds on the client's clock (see unit-work.ts). */
  readonly now: number
  readonly locale?: string | undefined
  readonly timeZone?: string | undefined
}

/** A value to sort by; undefined sorts last in both directions. */
export type SortValue = number | string | undefined

export type UnitColumn = {
  /** Stable name for code, tests and style: 'base-credit'. */
  readonly id: string
  /** The name under which the account's config keeps it: 'Base Credit'. Also its heading. */
  readonly title: string
  /** What the heading says on hover and focus. */
  readonly hint: string
  readonly align: 'start' | 'end'
  /** Width in characters (ch) that its texts usually need. */
  readonly width: number
  /** Whether it takes what room is left. */
  readonly grows: boolean
  readonly value: (unit: Unit, context: UnitContext) => SortValue
  readonly text: (unit: Unit, context: UnitContext) => string
  /** What a cell says on hover and focus beyond its text; undefined when there is no more to say. */
  readonly detail?: (unit: Unit, context: UnitContext) => string | undefined
  /** Whether it says that the unit will be, or is, too late. */
  readonly isLate?: (unit: Unit, context: UnitContext) => boolean
  /** Whether the value is of an earlier moment and should look so. */
  readonly isStale?: (unit: Unit, context: UnitContext) => boolean
}

import { t } from '@lingui/core/macro'
import { UNKNOWN } from '../../../../folding/text/format.ts'

/** What a grid needs to know about any column. */
export type GridColumn = {
  readonly id: string
  readonly title: string
  readonly hint: string
  readonly align: 'start' | 'end'
  /** In `ch`. */
  readonly width: number
}
/** A shown column: where it is, and how its heading sorts. */
export type PlacedColumn<Column> = {
  readonly column: Column
  readonly isPinned: boolean
  /** CSS pixels from the start of the pinned columns, or of the others. */
  readonly start: number
  readonly size: number
  readonly sorted: 'asc' | 'desc' | false
  /** Its position among several columns that sort, from 1; undefined when it does not sort alone or not at all. */
  readonly sortRank: number | undefined
  /** Sorts by it alone, or by it as well. */
  readonly toggleSort: (adds: boolean) => void
}

/** Of a cell without a hint of its own. */
export function textHint(text: unknown): string | undefined {
  return text === UNKNOWN ? t`The machine has not reported it.` : typeof text === 'string' ? text : undefined
}

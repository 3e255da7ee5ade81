import { textWidth } from '../text/text-width.ts'
import type { UnitColumn } from './unit-column.ts'

/** Width of the status icon, in ch. */
const STATUS_ICON = 3
const PADDING = '1rem'
const ACTIONS_WIDTH = '2.75rem'

/** Extra width of a heading, in ch: the sort arrow, and letters that are wider than digits. */
const HEADING_EXTRA = 2

function widthOf({ id, title, width }: UnitColumn): number {
  return Math.max(id === 'status' ? width + STATUS_ICON : width, textWidth(title) + HEADING_EXTRA)
}

function minWidthOf(column: UnitColumn): string {
  return `(${[`${widthOf(column)}ch`, PADDING].join(' + ')})`
}

function trackOf(column: UnitColumn): string {
  return column.grows
    ? `minmax(${[`calc${minWidthOf(column)}`, `${widthOf(column)}fr`].join(', ')})`
    : `calc${minWidthOf(column)}`
}

/** `grid-template-columns`. Widths do not depend on the cells' content, so that columns line up across clients. */
export function columnTracks(columns: readonly UnitColumn[]): string {
  return [
    ...columns.map(trackOf),
    columns.some(({ grows }) => grows) ? ACTIONS_WIDTH : `minmax(${ACTIONS_WIDTH}, 1fr)`,
  ].join(' ')
}

/** Inline start of a row's second line, the notice: below the status if the columns before that have fixed widths. */
export function noticeStart(columns: readonly UnitColumn[]): string {
  const before = columns.slice(
    0,
    Math.max(
      0,
      columns.findIndex(({ id }) => id === 'status' || id === 'status-text'),
    ),
  )
  return before.some(({ grows }) => grows) ? '0px' : `calc(${['0px', ...before.map(minWidthOf)].join(' + ')})`
}

/** The least width of all columns together; with less room the table scrolls. */
export function columnsMinWidth(columns: readonly UnitColumn[]): string {
  return `calc(${[...columns.map(minWidthOf), ACTIONS_WIDTH].join(' + ')})`
}

/** CSS variables by their names. */
export type ColumnSizes = Readonly<Record<`--${string}`, string>>

/** The sizes that the styles of tables with these columns need. */
export function columnSizes(columns: readonly UnitColumn[]): ColumnSizes {
  return {
    '--columns': columnTracks(columns),
    '--columns-min-width': columnsMinWidth(columns),
    '--notice-start': noticeStart(columns),
  }
}

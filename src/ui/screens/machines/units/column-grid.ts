import type { UnitColumn } from '../../../../folding/unit-column.ts'

/** The icon before the word of a state. */
const ICON = 3
const PADDING = '1rem'
const ACTIONS = '2.75rem'

const widthOf = ({ id, width }: UnitColumn): number => (id === 'status' || id === 'status-text' ? width + ICON : width)

const minimumOf = (column: UnitColumn): string => `(${widthOf(column)}ch + ${PADDING})`

const trackOf = (column: UnitColumn): string =>
  column.grows ? `minmax(calc${minimumOf(column)}, ${column.width}fr)` : `calc${minimumOf(column)}`

/** Widths that do not depend on what is in the cells, so that columns stand still and line up across machines. */
export const columnTracks = (columns: readonly UnitColumn[]): string =>
  [...columns.map(trackOf), columns.some(({ grows }) => grows) ? ACTIONS : `minmax(${ACTIONS}, 1fr)`].join(' ')

/** What the columns need at least; a table with less room scrolls in its own box. */
export const columnsMinimum = (columns: readonly UnitColumn[]): string =>
  `calc(${[...columns.map(minimumOf), ACTIONS].join(' + ')})`

import { t } from '@lingui/core/macro'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'

/** The icon before the word of a state. */
const ICON = 3
const PADDING = '1rem'
const ACTIONS = '2.75rem'

/** The arrow of a sorted column, and what a heading's smaller letters need more than digits. */
const HEADING = 2

const widthOf = ({ id, title, width }: UnitColumn): number =>
  Math.max(id === 'status' ? width + ICON : width, title.length + HEADING)

const minimumOf = (column: UnitColumn): string => t`(${widthOf(column)}ch + ${PADDING})`

const trackOf = (column: UnitColumn): string =>
  column.grows ? t`minmax(calc${minimumOf(column)}, ${widthOf(column)}fr)` : `calc${minimumOf(column)}`

/** Widths that do not depend on what is in the cells, so that columns stand still and line up across machines. */
export const columnTracks = (columns: readonly UnitColumn[]): string =>
  [...columns.map(trackOf), columns.some(({ grows }) => grows) ? ACTIONS : `minmax(${ACTIONS}, 1fr)`].join(' ')

/** How far from a row's start its second line begins: below the status, which it explains, if that place is fixed. */
export const noticeStart = (columns: readonly UnitColumn[]): string => {
  const before = columns.slice(
    0,
    Math.max(
      0,
      columns.findIndex(({ id }) => id === 'status' || id === 'status-text'),
    ),
  )
  return before.some(({ grows }) => grows) ? '0px' : `calc(${['0px', ...before.map(minimumOf)].join(' + ')})`
}

/** What the columns need at least; a table with less room scrolls in its own box. */
export const columnsMinWidth = (columns: readonly UnitColumn[]): string =>
  `calc(${[...columns.map(minimumOf), ACTIONS].join(' + ')})`

import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type ExpandedState,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { MAX_WIDTH, MIN_WIDTH, type GridColumns, type ShownColumns } from '../../../../folding/fleet/fleet-view.ts'
import { entriesOf, type Entry } from './grid-window.ts'
import { textWidth } from '../../../../folding/text/text-width.ts'
import { MAX_SORTS, type ColumnSort } from '../../../../folding/fleet/grid-order.ts'
import type { GridColumn, PlacedColumn } from './grid-column.ts'

/** A row of the table is the key of what it shows, whose facts its cells read themselves. */
type KeyRow = { readonly key: string }

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowExpandingFeature,
  rowSortingFeature,
})

/** Width of a digit, padding on both sides, and room for a heading's arrow, in CSS pixels of a root font of 16. */
const DIGIT = 7.3
const PADDING = 18
const ARROW = 16

function rem(): number {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1
}

function defaultSize({ width, title }: GridColumn): number {
  return Math.round((Math.max(width * DIGIT, textWidth(title) * DIGIT + ARROW) + PADDING) * rem())
}

function definitionOf(column: GridColumn): ColumnDef<typeof features, KeyRow> {
  return {
    id: column.id,
    header: column.title,
    accessorFn: () => undefined,
    sortDescFirst: column.align === 'end',
    size: defaultSize(column),
    minSize: MIN_WIDTH,
    maxSize: MAX_WIDTH,
  }
}

type Options<Column> = {
  /** Keys of all rows in their order. */
  readonly keys: readonly string[]
  readonly columns: readonly Column[]
  readonly shown: ShownColumns
  readonly widths: GridColumns['widths']
  readonly sorts: readonly ColumnSort[]
  readonly onSort: (sorts: readonly ColumnSort[]) => void
}

export type GridTable<Column> = {
  /** The shown ones, pinned ones first, with their places and headings. */
  readonly columns: readonly PlacedColumn<Column>[]
  /** Keys of the rows, each open one with its detail. */
  readonly entries: readonly Entry[]
  readonly isOpen: (key: string) => boolean
  readonly toggleOpen: (key: string) => void
}

/** The table of a grid: columns, rows, and which rows are open. */
export function useGridTable<Column extends GridColumn>({
  keys,
  columns,
  shown,
  widths,
  sorts,
  onSort,
}: Options<Column>): GridTable<Column> {
  const definitions = useMemo(() => columns.map(definitionOf), [columns])
  const data = useMemo(() => keys.map(key => ({ key })), [keys])
  const [expanded, setExpanded] = useState<ExpandedState>({})
  const sorting = sorts.map(({ column, isDescending }) => ({ id: column, desc: isDescending }))
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: keyOf,
    getRowCanExpand: canExpand,
    state: {
      sorting,
      expanded,
      columnOrder: [...shown.ids],
      columnPinning: { start: shown.ids.slice(0, shown.pinned), end: [] },
      columnSizing: { ...widths },
      columnVisibility: Object.fromEntries(columns.map(({ id }) => [id, shown.ids.includes(id)])),
    },
    manualSorting: true,
    maxMultiSortColCount: MAX_SORTS,
    onExpandedChange: setExpanded,
    onSortingChange: updater => {
      const next = typeof updater === 'function' ? updater(sorting) : updater
      onSort(next.map(({ id, desc }) => ({ column: id, isDescending: desc })))
    },
  })
  const place = (position: 'start' | 'center') =>
    table.getPinnedVisibleLeafColumns(position).flatMap((leaf): readonly PlacedColumn<Column>[] => {
      const column = columns.find(({ id }) => id === leaf.id)
      if (column === undefined) return []
      const rank = leaf.getSortIndex()
      return [
        {
          column,
          isPinned: position === 'start',
          start: leaf.getStart(position),
          size: leaf.getSize(),
          sorted: leaf.getIsSorted(),
          sortRank: sorts.length > 1 && rank >= 0 ? rank + 1 : undefined,
          toggleSort: adds => leaf.toggleSorting(undefined, adds),
        },
      ]
    })
  const { rows } = table.getRowModel()
  const entries = useMemo(
    () =>
      entriesOf(
        rows.map(({ id }) => id),
        isOpenIn(expanded),
      ),
    [rows, expanded],
  )
  return {
    columns: [...place('start'), ...place('center')],
    entries,
    isOpen: isOpenIn(expanded),
    toggleOpen: key => table.getRow(key).toggleExpanded(),
  }
}

function keyOf({ key }: KeyRow): string {
  return key
}
function canExpand(): boolean {
  return true
}
function isOpenIn(expanded: ExpandedState) {
  return (key: string): boolean => expanded === true || expanded[key] === true
}

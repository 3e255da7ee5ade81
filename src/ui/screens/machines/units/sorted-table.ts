import { rowSortingFeature, tableFeatures, useTable, type ColumnDef, type RowData } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'
import type { SortHeading } from './panel-headings.ts'

const features = tableFeatures({ rowSortingFeature })

function definitionOf<Row extends RowData>({
  id,
  title,
  align,
}: Pick<UnitColumn, 'id' | 'title' | 'align'>): ColumnDef<typeof features, Row> {
  return {
    id,
    header: title,
    accessorFn: () => undefined,
    enableMultiSort: false,
    sortDescFirst: align === 'end',
  }
}

type Options<Column, Row> = {
  readonly columns: readonly Column[]
  /** Sorted by the caller. */
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  readonly sort: UnitSort | undefined
  /** Called with undefined for the default order. */
  readonly onSort: (sort: UnitSort | undefined) => void
}

/**
 * Headings and rows of a table. The first chunk has headings of its own, which work alike (`panel-headings.ts`), since the
 * table library is too large for it.
 */
export function useSortedTable<Column extends Pick<UnitColumn, 'id' | 'title' | 'align'>, Row extends RowData>({
  columns,
  rows,
  keyOf,
  sort,
  onSort,
}: Options<Column, Row>) {
  const definitions = useMemo(() => columns.map(column => definitionOf<Row>(column)), [columns])
  const sorting = sort === undefined ? [] : [{ id: sort.column, desc: sort.isDescending }]
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: keyOf,
    state: { sorting },
    manualSorting: true,
    onSortingChange: updater => {
      const [first] = typeof updater === 'function' ? updater(sorting) : updater
      onSort(first === undefined ? undefined : { column: first.id, isDescending: first.desc })
    },
  })
  const headings = table.getAllLeafColumns().flatMap((leaf): readonly SortHeading<Column>[] => {
    const column = columns.find(({ id }) => id === leaf.id)
    return column === undefined ? [] : [{ column, sorted: leaf.getIsSorted(), toggle: () => leaf.toggleSorting() }]
  })
  return { headings, rows: table.getRowModel().rows }
}

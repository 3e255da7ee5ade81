import { rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'
import type { SortHeading } from './panel-headings.ts'

type EmptyRow = Readonly<Record<string, never>>

const features = tableFeatures({ rowSortingFeature })
// The table library manages columns and sorting only; rows are sorted and rendered elsewhere.
const noRows: EmptyRow[] = []

const definitionOf = ({
  id,
  title,
  align,
}: Pick<UnitColumn, 'id' | 'title' | 'align'>): ColumnDef<typeof features, EmptyRow> => ({
  id,
  header: title,
  accessorFn: () => undefined,
  enableMultiSort: false,
  sortDescFirst: align === 'end',
})

/**
 * Headings of a table whose rows the caller sorts, by the table library. `onSort` gets undefined for the default order.
 * The first chunk has headings of its own, which work alike (`panel-headings.ts`).
 */
export const useSortHeadings = <Column extends Pick<UnitColumn, 'id' | 'title' | 'align'>>(
  columns: readonly Column[],
  sort: UnitSort | undefined,
  onSort: (sort: UnitSort | undefined) => void,
): readonly SortHeading<Column>[] => {
  const definitions = useMemo(() => columns.map(definitionOf), [columns])
  const sorting = sort === undefined ? [] : [{ id: sort.column, desc: sort.isDescending }]
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    state: { sorting },
    manualSorting: true,
    onSortingChange: updater => {
      const [first] = typeof updater === 'function' ? updater(sorting) : updater
      onSort(first === undefined ? undefined : { column: first.id, isDescending: first.desc })
    },
  })
  return table.getAllLeafColumns().flatMap(leaf => {
    const column = columns.find(({ id }) => id === leaf.id)
    return column === undefined ? [] : [{ column, sorted: leaf.getIsSorted(), toggle: () => leaf.toggleSorting() }]
  })
}

import { rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table'
import { useMemo } from 'react'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'

type NoRow = Readonly<Record<string, never>>

const features = tableFeatures({ rowSortingFeature })
// Rows are put in order, windowed and read elsewhere: the table knows columns and sorting only.
const noRows: NoRow[] = []

export type SortDirection = 'asc' | 'desc' | false

/** What a heading shows of a column, and what pressing it does. */
export type SortHeading<Column> = {
  readonly column: Column
  readonly sorted: SortDirection
  readonly toggle: () => void
}

const definitionOf = ({
  id,
  title,
  align,
}: Pick<UnitColumn, 'id' | 'title' | 'align'>): ColumnDef<typeof features, NoRow> => ({
  id,
  header: title,
  accessorFn: () => undefined,
  enableMultiSort: false,
  sortDescFirst: align === 'end',
})

/** The headings of a table that somebody else sorts. `onSort` hears undefined when the rows are to stand as they did at first. */
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

import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'

export type SortDirection = 'asc' | 'desc' | false

/** A column, how it is sorted, and the action of its heading. */
export type SortHeading<Column> = {
  readonly column: Column
  readonly sorted: SortDirection
  readonly toggle: () => void
}

type Sortable = Pick<UnitColumn, 'id' | 'align'>

/** How a press of a heading changes the sorting: first direction, other direction, default order. Numbers begin descending. */
function toggledSort(sort: UnitSort | undefined, { id, align }: Sortable): UnitSort | undefined {
  const isFirst = align === 'end'
  if (sort?.column !== id) return { column: id, isDescending: isFirst }
  return sort.isDescending === isFirst ? { column: id, isDescending: !isFirst } : undefined
}

/** The headings of a table that one column sorts. */
export function sortHeadings<Column extends Sortable>(
  columns: readonly Column[],
  sort: UnitSort | undefined,
  onSort: (sort: UnitSort | undefined) => void,
): readonly SortHeading<Column>[] {
  return columns.map(column => ({
    column,
    sorted: sort?.column !== column.id ? false : sort.isDescending ? 'desc' : 'asc',
    toggle: () => onSort(toggledSort(sort, column)),
  }))
}

import { columnVisibilityFeature, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table'
import { useSelector } from '@xstate/react'
import { createContext, use, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { columnsFor } from '../../../../folding/column-sets.ts'
import type { UnitColumn } from '../../../../folding/unit-column.ts'
import { selectColumns } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { useSystem } from '../../../system-context.ts'
import { sortOf, withSort, type UnitSort } from '../view-params.ts'
import { useRoom } from './use-room.ts'

type NoRow = Readonly<Record<string, never>>

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature })
// Units live in their clients, each cell reads its own: the table knows columns and sorting only.
const noRows: NoRow[] = []

const definitionOf = (column: UnitColumn): ColumnDef<typeof features, NoRow> => ({
  id: column.id,
  header: column.title,
  accessorFn: () => undefined,
  enableMultiSort: false,
  sortDescFirst: column.align === 'end',
})

export type SortDirection = 'asc' | 'desc' | false

export type Heading = {
  readonly column: UnitColumn
  readonly sorted: SortDirection
  readonly toggle: () => void
}

/** What every table of units goes by. The same object until the columns or the sorting change. */
export type UnitTable = {
  readonly columns: readonly UnitColumn[]
  readonly sort: UnitSort | undefined
  readonly sortColumn: UnitColumn | undefined
}

const UnitTableContext = createContext<UnitTable | undefined>(undefined)
export const UnitTableProvider = UnitTableContext.Provider

export const useUnitTable = (): UnitTable => {
  const table = use(UnitTableContext)
  if (table === undefined) throw new Error('A unit is shown outside of UnitTableProvider.')
  return table
}

/** The columns that there is room for, and by which of them units are sorted: one model for the tables of all machines. */
export const useUnitTableModel = (): { readonly table: UnitTable; readonly headings: readonly Heading[] } => {
  const chosen = useSelector(useSystem().preferences, selectColumns)
  const room = useRoom()
  const [params, setParams] = useSearchParams()
  const { column: sortedId, isDescending = false } = sortOf(params) ?? {}
  const unitTable = useMemo((): UnitTable => {
    const columns = columnsFor(room, chosen)
    return {
      columns,
      sort: sortedId === undefined ? undefined : { column: sortedId, isDescending },
      sortColumn: columns.find(({ id }) => id === sortedId),
    }
  }, [room, chosen, sortedId, isDescending])
  const definitions = useMemo(() => unitTable.columns.map(definitionOf), [unitTable])
  const sorting = sortedId === undefined ? [] : [{ id: sortedId, desc: isDescending }]
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    state: { sorting },
    manualSorting: true,
    onSortingChange: (updater) => {
      const [first] = typeof updater === 'function' ? updater(sorting) : updater
      const next = first === undefined ? undefined : { column: first.id, isDescending: first.desc }
      setParams((now) => withSort(now, next), { replace: true, preventScrollReset: true })
    },
  })
  const headings = table.getVisibleLeafColumns().flatMap((leaf) => {
    const column = unitTable.columns.find(({ id }) => id === leaf.id)
    return column === undefined ? [] : [{ column, sorted: leaf.getIsSorted(), toggle: () => leaf.toggleSorting() }]
  })
  return { table: unitTable, headings }
}

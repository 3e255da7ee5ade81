import { useSelector } from '../../../hooks/use-selector.ts'
import { createContext, use, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { columnsFor } from '../../../../folding/unit/column-sets.ts'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import { selectColumns } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'
import { AT_ONCE, sortOf, withSort } from '../view-params.ts'
import { sortHeadings, type SortHeading } from './sort-headings.ts'
import { useBreakpoint } from '../../../hooks/use-breakpoint.ts'

/** What all unit tables share. The same object until the columns or the sorting change. */
export type UnitTable = {
  readonly columns: readonly UnitColumn[]
  readonly sort: UnitSort | undefined
  readonly sortColumn: UnitColumn | undefined
}

const UnitTableContext = createContext<UnitTable | undefined>(undefined)
export const UnitTableProvider = UnitTableContext.Provider

export function useUnitTable(): UnitTable {
  const table = use(UnitTableContext)
  if (table === undefined) throw new Error('useUnitTable needs a UnitTableProvider.')
  return table
}

/** The columns that fit the window, and the sorting from the address: one model for the tables of all clients. */
export function useUnitTableModel(): {
  readonly table: UnitTable
  readonly headings: readonly SortHeading<UnitColumn>[]
} {
  const chosen = useSelector(useSystem().preferences, selectColumns)
  const breakpoint = useBreakpoint()
  const [params, setParams] = useSearchParams()
  const { column: sortedId, isDescending = false } = sortOf(params) ?? {}
  const unitTable = useMemo((): UnitTable => {
    const columns = columnsFor(breakpoint, chosen)
    return {
      columns,
      sort: sortedId === undefined ? undefined : { column: sortedId, isDescending },
      sortColumn: columns.find(({ id }) => id === sortedId),
    }
  }, [breakpoint, chosen, sortedId, isDescending])
  const onSort = (next: UnitSort | undefined): void => setParams(now => withSort(now, next), AT_ONCE)
  const headings = sortHeadings(unitTable.columns, unitTable.sort, onSort)
  return { table: unitTable, headings }
}

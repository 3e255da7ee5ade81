import { useSelector } from '../../hooks/use-selector.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { unitStatistics } from '../../../folding/unit/statistics.ts'
import { filterChoices, filterRows, sortRows, type UnitRow, type UnitSort } from '../../../folding/unit/unit-rows.ts'
import { selectRows } from '../../../machines/units/history/history.selectors.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useHistoryOf } from '../../hooks/use-ppd-history.ts'
import { sortOf, withSort } from '../machines/view-params.ts'
import { filterOf } from './units-params.ts'

const MINUTE = 60_000

type Units = {
  /** The whole history. */
  readonly all: readonly UnitRow[]
  /** What matches the filter, newest first. */
  readonly matching: readonly UnitRow[]
  /** `matching`, sorted. */
  readonly shown: readonly UnitRow[]
  readonly choices: ReturnType<typeof filterChoices>
  readonly statistics: ReturnType<typeof unitStatistics>
  readonly sort: UnitSort | undefined
  readonly onSort: (sort: UnitSort | undefined) => void
}

/** The history, filtered and sorted by the search parameters. Each part is recomputed only when its input has changed. */
export function useUnits(): Units {
  const { history } = useSystem()
  useHistoryOf('units', 'all')
  const all = useSelector(history, selectRows)
  const [params, setParams] = useSearchParams()
  const search = params.toString()
  const filter = useMemo(() => filterOf(new URLSearchParams(search)), [search])
  const sort = useMemo(() => sortOf(new URLSearchParams(search)), [search])
  // A filter by days depends on the time; once a minute is exact enough. Without one, nothing depends on it.
  const minute = useClock(now => (filter.days === undefined ? 0 : Math.floor(now / MINUTE)))
  const matching = useMemo(() => filterRows(all, filter, minute * MINUTE), [all, filter, minute])
  return {
    all,
    matching,
    shown: useMemo(() => sortRows(matching, sort), [matching, sort]),
    choices: useMemo(() => filterChoices(all), [all]),
    statistics: useMemo(() => unitStatistics(matching), [matching]),
    sort,
    // At once, so that the address never has an order that is not shown.
    onSort: next => setParams(now => withSort(now, next), { replace: true, preventScrollReset: true, flushSync: true }),
  }
}

import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { formatDifference, formatNumber, formatValue } from '../../../folding/shared/format.ts'
import { sortByValue } from '../../../folding/unit/sorting.ts'
import { benchmarksOf, type Benchmark } from '../../../folding/unit/statistics.ts'
import { formatInterval } from '../../../folding/shared/times.ts'
import type { SortValue } from '../../../folding/unit/unit-column.ts'
import type { UnitRow, UnitSort } from '../../../folding/unit/unit-rows.ts'
import { Link } from '../../parts/actions/link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import styles from './benchmark-grid.module.css'
import { withBenchmark } from './units-params.ts'
import { WindowedGrid, type GridColumn } from './windowed-grid.tsx'

const USUAL: UnitSort = { column: 'project', isDescending: false }

/** The whole row leads to its units. */
const Project = ({ benchmark }: { benchmark: Benchmark }) => {
  const [params] = useSearchParams()
  const units = t`Show the units of project ${benchmark.project} on ${formatValue(benchmark.resources)}`
  return (
    <Link
      to={{ search: withBenchmark(params, benchmark).toString() }}
      aria-label={units}
      title={units}
      className={styles['link']}
    >
      {benchmark.project}
    </Link>
  )
}

type BenchmarkColumn = GridColumn<Benchmark> & { readonly value: (benchmark: Benchmark) => SortValue }

const text = (id: 'resources' | 'core', title: string, hint: string): BenchmarkColumn => ({
  id,
  title,
  hint,
  kind: 'text',
  align: 'start',
  value: benchmark => benchmark[id],
  cell: benchmark => <span title={formatValue(benchmark[id])}>{formatValue(benchmark[id])}</span>,
})

const number = (
  id: 'count' | 'averageTpf' | 'fastestTpf' | 'slowestTpf' | 'latestTpf' | 'averagePpd' | 'relativePpd',
  title: string,
  hint: string,
  show: (value: number | undefined) => string,
): BenchmarkColumn => ({
  id,
  title,
  hint,
  kind: 'number',
  align: 'end',
  value: benchmark => benchmark[id],
  cell: benchmark => show(benchmark[id]),
})

const columns: readonly BenchmarkColumn[] = [
  {
    id: 'project',
    title: t`Project`,
    hint: t`The project that the work belongs to`,
    kind: 'number',
    align: 'end',
    value: ({ project }) => project,
    cell: benchmark => <Project benchmark={benchmark} />,
  },
  text('resources', t`Resources`, t`CPUs and GPUs that computed it`),
  text('core', t`Core`, t`The programme that computed it`),
  number('count', t`Units`, t`How many units it is of`, formatNumber),
  number('averageTpf', t`Average TPF`, t`Time per frame, on average`, formatInterval),
  number('fastestTpf', t`Fastest TPF`, t`The shortest time per frame`, formatInterval),
  number('slowestTpf', t`Slowest TPF`, t`The longest time per frame`, formatInterval),
  number('latestTpf', t`Latest TPF`, t`Time per frame of the unit that ended last`, formatInterval),
  number('averagePpd', t`Average PPD`, t`Points per day, on average`, formatNumber),
  number(
    'relativePpd',
    t`Compared`,
    t`Points per day, compared with what the same resources make of all their projects`,
    times => (times === undefined ? '–' : formatDifference(times)),
  ),
]

type Props = {
  readonly rows: readonly UnitRow[]
  readonly sort: UnitSort | undefined
  readonly onSort: (sort: UnitSort | undefined) => void
}

/** How fast each project is computed on which hardware, of the units that the filter lets through. */
export const BenchmarkGrid = ({ rows, sort, onSort }: Props) => {
  const benchmarks = useMemo(() => benchmarksOf(rows), [rows])
  const shown = useMemo(() => {
    const column = columns.find(({ id }) => id === sort?.column)
    return column === undefined || sort === undefined
      ? benchmarks
      : sortByValue(benchmarks, column.value, sort.isDescending)
  }, [benchmarks, sort])
  if (shown.length === 0) return <EmptyState icon="units" title={t`No matching work units.`} />
  return (
    <WindowedGrid
      label={t`Benchmarks`}
      columns={columns}
      rows={shown}
      keyOf={({ key }) => key}
      sort={sort ?? USUAL}
      onSort={onSort}
      className={styles['benchmarks']}
    />
  )
}

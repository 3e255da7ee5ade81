import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { formatDifference, formatNumber, formatValue } from '../../../folding/format.ts'
import { sortByValue } from '../../../folding/sorting.ts'
import { benchmarksOf, type Benchmark } from '../../../folding/statistics.ts'
import { formatInterval } from '../../../folding/times.ts'
import type { SortValue } from '../../../folding/unit-column.ts'
import type { UnitRow, UnitSort } from '../../../folding/unit-rows.ts'
import { Link } from '../../parts/actions/link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import styles from './benchmark-grid.module.css'
import { withBenchmark } from './units-params.ts'
import { WindowedGrid, type GridColumn } from './windowed-grid.tsx'

const USUAL: UnitSort = { column: 'project', isDescending: false }

/** The whole row leads to its units. */
const Project = ({ benchmark }: { benchmark: Benchmark }) => {
  const [params] = useSearchParams()
  const units = `Show the units of project ${benchmark.project} on ${formatValue(benchmark.resources)}`
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
    title: 'Project',
    hint: 'The project that the work belongs to',
    kind: 'number',
    align: 'end',
    value: ({ project }) => project,
    cell: benchmark => <Project benchmark={benchmark} />,
  },
  text('resources', 'Resources', 'CPUs and GPUs that computed it'),
  text('core', 'Core', 'The programme that computed it'),
  number('count', 'Units', 'How many units it is of', formatNumber),
  number('averageTpf', 'Average TPF', 'Time per frame, on average', formatInterval),
  number('fastestTpf', 'Fastest TPF', 'The shortest time per frame', formatInterval),
  number('slowestTpf', 'Slowest TPF', 'The longest time per frame', formatInterval),
  number('latestTpf', 'Latest TPF', 'Time per frame of the unit that ended last', formatInterval),
  number('averagePpd', 'Average PPD', 'Points per day, on average', formatNumber),
  number(
    'relativePpd',
    'Compared',
    'Points per day, compared with what the same resources make of all their projects',
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
  if (shown.length === 0) return <EmptyState icon="units" title="No matching work units." />
  return (
    <WindowedGrid
      label="Benchmarks"
      columns={columns}
      rows={shown}
      keyOf={({ key }) => key}
      sort={sort ?? USUAL}
      onSort={onSort}
      className={styles['benchmarks']}
    />
  )
}

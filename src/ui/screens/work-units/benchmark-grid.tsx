import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { formatDifference, formatNumber, formatValue, formatWholePercent } from '../../../folding/text/format.ts'
import { NARROW_WIDTH } from '../../../folding/unit/column-sets.ts'
import { sortByValue } from '../../../folding/unit/sorting.ts'
import { benchmarksOf, type Benchmark } from '../../../folding/unit/statistics.ts'
import { GUESS_HINT, withOrigin } from '../../../folding/power/power-text.ts'
import type { BenchmarkEfficiency } from '../../../folding/power/benchmark-power.ts'
import { formatInterval } from '../../../folding/text/times.ts'
import type { SortValue } from '../../../folding/unit/unit-column.ts'
import type { UnitRow, UnitSort } from '../../../folding/unit/unit-rows.ts'
import { useBreakpoint } from '../../hooks/use-breakpoint.ts'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useBenchmarkPower } from '../../power/use-benchmark-power.ts'
import { WhenLoaded } from '../when-loaded.tsx'
import styles from './benchmark-grid.module.css'
import { withBenchmark } from './units-params.ts'
import { WindowedGrid, type GridColumn } from './windowed-grid.tsx'

const DEFAULT_SORT: UnitSort = { column: 'project', isDescending: false }

/** A link to the units of the benchmark; its clickable area is the whole row. */
function Project({ benchmark }: { benchmark: Benchmark }) {
  const [params] = useSearchParams()
  const label = t`Show work units of project ${String(benchmark.project)} on ${formatValue(benchmark.resources)}`
  return (
    <Link
      to={{ search: withBenchmark(params, benchmark).toString() }}
      aria-label={label}
      title={label}
      className={styles['link']}
    >
      {benchmark.project}
    </Link>
  )
}

type BenchmarkColumn = GridColumn<Benchmark> & { readonly value: (benchmark: Benchmark) => SortValue }

function text(id: 'resources' | 'core', title: string, hint: string): BenchmarkColumn {
  return {
    id,
    title,
    hint,
    kind: 'text',
    align: 'start',
    value: benchmark => benchmark[id],
    cell: benchmark => <span title={formatValue(benchmark[id])}>{formatValue(benchmark[id])}</span>,
  }
}

function number(
  id: 'count' | 'averageTpf' | 'fastestTpf' | 'slowestTpf' | 'latestTpf' | 'averagePpd' | 'relativePpd',
  title: string,
  hint: string,
  show: (value: number | undefined) => string,
): BenchmarkColumn {
  return {
    id,
    title,
    hint,
    kind: 'number',
    align: 'end',
    value: benchmark => benchmark[id],
    cell: benchmark => show(benchmark[id]),
  }
}

const timeColumns: readonly BenchmarkColumn[] = [
  {
    id: 'project',
    title: t`Project`,
    hint: t`The project of the work units`,
    kind: 'number',
    align: 'end',
    value: ({ project }) => project,
    cell: benchmark => <Project benchmark={benchmark} />,
  },
  text('resources', t`Resources`, t`The CPUs and GPUs that computed them`),
  text('core', t`Core`, t`The program that computed them`),
  number('count', t`Units`, t`Number of work units`, formatNumber),
  number('averageTpf', t`Average TPF`, t`Average time per frame`, formatInterval),
  number('fastestTpf', t`Fastest TPF`, t`Shortest time per frame`, formatInterval),
  number('slowestTpf', t`Slowest TPF`, t`Longest time per frame`, formatInterval),
  number('latestTpf', t`Latest TPF`, t`Time per frame of the work unit that finished last`, formatInterval),
  number('averagePpd', t`Average PPD`, t`Average points per day`, formatNumber),
  number(
    'relativePpd',
    t`Compared`,
    t`Points per day compared with the same resources’ average over all their projects`,
    ratio => (ratio === undefined ? '–' : formatDifference(ratio)),
  ),
]

/** On a phone, which has no headings, what a number means is beside it. */
const narrowCells: Readonly<Record<string, (benchmark: Benchmark) => string>> = {
  count: ({ count }) => t`Units: ${formatNumber(count)}`,
  averageTpf: ({ averageTpf }) => t`${formatInterval(averageTpf)} average`,
}
function narrowColumnsOf(columns: readonly BenchmarkColumn[]) {
  return columns.map(column => ({ ...column, cell: narrowCells[column.id] ?? column.cell }))
}

/** Nearer to the power that makers name nothing is said of it. */
const LEAST_DIFFERENCE = 0.03

/** Resources with how much of the power that makers name they are set to, where that is known. */
function withPower(column: BenchmarkColumn, efficiencies: ReadonlyMap<string, BenchmarkEfficiency>): BenchmarkColumn {
  return column.id === 'resources'
    ? {
        ...column,
        cell: benchmark => {
          const part = efficiencies.get(benchmark.key)?.share
          const resources = formatValue(benchmark.resources)
          if (part === undefined || Math.abs(part - 1) < LEAST_DIFFERENCE) return column.cell(benchmark)
          const share = formatWholePercent(part)
          const label = t`${resources} at ${share} power`
          return <span title={label}>{label}</span>
        },
      }
    : column
}

/** How much work for the energy: of the units alone. */
function efficiencyColumn(efficiencies: ReadonlyMap<string, BenchmarkEfficiency>): BenchmarkColumn {
  return {
    id: 'ppkwh',
    title: t`Points/kWh`,
    hint: t`Points per kilowatt hour of the work units alone, without what their machines draw idle`,
    kind: 'number',
    align: 'end',
    value: ({ key }) => efficiencies.get(key)?.pointsPerKwh,
    cell: ({ key }) => {
      const efficiency = efficiencies.get(key)
      return (
        <span {...(efficiency?.origin === 'guess' ? { title: GUESS_HINT } : {})}>
          {withOrigin(formatNumber(efficiency?.pointsPerKwh), efficiency?.origin)}
          <span className={styles['unit']}> {t`Points/kWh`}</span>
        </span>
      )
    },
  }
}

type Props = {
  readonly rows: readonly UnitRow[]
  readonly sort: UnitSort | undefined
  readonly onSort: (sort: UnitSort | undefined) => void
}

function Grid({ rows, sort, onSort }: Props) {
  const isNarrow = useBreakpoint() <= NARROW_WIDTH
  const benchmarks = useMemo(() => benchmarksOf(rows), [rows])
  const efficiencies = useBenchmarkPower(rows)
  const columns = useMemo(
    () => [...timeColumns.map(column => withPower(column, efficiencies)), efficiencyColumn(efficiencies)],
    [efficiencies],
  )
  const shown = useMemo(() => {
    const column = columns.find(({ id }) => id === sort?.column)
    return column === undefined || sort === undefined
      ? benchmarks
      : sortByValue(benchmarks, column.value, sort.isDescending)
  }, [benchmarks, columns, sort])
  if (shown.length === 0) return <EmptyState icon="units" title={t`No matching work units.`} />
  return (
    <WindowedGrid
      label={t`Benchmarks`}
      columns={isNarrow ? narrowColumnsOf(columns) : columns}
      rows={shown}
      keyOf={({ key }) => key}
      sort={sort ?? DEFAULT_SORT}
      onSort={onSort}
      className={styles['benchmarks']}
    />
  )
}

/** How fast and for how much energy each project runs on which hardware, computed from the units that match the filter. */
export function BenchmarkGrid(props: Props) {
  return (
    <WhenLoaded part="power" what={t`Benchmarks`}>
      <Grid {...props} />
    </WhenLoaded>
  )
}

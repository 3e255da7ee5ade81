import { t } from '@lingui/core/macro'
import { pathPart } from '../../../folding/address/web-address.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Link } from 'react-router-dom'
import type { ColumnSizes } from '../../../folding/unit/column-grid.ts'
import { columnsOf, HISTORY_COLUMNS } from '../../../folding/unit/column-sets.ts'
import { formatNumber, formatPercent, formatValue } from '../../../folding/text/format.ts'
import { formatBothClocks, formatInterval, formatIso, formatLocalShort } from '../../../folding/text/times.ts'
import { textWidth } from '../../../folding/text/text-width.ts'
import type { UnitRow, UnitSort } from '../../../folding/unit/unit-rows.ts'
import { STATUS_WIDTH, statusAppearance, unitStatus } from '../../../folding/unit/unit-status.ts'
import { isHistoryAwaited } from '../../../machines/units/history/history.selectors.ts'
import { openRowLink } from '../row-link.ts'
import { IconLink } from '../../parts/actions/icon-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './history-grid.module.css'
import { WindowedGrid, type GridColumn } from './windowed-grid.tsx'

/** Newest assignment first (docs/product.md §2). */
const DEFAULT_SORT: UnitSort = { column: 'assign-time', isDescending: true }

function Status({ unit }: UnitRow) {
  const { icon, tone, label, lang } = statusAppearance(unitStatus(unit, undefined, 0))
  return <StatusMark icon={icon} tone={tone} text={label} lang={lang} />
}

function AssignTime({ assigned }: UnitRow) {
  return (
    <time dateTime={formatIso(assigned)} {...(assigned === undefined ? {} : { title: formatBothClocks(assigned) })}>
      {formatLocalShort(assigned)}
    </time>
  )
}

/** Leads to the unit's page, and so does its row. */
function Project({ project, unit: { id } }: UnitRow) {
  return id === undefined ? (
    formatValue(project)
  ) : (
    <Link to={`/unit/${pathPart(id)}`} data-row-link="" className={styles['link']}>
      {formatValue(project)}
    </Link>
  )
}

/** Points that were credited, with the machine's estimate on hover; without them the estimate. */
function Credit({ credited, estimated }: UnitRow) {
  if (estimated === undefined) return credited === undefined ? '' : formatNumber(credited)
  return credited === undefined ? (
    <span className="quiet" title={t`Points by the machine’s own points per day and run time`}>
      {`~${formatNumber(Math.round(estimated))}`}
    </span>
  ) : (
    <span title={t`Estimated: ${formatNumber(Math.round(estimated))} points.`}>{formatNumber(credited)}</span>
  )
}

/** Cut off when too long, complete on hover. */
function cutText(text: string) {
  return <bdi title={text}>{text}</bdi>
}

const cells: Readonly<Record<string, Pick<GridColumn<UnitRow>, 'cell' | 'kind'>>> = {
  machine: { kind: 'text', cell: ({ machine: client }) => cutText(formatValue(client)) },
  project: { kind: 'number', cell: row => <Project {...row} /> },
  core: { kind: 'text', cell: ({ core }) => <bdi>{formatValue(core)}</bdi> },
  os: { kind: 'text', cell: ({ os }) => <bdi>{formatValue(os)}</bdi> },
  status: { kind: 'text', cell: row => <Status {...row} /> },
  progress: { kind: 'number', cell: ({ progress }) => formatPercent(progress) },
  tpf: { kind: 'number', cell: ({ tpf }) => formatInterval(tpf) },
  ppd: { kind: 'number', cell: ({ ppd }) => formatNumber(ppd) },
  'assign-time': { kind: 'time', cell: row => <AssignTime {...row} /> },
}

const columns: readonly GridColumn<UnitRow>[] = [
  ...columnsOf(HISTORY_COLUMNS).flatMap(column => {
    const cell = cells[column.id]
    return cell === undefined ? [] : [{ ...column, ...cell }]
  }),
  {
    id: 'credited',
    title: t({ message: 'Credited', context: 'points' }),
    hint: t`Points that the project’s servers logged for your donor name`,
    align: 'end',
    kind: 'number',
    cell: row => <Credit {...row} />,
  },
]

/** The longest texts of columns that are cut where they do not fit. */
const sizes: ColumnSizes = {
  '--longest-status': `${STATUS_WIDTH}ch`,
  '--longest-tpf': `${textWidth(formatInterval(3599))}ch`,
  '--longest-time': `${textWidth(formatLocalShort(new Date(2000, 10, 28, 22, 58).getTime()))}ch`,
}

const info = {
  title: t`Details`,
  render: ({ unit: { id } }: UnitRow) =>
    id === undefined ? undefined : (
      <IconLink to={`/unit/${pathPart(id)}`} icon="info" label={t`View Work Unit details`} />
    ),
}

type Props = {
  readonly rows: readonly UnitRow[]
  readonly sort: UnitSort | undefined
  readonly onSort: (sort: UnitSort | undefined) => void
}

/** The work units that match the filter. */
export function HistoryGrid({ rows, sort, onSort }: Props) {
  const isAwaited = useSelector(useSystem().history, isHistoryAwaited)
  if (rows.length === 0) return isAwaited ? <Skeleton label={t`Loading history…`} shape="table" /> : <NoUnits />
  return (
    <div onClick={openRowLink} style={sizes}>
      <WindowedGrid
        label={t`Recent Work Unit History`}
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        sort={sort ?? DEFAULT_SORT}
        onSort={onSort}
        action={info}
        className={styles['history']}
      />
    </div>
  )
}

function NoUnits() {
  return (
    <EmptyState icon="units" title={t`No matching work units.`}>
      <p>{t`Work units that your machines complete are collected here, even after the machines have discarded them.`}</p>
    </EmptyState>
  )
}

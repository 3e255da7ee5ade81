import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { formatValue, UNKNOWN } from '../../../../folding/text/format.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import type { UnitColumn } from '../../../../folding/unit/unit-column.ts'
import { UNIT_COLUMNS } from '../../../../folding/unit/unit-columns.ts'
import { projectOf } from '../../../../folding/unit/unit-progress.ts'
import { selectNow } from '../../../../machines/app/clock/clock.selectors.ts'
import { isCompact } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { selectId, selectName } from '../../../../machines/connection/client/client.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { classNames } from '../../../parts/class-names.ts'
import { EmptyState } from '../../../parts/display/empty-state.tsx'
import { ClientContext, effectiveNow, useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { contextOf, selectUnit } from '../units/unit-access.ts'
import { ProgressOnly, UnitStatus } from '../units/unit-cell.tsx'
import { UnitLines } from '../units/unit-lines.tsx'
import { UnitMenuPopover } from '../units/unit-menu-popover.tsx'
import { useUnitAt } from '../units/use-unit.ts'
import { DataGrid } from './data-grid.tsx'
import styles from './data-grid.module.css'
import { useFleetUnits, type FleetUnit } from './fleet-units.ts'
import { useGridTable } from './grid-table.ts'
import type { RowColumn } from './grid-row.tsx'
import { useGridSettings } from './grid-settings.ts'
import { textHint } from './grid-column.ts'
import { GridTools } from './grid-tools.tsx'
import { RowAge } from './row-age.tsx'
import { useRowOrder, type HeldRows } from './use-row-order.ts'
import { useWatchedClients } from './use-watched-clients.ts'

/** The column that names a unit: always shown. */
const FIRST = 'project'

/** What people look for comes first: when it is ready, how fast it is, and on which GPU. */
const DEFAULTS: readonly string[] = [
  ...['project', 'machine', 'status', 'progress', 'eta', 'tpf', 'gpus-text', 'ppd', 'cpus', 'deadline', 'timeout'],
  ...['core', 'run-time', 'base-credit', 'assign-time', 'rcg', 'group-name', 'number'],
]
const PHONE_COLUMNS: readonly string[] = ['project', 'machine', 'status', 'eta']

type CellProps = { readonly unit: string; readonly column: UnitColumn }

function TextCell({ unit, column }: CellProps) {
  const text = useUnitAt(unit, column.text)
  const detail = useUnitAt(unit, (found, context) => column.detail?.(found, context))
  const isStale = useUnitAt(unit, (found, context) => column.isStale?.(found, context)) ?? false
  const isLate = useUnitAt(unit, (found, context) => column.isLate?.(found, context)) ?? false
  return (
    <bdi
      title={detail ?? textHint(text)}
      className={classNames('cut', text === UNKNOWN && 'quiet', isLate ? styles['late'] : isStale && styles['stale'])}
    >
      {text}
    </bdi>
  )
}

function StatusCell({ unit, column }: CellProps) {
  const detail = useUnitAt(unit, (found, context) => column.detail?.(found, context))
  return (
    <span title={detail} className="flex gap-1 shrink">
      <UnitStatus unit={unit} />
      <RowAge client={useClient()} />
    </span>
  )
}

function ProjectCell({ unit, column, tabIndex }: CellProps & { tabIndex: 0 | -1 }) {
  const id = useUnitAt(unit, found => found.id)
  const text = useUnitAt(unit, column.text)
  return id === undefined ? (
    <span tabIndex={tabIndex}>
      <bdi>{text}</bdi>
    </span>
  ) : (
    <Link to={`/unit/${pathPart(id)}`} tabIndex={tabIndex} className={styles['link']}>
      <bdi>{text}</bdi>
    </Link>
  )
}

function ClientCell({ tabIndex }: { tabIndex: 0 | -1 }) {
  const name = useClientSelector(selectName)
  const id = useClientSelector(selectId)
  return (
    <Link to={`/${pathPart(id)}`} tabIndex={tabIndex} title={name} className={styles['link']}>
      <bdi>{name}</bdi>
    </Link>
  )
}

function UnitGridCell({ unit, column, tabIndex }: CellProps & { tabIndex: 0 | -1 }) {
  if (column.id === FIRST) return <ProjectCell unit={unit} column={column} tabIndex={tabIndex} />
  if (column.id === 'machine') return <ClientCell tabIndex={tabIndex} />
  if (column.id === 'status') return <StatusCell unit={unit} column={column} />
  if (column.id === 'progress') return <ProgressOnly unit={unit} />
  return <TextCell unit={unit} column={column} />
}

const gridColumns: readonly RowColumn<FleetUnit>[] = UNIT_COLUMNS.map(column => ({
  id: column.id,
  title: column.title,
  hint: column.hint,
  align: column.id === 'progress' ? 'start' : column.align,
  width: column.id === 'status' ? column.width + 9 : column.width,
  hasControl: column.id === FIRST || column.id === 'machine',
  cell: ({ client, unit }, tabIndex) => (
    <ClientContext value={client}>
      <UnitGridCell unit={unit} column={column} tabIndex={tabIndex} />
    </ClientContext>
  ),
}))

const columnIds = UNIT_COLUMNS.map(({ id }) => id)
const table = { which: 'unitColumns', columnIds, defaults: DEFAULTS, first: FIRST } as const

function keyOf({ key }: FleetUnit): string {
  return key
}

function nameOf({ client, unit }: FleetUnit): string {
  const snapshot = client.getSnapshot()
  const found = selectUnit(unit)(snapshot)
  const project = formatValue(found === undefined ? undefined : projectOf(found))
  const machine = selectName(snapshot)
  return t`unit ${unit}, project ${project}, on ${machine}`
}

/** The work units of all shown clients, one row each, which opens to all that is known of the unit. */
export function UnitGrid({ ids }: { ids: readonly string[] }) {
  const { clock, preferences } = useSystem()
  const navigate = useNavigate()
  const { rows, keys: allKeys } = useFleetUnits(ids)
  const settings = useGridSettings(table)
  const isPageCompact = useSelector(preferences, isCompact)
  const [held] = useState((): HeldRows => ({ pointed: undefined, focused: undefined }))
  const byKey = useMemo(() => new Map(rows.map(row => [row.key, row])), [rows])
  const watch = useWatchedClients()
  const current = useRef(byKey)
  useEffect(() => void (current.current = byKey), [byKey])
  const onRowsInView = useCallback(
    (inView: readonly string[]) => watch(inView.flatMap(key => current.current.get(key)?.client ?? [])),
    [watch],
  )
  const { sorts } = settings
  const sortKeys = useMemo(
    () =>
      sorts.flatMap(({ column: id, isDescending }) => {
        const column = UNIT_COLUMNS.find(other => other.id === id)
        if (column === undefined) return []
        const valueOf = ({ client, unit }: FleetUnit) => {
          const snapshot = client.getSnapshot()
          const found = selectUnit(unit)(snapshot)
          const now = effectiveNow(snapshot, selectNow(clock.getSnapshot()))
          return found === undefined ? undefined : column.value(found, contextOf(snapshot, now))
        }
        return [{ column, valueOf, isDescending }]
      }),
    [sorts, clock],
  )
  const keys = useRowOrder({ rows, keyOf, keys: allKeys, sorts: sortKeys, held })
  const grid = useGridTable({ keys, columns: gridColumns, ...settings })
  const open = (key: string): void => {
    const row = byKey.get(key)
    const id = row === undefined ? undefined : selectUnit(row.unit)(row.client.getSnapshot())?.id
    if (id !== undefined) void navigate(`/unit/${pathPart(id)}`)
  }
  if (keys.length === 0) return <EmptyState icon="units" title={t`No work units.`} />
  return (
    <GridTools columns={gridColumns} settings={settings} isCompact={isPageCompact}>
      <DataGrid
        label={t`Work units`}
        table={grid}
        phoneColumns={PHONE_COLUMNS}
        keys={keys}
        rowOf={key => byKey.get(key)}
        nameOf={nameOf}
        density={settings.density}
        detail={key => {
          const row = byKey.get(key)
          return row === undefined ? undefined : (
            <ClientContext value={row.client}>
              <UnitLines unit={row.unit} shown={[]} />
            </ClientContext>
          )
        }}
        menu={(key, trigger, close) => {
          const row = byKey.get(key)
          return row === undefined ? undefined : (
            <ClientContext value={row.client}>
              <UnitMenuPopover unit={row.unit} label={t`Actions`} trigger={trigger} onClose={close} />
            </ClientContext>
          )
        }}
        onPress={open}
        held={held}
        onRowsInView={onRowsInView}
        onResize={settings.onResize}
        onMove={settings.onMove}
        onStep={settings.onStep}
      />
    </GridTools>
  )
}

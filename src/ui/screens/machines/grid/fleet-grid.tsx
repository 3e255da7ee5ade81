import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import {
  DEFAULT_CLIENT_COLUMNS,
  HISTORY_COLUMNS,
  POWER_COLUMNS,
  CLIENT_COLUMNS,
  CLIENT_NAME_COLUMN,
  CLIENT_STATE_COLUMN,
  PPD_TREND_COLUMN,
  type ClientColumn,
} from '../../../../folding/fleet/client-columns.ts'
import type { ClientFacts } from '../../../../folding/fleet/client-facts.ts'
import { formatNumber, UNKNOWN } from '../../../../folding/text/format.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { columnsFor } from '../../../../folding/unit/column-sets.ts'
import { columnSizes } from '../../../../folding/unit/column-grid.ts'
import { isCompact, selectColumns } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { isTooOldForActions } from '../../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { selectSelectedSet } from '../../../../machines/fleet/selection/selection.selectors.ts'
import { useFleetFacts } from '../../../hooks/use-fleet-facts.ts'
import { useClock, useSystem } from '../../../hooks/system-context.ts'
import type { System } from '../../../../machines/app/system.ts'
import { classNames } from '../../../parts/class-names.ts'
import tones from '../../../parts/display/tones.module.css'
import { Icon } from '../../../parts/icons/icon.tsx'
import { MenuPopover, type MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { PpdTrend } from '../charts/ppd-trend.tsx'
import { FleetMember } from '../panels/fleet-member.tsx'
import { controls } from '../client/fold-controls.tsx'
import { requestState } from '../client/request-state.ts'
import { stateBlocker } from '../client/state-blocker.ts'
import { clientMenu } from '../client/client-menu.tsx'
import { UnitTableProvider } from '../units/unit-table.ts'
import { useBreakpoint } from '../../../hooks/use-breakpoint.ts'
import { usePowerCode } from '../../../power/power-code.ts'
import { DataGrid } from './data-grid.tsx'
import styles from './data-grid.module.css'
import { useGridTable } from './grid-table.ts'
import type { RowColumn } from './grid-row.tsx'
import { useGridSettings } from './grid-settings.ts'
import { textHint } from './grid-column.ts'
import { GridTools } from './grid-tools.tsx'
import { RowAge } from './row-age.tsx'
import { useRowOrder, type HeldRows } from './use-row-order.ts'
import { useWatchedClients } from './use-watched-clients.ts'

type CellProps = { readonly facts: ClientFacts; readonly column: ClientColumn }

/** A text that changes with the time alone. */
function TimedText({ facts, column }: CellProps) {
  return <>{useClock(now => column.text(facts, now))}</>
}

function Age({ id }: { readonly id: string }) {
  const client = useSelector(useSystem().fleet, selectClientRef(id))
  return client === undefined ? null : <RowAge client={client} />
}

function Cell({ facts, column }: CellProps) {
  const title = column.detail?.(facts)
  const counts = facts.isConnected ? column.counts?.(facts) : undefined
  if (counts !== undefined && counts.length > 0)
    return (
      <span className={styles['counts']}>
        {counts.map(({ tone, icon, count, label }) => (
          <span key={tone} title={label} className={classNames(styles['mark'], tones[tone])}>
            <Icon name={icon} />
            <span aria-hidden="true">{formatNumber(count)}</span>
            <span className="visually-hidden">{label}</span>
          </span>
        ))}
      </span>
    )
  const look = column.look?.(facts)
  const text = column.isTimed === true ? <TimedText facts={facts} column={column} /> : column.text(facts, 0)
  if (look !== undefined)
    return (
      <span title={title} className={classNames(styles['mark'], tones[look.tone])}>
        <Icon name={look.icon} />
        <bdi>{text}</bdi>
        {column.id === CLIENT_STATE_COLUMN ? <Age id={facts.id} /> : undefined}
      </span>
    )
  return (
    <bdi
      title={title ?? textHint(text)}
      className={classNames('cut', !facts.isConnected && styles['stale'], text === UNKNOWN && 'quiet')}
    >
      {text}
    </bdi>
  )
}

/** The cells of a column. One that is added with a component of its own, such as a chart, gets an entry here. */
const gridColumns: readonly RowColumn<ClientFacts>[] = CLIENT_COLUMNS.map(column => ({
  id: column.id,
  title: column.title,
  hint: column.hint,
  align: column.align,
  width: column.width,
  hasControl: column.id === CLIENT_NAME_COLUMN,
  cell: (facts, tabIndex) =>
    column.id === CLIENT_NAME_COLUMN ? (
      <Link to={`/${pathPart(facts.id)}`} tabIndex={tabIndex} title={column.detail?.(facts)} className={styles['link']}>
        <bdi>{facts.name}</bdi>
      </Link>
    ) : column.id === PPD_TREND_COLUMN ? (
      <PpdTrend client={facts.machine} />
    ) : (
      <Cell facts={facts} column={column} />
    ),
}))

const columnIds = CLIENT_COLUMNS.map(({ id }) => id)
const table = {
  which: 'machineColumns',
  columnIds,
  defaults: DEFAULT_CLIENT_COLUMNS,
  first: CLIENT_NAME_COLUMN,
} as const
const PHONE_COLUMNS: readonly string[] = ['name', 'state', 'ppd', 'next-finish']

function keyOf({ id }: ClientFacts): string {
  return id
}
function nameOf({ name }: ClientFacts): string {
  return name
}

/** The panel that an open row shows, with the columns of units that suit the window. */
function OpenPanel({ id }: { id: string }) {
  const chosen = useSelector(useSystem().preferences, selectColumns)
  const breakpoint = useBreakpoint()
  const unitTable = useMemo(
    () => ({ columns: columnsFor(breakpoint, chosen), sort: undefined, sortColumn: undefined }),
    [breakpoint, chosen],
  )
  return (
    <UnitTableProvider value={unitTable}>
      <div className={styles['sheet']} style={columnSizes(unitTable.columns)}>
        <FleetMember id={id} canCollapse={false} />
      </div>
    </UnitTableProvider>
  )
}

/** Fold, pause and finish, which panels have as buttons. */
function stateEntries(client: ClientRef, system: System): readonly MenuEntry[] {
  if (isTooOldForActions(client.getSnapshot())) return []
  return controls.map(({ state, word, icon }) => ({
    id: `state ${state}`,
    label: word,
    icon,
    blockedBecause: stateBlocker(client, system, state),
  }))
}

function RowMenu({
  id,
  trigger,
  onClose,
}: {
  id: string
  trigger: { readonly current: HTMLElement }
  onClose: () => void
}) {
  const system = useSystem()
  const { fleet } = system
  const navigate = useNavigate()
  const client = useSelector(fleet, selectClientRef(id))
  if (client === undefined) return null
  const menu = clientMenu(client, system, navigate)
  const entries = [
    ...stateEntries(client, system),
    ...menu
      .entries()
      .filter(entry => entry.id !== 'pause')
      .map((entry, at) => (at === 0 ? { ...entry, startsGroup: true } : entry)),
  ]
  const choose = (action: string): void => {
    const asked = controls.find(({ state }) => action === `state ${state}`)
    if (asked === undefined) menu.choose(action)
    else requestState(client, system, asked.state)
  }
  return <MenuPopover label={t`Actions`} entries={entries} trigger={trigger} onChoose={choose} onClose={onClose} />
}

function useSelection() {
  const { selection } = useSystem()
  const ids = useSelector(selection, selectSelectedSet)
  return useMemo(
    () => ({
      ids,
      onToggle: (id: string) => selection.send({ type: 'selection.toggle', id }),
      onExtend: (id: string, order: readonly string[]) => selection.send({ type: 'selection.extend', id, order }),
      onAll: (all: readonly string[]) => selection.send({ type: 'selection.selectAll', ids: all }),
      onClear: () => selection.send({ type: 'selection.clear' }),
    }),
    [selection, ids],
  )
}

/** Has the clients in view report first, and asked for their history where a shown column needs it. */
function useClientsInView(shown: readonly string[]): (ids: readonly string[]) => void {
  const { fleet, history } = useSystem()
  const watch = useWatchedClients()
  const showsHistory = shown.some(id => HISTORY_COLUMNS.has(id))
  return useCallback(
    (ids: readonly string[]): void => {
      watch(ids.flatMap(id => selectClientRef(id)(fleet.getSnapshot()) ?? []))
      if (!showsHistory) return
      if (ids.length > 0) history.send({ type: 'history.open' })
      history.send({ type: 'history.want', reader: 'grid', machines: ids })
    },
    [fleet, history, watch, showsHistory],
  )
}

/** All shown clients, one row each, which opens to the client's panel. */
export function FleetGrid({ ids }: { ids: readonly string[] }) {
  const facts = useFleetFacts(ids)
  const settings = useGridSettings(table)
  usePowerCode(settings.shown.ids.some(id => POWER_COLUMNS.has(id)))
  const isPageCompact = useSelector(useSystem().preferences, isCompact)
  const selection = useSelection()
  const [held] = useState((): HeldRows => ({ pointed: undefined, focused: undefined }))
  const byId = useMemo(() => new Map(facts.map(client => [client.id, client])), [facts])
  const { sorts } = settings
  const sortKeys = useMemo(
    () =>
      sorts.flatMap(({ column, isDescending }) => {
        const found = CLIENT_COLUMNS.find(({ id }) => id === column)
        return found === undefined ? [] : [{ column: found, valueOf: found.value, isDescending }]
      }),
    [sorts],
  )
  const keys = useRowOrder({ rows: facts, keyOf, keys: ids, sorts: sortKeys, held })
  const grid = useGridTable({ keys, columns: gridColumns, ...settings })
  return (
    <GridTools columns={gridColumns} settings={settings} isCompact={isPageCompact}>
      <DataGrid
        label={t`Machines`}
        table={grid}
        phoneColumns={PHONE_COLUMNS}
        keys={keys}
        rowOf={id => byId.get(id)}
        nameOf={nameOf}
        density={settings.density}
        detail={id => <OpenPanel id={id} />}
        menu={(id, trigger, close) => <RowMenu id={id} trigger={trigger} onClose={close} />}
        selection={selection}
        held={held}
        onRowsInView={useClientsInView(settings.shown.ids)}
        onResize={settings.onResize}
        onMove={settings.onMove}
        onStep={settings.onStep}
      />
    </GridTools>
  )
}

import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useCallback, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { actionBlocker } from '../../../../folding/client/actions.ts'
import { finishBlocker } from '../../../../folding/client/finishing.ts'
import {
  DEFAULT_MACHINE_COLUMNS,
  HISTORY_COLUMNS,
  MACHINE_COLUMNS,
  MACHINE_NAME_COLUMN,
  PPD_TREND_COLUMN,
  type MachineColumn,
} from '../../../../folding/fleet/client-columns.ts'
import type { MachineFacts } from '../../../../folding/fleet/client-facts.ts'
import { pathPart } from '../../../../folding/shared/web-address.ts'
import { columnsFor } from '../../../../folding/unit/column-sets.ts'
import { columnSizes } from '../../../../folding/unit/column-grid.ts'
import { isCompact, selectColumns } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { isTooOldForActions, selectData, selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { selectSelectedSet } from '../../../../machines/fleet/selection/selection.selectors.ts'
import type { FoldingState } from '../../../../protocol/commands.ts'
import { useFleetFacts } from '../../../hooks/use-fleet-facts.ts'
import { useClock, useSystem } from '../../../hooks/system-context.ts'
import { classNames } from '../../../parts/class-names.ts'
import tones from '../../../parts/display/tones.module.css'
import { Icon } from '../../../parts/icons/icon.tsx'
import { MenuPopover, type MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { PpdTrend } from '../charts/ppd-trend.tsx'
import { FleetMember } from '../fleet/fleet-member.tsx'
import { machineMenu } from '../panel/client-menu.tsx'
import { UnitTableProvider } from '../units/unit-table.ts'
import { useBreakpoint } from '../../../hooks/use-breakpoint.ts'
import { DataGrid } from './data-grid.tsx'
import styles from './data-grid.module.css'
import { useGridColumns } from './grid-columns.ts'
import type { RowColumn } from './grid-row.tsx'
import { useGridSettings } from './grid-settings.ts'
import { GridTools } from './grid-tools.tsx'
import { useRowOrder, type HeldRows } from './use-row-order.ts'

type CellProps = { readonly facts: MachineFacts; readonly column: MachineColumn }

/** A text that changes with the time alone. */
const TimedText = ({ facts, column }: CellProps) => <>{useClock(now => column.text(facts, now))}</>

const Cell = ({ facts, column }: CellProps) => {
  const title = column.detail?.(facts)
  const counts = facts.isConnected ? column.counts?.(facts) : undefined
  if (counts !== undefined && counts.length > 0)
    return (
      <span className={styles['counts']}>
        {counts.map(({ tone, icon, count, label }) => (
          <span key={tone} title={label} className={classNames(styles['mark'], tones[tone])}>
            <Icon name={icon} />
            <span aria-hidden="true">{count}</span>
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
        <span>{text}</span>
      </span>
    )
  return (
    <span title={title} className={classNames(styles['text'], !facts.isConnected && styles['stale'])}>
      {text}
    </span>
  )
}

/** The cells of a column. One that is added with a component of its own, such as a chart, gets an entry here. */
const gridColumns: readonly RowColumn<MachineFacts>[] = MACHINE_COLUMNS.map(column => ({
  id: column.id,
  title: column.title,
  hint: column.hint,
  align: column.align,
  width: column.width,
  hasControl: column.id === MACHINE_NAME_COLUMN,
  cell: (facts, tabIndex) =>
    column.id === MACHINE_NAME_COLUMN ? (
      <Link
        to={`/${pathPart(facts.id)}/details`}
        tabIndex={tabIndex}
        title={column.detail?.(facts)}
        className={styles['link']}
      >
        <bdi>{facts.name}</bdi>
      </Link>
    ) : column.id === PPD_TREND_COLUMN ? (
      <PpdTrend machine={facts.machine} />
    ) : (
      <Cell facts={facts} column={column} />
    ),
}))

const known = MACHINE_COLUMNS.map(({ id }) => id)
const table = { which: 'machineColumns', known, defaults: DEFAULT_MACHINE_COLUMNS, first: MACHINE_NAME_COLUMN } as const
const PHONE_COLUMNS: readonly string[] = ['name', 'state', 'ppd', 'next-finish']

const keyOf = ({ id }: MachineFacts): string => id
const nameOf = ({ name }: MachineFacts): string => name

/** The panel that an open row shows, with the columns of units that suit the window. */
const OpenPanel = ({ id }: { id: string }) => {
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

const states: readonly { readonly id: FoldingState; readonly label: string; readonly icon: MenuEntry['icon'] }[] = [
  { id: 'fold', label: t`Fold`, icon: 'do-fold' },
  { id: 'pause', label: t`Pause`, icon: 'do-pause' },
  { id: 'finish', label: t`Finish`, icon: 'do-finish' },
]

/** Fold, pause and finish, which panels have as buttons. */
const stateEntries = (client: ClientRef): readonly MenuEntry[] => {
  const snapshot = client.getSnapshot()
  if (isTooOldForActions(snapshot)) return []
  const blocked = actionBlocker('fold', selectView(snapshot))
  return states.map(({ id, label, icon }) => ({
    id: `state ${id}`,
    label,
    icon: icon ?? 'more',
    blockedBecause: blocked ?? (id === 'finish' ? finishBlocker(selectData(snapshot)) : undefined),
  }))
}

const RowMenu = ({
  id,
  trigger,
  onClose,
}: {
  id: string
  trigger: { readonly current: HTMLElement }
  onClose: () => void
}) => {
  const { bulk, dialogs, fleet } = useSystem()
  const navigate = useNavigate()
  const client = useSelector(fleet, selectClientRef(id))
  if (client === undefined) return null
  const menu = machineMenu(client, { bulk, dialogs, fleet, navigate })
  const entries = [
    ...stateEntries(client),
    ...menu
      .entries()
      .filter(entry => entry.id !== 'pause')
      .map((entry, at) => (at === 0 ? { ...entry, startsGroup: true } : entry)),
  ]
  const choose = (action: string): void => {
    const state = states.find(other => action === `state ${other.id}`)
    if (state === undefined) menu.choose(action)
    else client.send({ type: 'client.setState', state: state.id })
  }
  return <MenuPopover label={t`Actions`} entries={entries} trigger={trigger} onChoose={choose} onClose={onClose} />
}

const useSelection = () => {
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

/** Has the machines in view asked for their history where a shown column needs it; undefined where none does. */
const useHistoryInView = (shown: readonly string[]): ((ids: readonly string[]) => void) | undefined => {
  const { history } = useSystem()
  const request = useCallback(
    (machines: readonly string[]): void => {
      if (machines.length > 0) history.send({ type: 'history.open' })
      history.send({ type: 'history.want', reader: 'grid', machines })
    },
    [history],
  )
  return shown.some(id => HISTORY_COLUMNS.has(id)) ? request : undefined
}

/** All shown machines, one row each, which opens to the machine's panel. */
export const FleetGrid = ({ ids }: { ids: readonly string[] }) => {
  const facts = useFleetFacts(ids)
  const settings = useGridSettings(table)
  const isPageCompact = useSelector(useSystem().preferences, isCompact)
  const selection = useSelection()
  const [held] = useState((): HeldRows => ({ pointed: undefined, focused: undefined }))
  const byId = useMemo(() => new Map(facts.map(machine => [machine.id, machine])), [facts])
  const { sorts } = settings
  const sortKeys = useMemo(
    () =>
      sorts.flatMap(({ column, isDescending }) => {
        const found = MACHINE_COLUMNS.find(({ id }) => id === column)
        return found === undefined ? [] : [{ column: found, valueOf: found.value, isDescending }]
      }),
    [sorts],
  )
  const keys = useRowOrder({ rows: facts, keyOf, keys: ids, sorts: sortKeys, held })
  const columns = useGridColumns({ columns: gridColumns, ...settings })
  return (
    <GridTools
      count={plural(ids.length, { one: '# machine', other: '# machines' })}
      columns={gridColumns}
      settings={settings}
      isCompact={isPageCompact}
    >
      <DataGrid
        label={t`Machines`}
        columns={columns}
        phoneColumns={PHONE_COLUMNS}
        keys={keys}
        rowOf={id => byId.get(id)}
        nameOf={nameOf}
        density={settings.density}
        detail={id => <OpenPanel id={id} />}
        menu={(id, trigger, close) => <RowMenu id={id} trigger={trigger} onClose={close} />}
        selection={selection}
        held={held}
        onRowsInView={useHistoryInView(settings.shown.ids)}
        onResize={settings.onResize}
        onMove={settings.onMove}
        onStep={settings.onStep}
      />
    </GridTools>
  )
}

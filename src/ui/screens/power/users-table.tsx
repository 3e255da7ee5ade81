import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { isPriced, pointsPerKwh, pointsPerMoney, type Used } from '../../../folding/power/energy.ts'
import type { PowerUser } from '../../../folding/power/fleet-energy.ts'
import { hasPrice, type Tariffs } from '../../../folding/power/power.ts'
import {
  formatKwh,
  formatMoney,
  formatWatts,
  GUESS_HINT,
  pointsPer,
  withOrigin,
} from '../../../folding/power/power-text.ts'
import { LoadError, loadFaultText, type LoadFault } from '../../../folding/shared/load-fault.ts'
import { formatPoints } from '../../../folding/text/format.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import { sortByValue } from '../../../folding/unit/sorting.ts'
import { downloadFile } from '../../../loading/download-file.ts'
import { loadCode } from '../../../loading/load-code.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Segments } from '../../parts/actions/segments.tsx'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'
import type { SortValue } from '../../../folding/unit/unit-column.ts'
import { classNames } from '../../parts/class-names.ts'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Section } from '../section.tsx'
import { WindowedGrid, type GridColumn } from '../work-units/windowed-grid.tsx'
import styles from './power.module.css'
import type { ShownEnergy } from './use-fleet-energy.ts'
import type { KindChoice, PowerUsers } from './use-power-users.ts'

type Column = GridColumn<PowerUser> & { readonly value: (user: PowerUser) => SortValue }

type NumberOptions = {
  /** Beside the number on a phone, which has no headings. */
  readonly unit?: string
  readonly originOf?: (user: PowerUser) => Used['origin'] | undefined
}

function number(
  id: string,
  title: string,
  hint: string,
  value: (user: PowerUser) => number | undefined,
  show: (value: number | undefined) => string,
  { unit = '', originOf = ({ used }) => used.origin }: NumberOptions = {},
): Column {
  return {
    id,
    title,
    hint,
    kind: 'number',
    align: 'end',
    value,
    cell: user => {
      const text = withOrigin(show(value(user)), originOf(user))
      return (
        <span {...(text.startsWith('≈') ? { title: GUESS_HINT } : {})}>
          {text} <span className={styles['unit']}>{unit}</span>
        </span>
      )
    },
  }
}

function costOf({ used }: PowerUser): number | undefined {
  return used.seconds > 0 && isPriced(used) ? used.cost : undefined
}

function columnsOf({ id: kind, label: title }: KindChoice, tariffs: Tariffs | undefined): readonly Column[] {
  const currency = tariffs?.currency ?? ''
  return [
    {
      id: 'name',
      title,
      hint: title,
      kind: 'text',
      align: 'start',
      value: ({ name }) => name,
      cell: ({ id, name }) =>
        kind === 'machine' ? (
          <Link to={`/${pathPart(id)}`} className={styles['link']} title={name}>
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi title={name}>{name}</bdi>
        ),
    },
    number('watts', t`Watts now`, t`Watts now`, ({ now }) => now.watts, formatWatts, {
      originOf: ({ now }) => now.origin,
    }),
    number(
      'energy',
      t`Energy`,
      t`In the last 31 days`,
      ({ used }) => (used.seconds > 0 ? used.wattHours : undefined),
      formatKwh,
    ),
    ...(!hasPrice(tariffs)
      ? []
      : [number('cost', t`Cost`, t`In the last 31 days`, costOf, value => formatMoney(value, currency))]),
    number('ppkwh', t`Points/kWh`, t`In the last 31 days`, ({ used }) => pointsPerKwh(used), formatPoints, {
      unit: t`Points/kWh`,
    }),
    ...(!hasPrice(tariffs)
      ? []
      : [
          number(
            'per-money',
            pointsPer(currency),
            t`In the last 31 days`,
            ({ used }) => pointsPerMoney(used),
            formatPoints,
            { unit: pointsPer(currency) },
          ),
        ]),
  ]
}

type Props = {
  readonly energy: ShownEnergy
  readonly tariffs: Tariffs | undefined
  readonly chosen: PowerUsers
}

const notes: Readonly<Record<'whole' | 'part', string>> = {
  whole: t`In the last 31 days, while work units ran.`,
  part: t`In the last 31 days, of the work units alone: without what their machines draw idle.`,
}

/** What each machine, group, GPU model or project draws, used and brought, and the machines of each tag together. */
export function UsersTable({ energy, tariffs, chosen: { kind, offered, users, setKind } }: Props) {
  const [sort, setSort] = useState<UnitSort | undefined>({ column: 'ppkwh', isDescending: true })
  const columns = useMemo(() => columnsOf(kind, tariffs), [kind, tariffs])
  const rows = useMemo(() => {
    const column = columns.find(({ id }) => id === sort?.column)
    return column === undefined || sort === undefined ? users : sortByValue(users, column.value, sort.isDescending)
  }, [users, columns, sort])
  // Spreadsheets detect UTF-8 by the byte order mark.
  const [fault, setFault] = useState<LoadFault>()
  const save = async (): Promise<void> => {
    setFault(undefined)
    const { writePowerCsv } = await loadCode(() => import('../../../folding/power/power-csv.ts'))
    downloadFile(
      new Blob(['\uFEFF', writePowerCsv(kind.id, rows, tariffs)], { type: 'text/csv;charset=utf-8' }),
      `power-${kind.id}-${new Date(energy.now).toISOString().slice(0, 10)}.csv`,
    )
  }
  return (
    <Section
      title={t`Points for energy`}
      note={kind.id === 'machine' || kind.id === 'tag' ? notes.whole : notes.part}
      tools={
        <>
          <Segments label={t`Grouped by`} segments={offered} value={kind.id} onChange={setKind} />
          <Button
            icon="download"
            isSmall
            blockedBecause={rows.length === 0 ? t`No matching work units.` : undefined}
            onPress={() =>
              void save().catch((error: unknown) => {
                if (!(error instanceof LoadError)) throw error
                setFault(error.fault)
              })
            }
          >
            {t`Export CSV`}
          </Button>
        </>
      }
    >
      {fault === undefined ? undefined : <p role="alert">{loadFaultText(fault)}</p>}
      {rows.length === 0 ? (
        <EmptyState icon="units" title={t`No matching work units.`} />
      ) : (
        <WindowedGrid
          label={t`Points for energy`}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          sort={sort ?? { column: 'name', isDescending: false }}
          onSort={setSort}
          className={classNames(styles['users'], hasPrice(tariffs) && styles['priced'])}
        />
      )}
    </Section>
  )
}

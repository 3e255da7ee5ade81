import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { isPriced, pointsPerKwh, pointsPerMoney, type Used } from '../../../folding/power/energy.ts'
import { partsOf, type PartKind, type PowerUser } from '../../../folding/power/fleet-energy.ts'
import { hasPrice, type Tariffs } from '../../../folding/power/power.ts'
import {
  formatKwh,
  formatMoney,
  formatWatts,
  GUESS_HINT,
  pointsPer,
  withOrigin,
} from '../../../folding/power/power-text.ts'
import { formatPoints } from '../../../folding/shared/format.ts'
import { pathPart } from '../../../folding/shared/web-address.ts'
import { sortByValue } from '../../../folding/unit/sorting.ts'
import { Segments } from '../../parts/actions/segments.tsx'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'
import type { SortValue } from '../../../folding/unit/unit-column.ts'
import { classNames } from '../../parts/class-names.ts'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Section } from '../section.tsx'
import { WindowedGrid, type GridColumn } from '../work-units/windowed-grid.tsx'
import styles from './power.module.css'
import type { ShownEnergy } from './use-fleet-energy.ts'

type Kind = 'machine' | PartKind

const kinds: readonly { readonly id: Kind; readonly label: string }[] = [
  { id: 'machine', label: t`Machine` },
  { id: 'group', label: t`Group` },
  { id: 'gpu', label: 'GPU' },
  { id: 'project', label: t`Project` },
]

type Column = GridColumn<PowerUser> & { readonly value: (user: PowerUser) => SortValue }

type NumberOptions = {
  /** Beside the number on a phone, which has no headings. */
  readonly unit?: string
  readonly originOf?: (user: PowerUser) => Used['origin'] | undefined
}

const number = (
  id: string,
  title: string,
  hint: string,
  value: (user: PowerUser) => number | undefined,
  show: (value: number | undefined) => string,
  { unit = '', originOf = ({ used }) => used.origin }: NumberOptions = {},
): Column => ({
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
})

const costOf = ({ used }: PowerUser): number | undefined => (used.seconds > 0 && isPriced(used) ? used.cost : undefined)

const columnsOf = (kind: Kind, tariffs: Tariffs | undefined): readonly Column[] => {
  const title = kinds.find(({ id }) => id === kind)?.label ?? ''
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
          <Link to={`/${pathPart(id)}/details`} className={styles['link']} title={name}>
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

type Props = { readonly energy: ShownEnergy; readonly tariffs: Tariffs | undefined }

/** What each machine, group, GPU model or project draws, used and brought. */
export const UsersTable = ({ energy: { machines, energies, days, now }, tariffs }: Props) => {
  const [kind, setKind] = useState<Kind>('machine')
  const [sort, setSort] = useState<UnitSort | undefined>({ column: 'ppkwh', isDescending: true })
  const users = useMemo(
    () => (kind === 'machine' ? energies : partsOf(kind, machines, days, now)),
    [kind, energies, machines, days, now],
  )
  const columns = useMemo(() => columnsOf(kind, tariffs), [kind, tariffs])
  const rows = useMemo(() => {
    const column = columns.find(({ id }) => id === sort?.column)
    return column === undefined || sort === undefined ? users : sortByValue(users, column.value, sort.isDescending)
  }, [users, columns, sort])
  return (
    <Section
      title={t`Points for energy`}
      note={
        kind === 'machine'
          ? t`In the last 31 days, while work units ran.`
          : t`In the last 31 days, of the work units alone: without what their machines draw idle.`
      }
      tools={<Segments label={t`By`} segments={kinds} value={kind} onChange={setKind} />}
    >
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

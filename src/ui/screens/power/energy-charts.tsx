import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import type { Sample } from '../../../folding/account/series.ts'
import { isPriced, pointsPerKwh, type Used } from '../../../folding/power/energy.ts'
import { hasPrice, type Tariffs } from '../../../folding/power/power.ts'
import { formatKwh, formatMoney, withOrigin } from '../../../folding/power/power-text.ts'
import { formatNumber, formatPoints, UNKNOWN } from '../../../folding/text/format.ts'
import { Select } from '../../parts/fields/select.tsx'
import { Segments } from '../../parts/actions/segments.tsx'
import { ChartTable } from '../../parts/charts/chart-table.tsx'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'
import { Section } from '../section.tsx'
import styles from './power.module.css'
import type { ShownEnergy } from './use-fleet-energy.ts'
import type { PowerUsers } from './use-power-users.ts'

const Plot = lazyComponent(() => import('../../parts/charts/plot.tsx').then(m => m.Plot), t`The chart`)

type Measure = 'energy' | 'cost' | 'ppkwh'

const LEAST_DAYS = 7
const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  energy: value => formatNumber(value, { digits: 1 }),
  cost: value => formatNumber(value, { digits: 2 }),
  ppkwh: value => formatNumber(value),
}

const kwhUnit = t`kWh`
const ppdUnit = 'PPD'
const DAY_SECONDS = 86_400

function dailyName(title: string): string {
  return t`${title} by day`
}

/** Undefined on days of which nothing is known: the line has a gap there. */
function valueOf(used: Used, measure: Measure): number | undefined {
  if (used.seconds === 0) return undefined
  if (measure === 'energy') return used.wattHours / 1000
  if (measure === 'ppkwh') return pointsPerKwh(used)
  return isPriced(used) ? used.cost : undefined
}

function ppdOf(used: Used, begin: number, end: number): number | undefined {
  return used.seconds === 0 ? undefined : used.points / ((end - begin) / 1000 / DAY_SECONDS)
}

function costText(used: Used, tariffs: Tariffs | undefined): string {
  return !hasPrice(tariffs) || !isPriced(used)
    ? UNKNOWN
    : withOrigin(formatMoney(used.cost, tariffs.currency), used.origin)
}

type Props = {
  readonly energy: ShownEnergy
  readonly tariffs: Tariffs | undefined
  readonly chosen: PowerUsers
}

const MOST_CHOICES = 100
const ALL = '\u0000'

/** Whose energy is drawn: that of all machines, or one of the users of the kind that the table has. */
function useSubject({ kind, users }: PowerUsers) {
  const [subject, setSubject] = useState(ALL)
  const options = useMemo(
    () => [
      { id: ALL, label: t`All machines` },
      ...users
        .toSorted((a, b) => b.used.wattHours - a.used.wattHours)
        .slice(0, MOST_CHOICES)
        .map(({ id, name }) => ({ id, label: name })),
    ],
    [users],
  )
  const user = users.find(({ id }) => id === subject)
  const choice = (
    <Select label={kind.label} options={options} value={user === undefined ? ALL : subject} onChange={setSubject} />
  )
  return { user, choice }
}

/** Energy, its cost, or points for it, by day, beside the points of the same days. */
export function EnergyCharts({ energy: { fleet, days, now }, tariffs, chosen: users }: Props) {
  const { user, choice } = useSubject(users)
  const [chosen, setChosen] = useState<Measure>('energy')
  const isPaid = hasPrice(tariffs)
  const measure = chosen === 'cost' && !isPaid ? 'energy' : chosen
  const { byDay } = user ?? fleet
  // As long as there is something, but at least a week.
  const first = Math.min(
    Math.max(
      0,
      fleet.byDay.findIndex(({ seconds }) => seconds > 0),
    ),
    days.length - LEAST_DAYS,
  )
  const samples = useMemo(
    () =>
      days
        .map(({ begin, end }, index): { readonly value: Sample; readonly ppd: Sample } => {
          const used = byDay[index]
          const at = (begin + Math.min(end, now)) / 2
          return {
            value: { at, value: used === undefined ? undefined : valueOf(used, measure) },
            ppd: { at, value: used === undefined ? undefined : ppdOf(used, begin, Math.min(end, now)) },
          }
        })
        .slice(first),
    [days, byDay, measure, now, first],
  )
  const segments = [
    { id: 'energy' as const, label: t`Energy` },
    ...(isPaid ? [{ id: 'cost' as const, label: t`Cost` }] : []),
    { id: 'ppkwh' as const, label: t`Points/kWh` },
  ]
  const title = segments.find(({ id }) => id === measure)?.label ?? ''
  const unit = { energy: kwhUnit, cost: tariffs?.currency ?? '', ppkwh: t`Points/kWh` }[measure]
  if (fleet.byDay.filter(({ seconds }) => seconds > 0).length < 2) return null
  return (
    <Section
      title={t`Over time`}
      tools={
        <>
          {choice}
          <Segments label={t`Measure`} segments={segments} value={measure} onChange={setChosen} />
        </>
      }
    >
      <div className={styles['charts']}>
        <div className={styles['chart']}>
          <Plot
            samples={samples.map(({ value }) => value)}
            name={dailyName(title)}
            unit={unit}
            format={FORMATS[measure]}
            isFromZero
            isDaily
          />
        </div>
        <div className={styles['chart']}>
          <Plot samples={samples.map(({ ppd }) => ppd)} name={dailyName(ppdUnit)} unit={ppdUnit} isFromZero isDaily />
        </div>
      </div>
      <ChartTable
        label={dailyName(title)}
        columns={[t`Day`, t`Energy`, ...(isPaid ? [t`Cost`] : []), t`Points/kWh`, ppdUnit]}
        rows={days
          .map(({ date, begin, end }, index) => {
            const used = byDay[index]
            const isKnown = used !== undefined && used.seconds > 0
            const cells = isKnown
              ? [
                  withOrigin(formatKwh(used.wattHours), used.origin),
                  ...(isPaid ? [costText(used, tariffs)] : []),
                  withOrigin(formatPoints(pointsPerKwh(used)), used.origin),
                  formatPoints(Math.round(ppdOf(used, begin, Math.min(end, now)) ?? 0)),
                ]
              : ['–', ...(isPaid ? ['–'] : []), '–', '–']
            return { key: date, cells: [date, ...cells] }
          })
          .reverse()}
      />
    </Section>
  )
}

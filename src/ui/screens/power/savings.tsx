import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { savings, type Saving } from '../../../folding/power/fleet-energy.ts'
import type { Tariffs } from '../../../folding/power/power.ts'
import { formatKwh, formatMoney, formatWatts } from '../../../folding/power/power-text.ts'
import { formatList, formatPoints, formatWholePercent } from '../../../folding/text/format.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import { Section } from '../section.tsx'
import styles from './power.module.css'
import type { ShownEnergy } from './use-fleet-energy.ts'

const YEAR_HOURS = 24 * 365.25

type Props = { readonly energy: ShownEnergy; readonly tariffs: Tariffs | undefined }

function Row({
  saving,
  total,
  price,
  tariffs,
}: {
  readonly saving: Saving
  /** Points per day of all machines. */
  readonly total: number
  readonly price: number | undefined
  readonly tariffs: Tariffs | undefined
}) {
  const { machines, watts } = saving
  const last = machines.at(-1)
  const kwh = (watts * YEAR_HOURS) / 1000
  const perYear =
    price === undefined || tariffs === undefined
      ? formatKwh(watts * YEAR_HOURS)
      : formatMoney(kwh * price, tariffs.currency)
  const [saved, lost, ppd] = [formatWatts(watts), formatWholePercent(saving.ppd / total), formatPoints(saving.ppd)]
  return (
    <li>
      <span>
        {last === undefined ? undefined : (
          <Link to={`/${pathPart(last.id)}`} className={styles['link']}>
            <bdi>{formatList(machines.map(({ name }) => name))}</bdi>
          </Link>
        )}
      </span>
      <span>{t`saves ${saved}, ${perYear} a year, for ${lost} of all PPD (${ppd})`}</span>
    </li>
  )
}

/** What pausing the machines with the fewest points for energy would save. */
export function Savings({ energy: { energies, fleet }, tariffs }: Props) {
  const rows = useMemo(() => savings(energies), [energies])
  const price = fleet.all.pricedWattHours > 0 ? (fleet.all.cost / fleet.all.pricedWattHours) * 1000 : undefined
  if (rows.length === 0) return null
  return (
    <Section
      title={t`If the least efficient machines were paused`}
      note={t`Each line adds the next one. A machine that is paused still draws what it draws idle.`}
    >
      <ul className={styles['savings']}>
        {rows.map(saving => (
          <Row key={saving.machines.length} saving={saving} total={fleet.ppd} price={price} tariffs={tariffs} />
        ))}
      </ul>
    </Section>
  )
}

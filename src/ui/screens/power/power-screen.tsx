import { plural, t } from '@lingui/core/macro'
import { isGraded, isPriced, pointsPerKwh, pointsPerMoney, type Used } from '../../../folding/power/energy.ts'
import { hasPrice, type Tariffs } from '../../../folding/power/power.ts'
import {
  CO2,
  formatCo2,
  formatKwh,
  formatMoney,
  formatWatts,
  GUESS_HINT,
  pointsPer,
  withOrigin,
} from '../../../folding/power/power-text.ts'
import { formatNumber, formatPoints, UNKNOWN } from '../../../folding/text/format.ts'
import { selectPower } from '../../../machines/fleet/power/power.selectors.ts'
import { ButtonLink } from '../../parts/actions/button-link.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Page } from '../page.tsx'
import { Section } from '../section.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import { EnergyCharts } from './energy-charts.tsx'
import { Figure } from './figure.tsx'
import { House } from './house.tsx'
import styles from './power.module.css'
import { Savings } from './savings.tsx'
import { TariffForm } from './tariff-form.tsx'
import { useFleetEnergy, type ShownEnergy } from './use-fleet-energy.ts'
import { usePowerUsers } from './use-power-users.ts'
import { UsersTable } from './users-table.tsx'

/** Money and energy of a time; the energy alone where its price is not known. */
function costFigure(label: string, used: Used | undefined, tariffs: Tariffs | undefined) {
  const kwh = withOrigin(formatKwh(used?.wattHours), used?.origin)
  const isCost = used !== undefined && hasPrice(tariffs) && isPriced(used)
  const cost = isCost ? withOrigin(formatMoney(used.cost, tariffs.currency), used.origin) : UNKNOWN
  const isPaid = hasPrice(tariffs)
  const hasCo2 = used !== undefined && tariffs !== undefined && tariffs.co2 !== null
  const co2 = hasCo2 ? `${formatCo2(isGraded(used) ? used.grams : undefined)} ${CO2}` : undefined
  return (
    <Figure
      label={label}
      value={isPaid ? cost : kwh}
      notes={[isPaid ? kwh : undefined, co2].filter(part => part !== undefined)}
    />
  )
}

function Figures({
  energy: { fleet },
  tariffs,
}: {
  readonly energy: ShownEnergy
  readonly tariffs: Tariffs | undefined
}) {
  const perMoney = pointsPerMoney(fleet.all)
  const { unknown } = fleet
  const days = fleet.year === undefined ? undefined : formatNumber(fleet.year.days, { digits: 1 })
  return (
    <dl className={styles['figures']}>
      <Figure
        label={t`Watts now`}
        isMain
        value={withOrigin(formatWatts(fleet.now.watts), fleet.now.origin)}
        notes={
          unknown === 0
            ? []
            : [
                plural(unknown, {
                  one: 'without # machine of unknown watts',
                  other: 'without # machines of unknown watts',
                }),
              ]
        }
      />
      {costFigure(t`Today`, fleet.today, tariffs)}
      {costFigure(t`This month`, fleet.month, tariffs)}
      {costFigure(
        days === undefined ? t`A year at this pace` : t`A year at the pace of ${days} days`,
        fleet.year?.used,
        tariffs,
      )}
      <Figure label={t`Points/kWh`} value={withOrigin(formatPoints(pointsPerKwh(fleet.all)), fleet.all.origin)} />
      {!hasPrice(tariffs) ? undefined : (
        <Figure label={pointsPer(tariffs.currency)} value={withOrigin(formatPoints(perMoney), fleet.all.origin)} />
      )}
    </dl>
  )
}

function Power() {
  const energy = useFleetEnergy()
  const { tariffs } = useSelector(useSystem().power, selectPower)
  const chosen = usePowerUsers(energy)
  if (energy.machines.length === 0) return <EmptyState icon="machines" title={t`No machines`} />
  return (
    <>
      <section aria-label={t`Power`} className={styles['panel']}>
        <Figures energy={energy} tariffs={tariffs} />
        <div className="prose quiet type-2 pretty">
          <p>≈ {GUESS_HINT}</p>
          <p>
            {t`Energy is estimated from the times in which work units ran; time in which nothing ran is not counted.`}
          </p>
        </div>
      </section>
      {energy.house === undefined ? undefined : <House house={energy.house} origin={energy.fleet.now.origin} />}
      <EnergyCharts energy={energy} tariffs={tariffs} chosen={chosen} />
      <UsersTable energy={energy} tariffs={tariffs} chosen={chosen} />
      <Savings energy={energy} tariffs={tariffs} />
      <Section title={t`Price`} note={t`Days, months and times of the day are those of the time zone.`}>
        <TariffForm key={JSON.stringify(tariffs)} tariffs={tariffs} />
      </Section>
    </>
  )
}

/** What folding draws, costs and brings. */
export function PowerScreen() {
  return (
    <Page title={t`Power`} actions={<ButtonLink to="/stats">{t`Stats`}</ButtonLink>}>
      <WhenLoaded part="power" what={t`Power`}>
        <Power />
      </WhenLoaded>
    </Page>
  )
}

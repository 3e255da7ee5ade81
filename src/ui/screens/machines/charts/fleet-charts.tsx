import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { machinePoints } from '../../../../folding/fleet/ppd-history.ts'
import { formatNumber } from '../../../../folding/shared/format.ts'
import { selectReport } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { IconButton } from '../../../parts/actions/button.tsx'
import { useClock, useSystem } from '../../../hooks/system-context.ts'
import { useFleetPoints } from '../../../hooks/use-ppd-history.ts'
import { Section } from '../../section.tsx'
import { withChart, type FleetChart } from './chart-params.ts'
import { Finishes } from './finishes.tsx'
import styles from './fleet-charts.module.css'
import { PpdChart } from './ppd-chart.tsx'

type Props = {
  readonly chart: FleetChart
  /** Ids of the machines that are shown. */
  readonly ids: readonly string[]
}

const titles: Readonly<Record<FleetChart, string>> = { ppd: t`PPD over time`, finishes: t`Next finishes` }

const FleetPpd = ({ ids }: Pick<Props, 'ids'>) => {
  const { fleet } = useSystem()
  const { spans, machines, until } = useFleetPoints(ids)
  const ppd = useClock(() => {
    const snapshot = fleet.getSnapshot()
    return ids.reduce((sum, id) => sum + (selectReport(id)(snapshot)?.summary.ppd ?? 0), 0)
  })
  const points = machines.map(machine => machinePoints(machine, until))
  const usual = points.reduce((sum, { usualPpd }) => sum + (usualPpd ?? 0), 0)
  return (
    <PpdChart
      name={t`PPD of the shown machines`}
      spans={spans}
      until={until}
      ppd={ppd}
      usual={usual === 0 ? undefined : usual}
      pointsDay={points.reduce((sum, { pointsDay }) => sum + pointsDay, 0)}
    />
  )
}

/** A chart of the shown machines, above their list. */
export const FleetCharts = ({ chart, ids }: Props) => {
  const [, setParams] = useSearchParams()
  const count = formatNumber(ids.length)
  return (
    <Section
      title={titles[chart]}
      note={t`Machines shown: ${count}`}
      className={styles['panel']}
      tools={
        <IconButton
          icon="close"
          label={t`Close the chart`}
          onPress={() => setParams(now => withChart(now, undefined), { replace: true, preventScrollReset: true })}
        />
      }
    >
      {chart === 'ppd' ? <FleetPpd ids={ids} /> : <Finishes ids={ids} />}
    </Section>
  )
}

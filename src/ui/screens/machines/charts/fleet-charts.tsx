import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { machinePoints } from '../../../../folding/fleet/ppd-history.ts'
import { formatNumber } from '../../../../folding/shared/format.ts'
import { selectReport } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { IconButton } from '../../../parts/actions/button.tsx'
import { useClock, useSystem } from '../../../hooks/system-context.ts'
import { useFleetPoints, type ShownMachine } from '../../../hooks/use-ppd-history.ts'
import { Section } from '../../section.tsx'
import { withChart, type FleetChart } from './chart-params.ts'
import { Finishes } from './finishes.tsx'
import styles from './fleet-charts.module.css'
import { PpdChart, type UsualFigure } from './ppd-chart.tsx'

type Props = {
  readonly chart: FleetChart
  /** Ids of the machines that are shown. */
  readonly ids: readonly string[]
}

const titles: Readonly<Record<FleetChart, string>> = { ppd: t`PPD over time`, finishes: t`Next finishes` }

/** The usual PPD of the machines whose own is known. */
const usualOf = (
  machines: readonly ShownMachine[],
  until: number,
  ppdOf: (id: string) => number,
): UsualFigure | undefined => {
  let [ppd, now, known] = [0, 0, 0]
  for (const { id, ended } of machines) {
    const usual = ended === undefined ? undefined : machinePoints(ended, until).usualPpd
    if (usual === undefined) continue
    ppd += usual
    now += ppdOf(id)
    known++
  }
  if (known === 0) return undefined
  const [some, all] = [formatNumber(known), formatNumber(machines.length)]
  return { ppd, share: now / ppd, known: known === machines.length ? undefined : t`${some} of ${all}` }
}

const FleetPpd = ({ ids }: Pick<Props, 'ids'>) => {
  const { fleet } = useSystem()
  const { spans, machines, until } = useFleetPoints(ids)
  const ppd = useClock(() => {
    const snapshot = fleet.getSnapshot()
    return ids.reduce((sum, id) => sum + (selectReport(id)(snapshot)?.summary.ppd ?? 0), 0)
  })
  const points = machines.flatMap(({ ended }) => (ended === undefined ? [] : machinePoints(ended, until)))
  return (
    <PpdChart
      name={t`PPD of the shown machines`}
      spans={spans}
      until={until}
      ppd={ppd}
      usual={usualOf(machines, until, id => selectReport(id)(fleet.getSnapshot())?.summary.ppd ?? 0)}
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

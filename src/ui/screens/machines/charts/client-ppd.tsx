import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { clientPoints } from '../../../../folding/fleet/ppd-history.ts'
import { selectId, selectPpd } from '../../../../machines/connection/client/client.selectors.ts'
import { useFleetPoints } from '../../../hooks/use-ppd-history.ts'
import { Section } from '../../section.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import styles from './fleet-charts.module.css'
import { PpdChart } from './ppd-chart.tsx'

/** Points per day of the client in the route, over time. */
export function ClientPpd() {
  const id = useClientSelector(selectId)
  const ppd = useClientSelector(selectPpd) ?? 0
  const { spans, clients, until } = useFleetPoints(useMemo(() => [id], [id]))
  const ended = clients[0]?.ended
  const points = ended === undefined ? undefined : clientPoints(ended, until)
  return (
    <Section title={t`PPD over time`} className={styles['panel']}>
      <PpdChart
        name={t`PPD of this machine`}
        spans={spans}
        until={until}
        ppd={ppd}
        usual={points?.usualPpd === undefined ? undefined : { ppd: points.usualPpd, share: ppd / points.usualPpd }}
        pointsDay={points?.pointsDay ?? 0}
      />
    </Section>
  )
}

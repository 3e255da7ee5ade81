import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { clientPoints } from '../../../../folding/fleet/ppd-history.ts'
import { formatNumber, formatPoints } from '../../../../folding/text/format.ts'
import { pathPart } from '../../../../folding/address/web-address.ts'
import type { FleetSnapshot } from '../../../../machines/connection/fleet/fleet.machine.ts'
import { selectReport } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { IconButton } from '../../../parts/actions/button.tsx'
import { useClock, useSystem } from '../../../hooks/system-context.ts'
import { useFleetPoints, type ShownClient } from '../../../hooks/use-ppd-history.ts'
import { Section } from '../../section.tsx'
import { HistoryLimit } from '../../work-units/history-notes.tsx'
import { withChart, type FleetChart } from './chart-params.ts'
import { Finishes } from './finishes.tsx'
import styles from './fleet-charts.module.css'
import { PpdChart, type UsualFigure } from './ppd-chart.tsx'
import { PpdTrend } from './ppd-trend.tsx'

type Props = {
  readonly chart: FleetChart
  /** Ids of the clients that are shown. */
  readonly ids: readonly string[]
}

const titles: Readonly<Record<FleetChart, string>> = { ppd: t`PPD over time`, finishes: t`Next finishes` }

/** A client whose usual PPD is known, and its present PPD. */
type Compared = {
  readonly id: string
  /** The client's own id. */
  readonly client: string
  readonly name: string
  readonly isConnected: boolean
  readonly ppd: number
  readonly usual: number
}

function comparedOf(fleet: FleetSnapshot, clients: readonly ShownClient[], until: number): readonly Compared[] {
  return clients.flatMap(({ id, ended }) => {
    const report = selectReport(id)(fleet)
    const usual = ended === undefined ? undefined : clientPoints(ended, until).usualPpd
    if (report === undefined || ended === undefined || usual === undefined) return []
    const { name, isConnected, summary } = report
    return [{ id, client: ended.machine, name, isConnected, ppd: summary.ppd, usual }]
  })
}

/** The usual PPD of the clients whose own is known; undefined when none is. */
function usualOf(compared: readonly Compared[], clients: number): UsualFigure | undefined {
  if (compared.length === 0) return undefined
  const ppd = compared.reduce((sum, { usual }) => sum + usual, 0)
  const now = compared.reduce((sum, client) => sum + client.ppd, 0)
  const [some, all] = [formatNumber(compared.length), formatNumber(clients)]
  return { ppd, share: now / ppd, known: compared.length === clients ? undefined : t`${some} of ${all}` }
}

/** Clients below this share of their usual PPD are listed, at most so many of them. */
const LOW_SHARE = 0.8
const MAX_LOW = 6

/** The connected clients that are furthest below what is usual for them, the furthest first. */
function LowClients({ compared }: { readonly compared: readonly Compared[] }) {
  const low = compared
    .filter(({ isConnected, ppd, usual }) => isConnected && ppd < LOW_SHARE * usual)
    .sort((a, b) => a.ppd / a.usual - b.ppd / b.usual)
  if (low.length === 0) return null
  const count = formatNumber(low.length)
  return (
    <section aria-label={t`Below usual`} className={styles['low']}>
      <h3 className={styles['title']}>{t`Below 80% of their usual PPD: ${count}`}</h3>
      <ul>
        {low.slice(0, MAX_LOW).map(({ id, client, name, ppd, usual }) => (
          <li key={id}>
            <Link to={`/${pathPart(id)}`} className="ellipsis accent">
              <bdi>{name}</bdi>
            </Link>
            <PpdTrend client={client} />
            <span>{t`${formatPoints(ppd)} PPD, usually ${formatPoints(usual)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function FleetPpd({ ids }: Pick<Props, 'ids'>) {
  const { fleet } = useSystem()
  const { spans, clients, until } = useFleetPoints(ids)
  const ppd = useClock(() => {
    const snapshot = fleet.getSnapshot()
    return ids.reduce((sum, id) => sum + (selectReport(id)(snapshot)?.summary.ppd ?? 0), 0)
  })
  const compared = useMemo(() => comparedOf(fleet.getSnapshot(), clients, until), [fleet, clients, until])
  const points = clients.flatMap(({ ended }) => (ended === undefined ? [] : clientPoints(ended, until)))
  return (
    <>
      <HistoryLimit />
      <PpdChart
        name={t`PPD of the shown machines`}
        spans={spans}
        until={until}
        ppd={ppd}
        usual={usualOf(compared, clients.length)}
        pointsDay={points.reduce((sum, { pointsDay }) => sum + pointsDay, 0)}
      />
      <LowClients compared={compared} />
    </>
  )
}

/** A chart of the shown clients, above their list. */
export function FleetCharts({ chart, ids }: Props) {
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

import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { formatNumber, formatPoints } from '../../../../folding/shared/format.ts'
import type { StateTone } from '../../../../folding/shared/appearance.ts'
import { selectTotals } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './fleet-summary.module.css'
import { useNotConnected } from './use-not-connected.ts'

const figures = [
  { key: 'clients', label: t`Machines` },
  { key: 'cpus', label: t`Active CPUs` },
  { key: 'gpus', label: t`Active GPUs` },
] as const

type UnitState = { readonly tone: StateTone; readonly icon: IconName; readonly text: (count: string) => string }

const unitStates: readonly UnitState[] = [
  { tone: 'running', icon: 'run', text: count => t`${count} running` },
  { tone: 'finishing', icon: 'finish', text: count => t`${count} finishing` },
  { tone: 'transfer', icon: 'download', text: count => t`${count} transferring` },
  { tone: 'waiting', icon: 'wait', text: count => t`${count} waiting` },
  { tone: 'paused', icon: 'pause', text: count => t`${count} paused` },
  { tone: 'failed', icon: 'fail', text: count => t`${count} failed` },
]

const useTotal = (key: (typeof figures)[number]['key'] | 'ppd' | StateTone): number =>
  useSelector(useSystem().fleet, snapshot => selectTotals(snapshot)[key])

const Figure = ({ total }: { total: (typeof figures)[number]['key'] }) => <>{formatNumber(useTotal(total))}</>

const StateCount = ({ tone, icon, text }: UnitState) => {
  const count = useTotal(tone)
  if (count === 0) return null
  return (
    <li>
      <StatusMark icon={icon} tone={tone} text={text(formatNumber(count))} />
    </li>
  )
}

/** Totals of all machines. */
export const FleetSummary = () => {
  const ppd = useTotal('ppd')
  const { disconnected, loading } = useNotConnected()
  return (
    <div className={styles['summary']}>
      <table className={styles['figures']}>
        <caption className="visually-hidden">{t`All machines`}</caption>
        <thead>
          <tr>
            {figures.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
            <th scope="col">
              <abbr title={t`Points per day`}>PPD</abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            {figures.map(({ key }) => (
              <td key={key}>
                <Figure total={key} />
              </td>
            ))}
            <td className={styles['ppd']}>{formatPoints(ppd)}</td>
          </tr>
        </tbody>
      </table>
      <ul className={styles['states']} aria-label={t`Work units by state`}>
        {unitStates.map(state => (
          <StateCount key={state.tone} {...state} />
        ))}
        {loading === 0 ? undefined : (
          <li>
            <StatusMark icon="loading" tone="unknown" text={t`${formatNumber(loading)} loading`} />
          </li>
        )}
        {disconnected === 0 ? undefined : (
          <li>
            <StatusMark icon="offline" tone="stale" text={t`${formatNumber(disconnected)} disconnected`} />
          </li>
        )}
      </ul>
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { formatNumber, formatPoints } from '../../../../folding/shared/format.ts'
import type { Tone } from '../../../../folding/shared/appearance.ts'
import { selectTotals } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { StatusMark } from '../../../parts/display/status-mark.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './fleet-summary.module.css'
import { useAbsent } from './use-absent.ts'

const figures = [
  { key: 'clients', name: 'Machines' },
  { key: 'cpus', name: 'Active CPUs' },
  { key: 'gpus', name: 'Active GPUs' },
] as const

const states: readonly { readonly tone: Tone; readonly icon: IconName; readonly word: string }[] = [
  { tone: 'running', icon: 'run', word: 'running' },
  { tone: 'finishing', icon: 'finish', word: 'finishing' },
  { tone: 'transfer', icon: 'download', word: t`in transfer` },
  { tone: 'waiting', icon: 'wait', word: 'waiting' },
  { tone: 'paused', icon: 'pause', word: 'paused' },
  { tone: 'failed', icon: 'fail', word: 'failed' },
]

const useTotal = (key: (typeof figures)[number]['key'] | 'ppd' | Tone): number =>
  useSelector(useSystem().fleet, snapshot => selectTotals(snapshot)[key])

const Figure = ({ of }: { of: (typeof figures)[number]['key'] }) => <>{formatNumber(useTotal(of))}</>

const StateCount = ({ tone, icon, word }: (typeof states)[number]) => {
  const count = useTotal(tone)
  if (count === 0) return null
  return (
    <li>
      <StatusMark icon={icon} tone={tone} text={`${formatNumber(count)} ${word}`} />
    </li>
  )
}

/** All machines in numbers. */
export const FleetSummary = () => {
  const ppd = useTotal('ppd')
  const { away, loading } = useAbsent()
  return (
    <div className={styles['summary']}>
      <table className={styles['figures']}>
        <caption className="visually-hidden">{t`All machines`}</caption>
        <thead>
          <tr>
            {figures.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">
              <abbr title="Points per day">PPD</abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            {figures.map(({ key }) => (
              <td key={key}>
                <Figure of={key} />
              </td>
            ))}
            <td className={styles['ppd']}>{formatPoints(ppd)}</td>
          </tr>
        </tbody>
      </table>
      <ul className={styles['states']} aria-label={t`Work units by state`}>
        {states.map(state => (
          <StateCount key={state.tone} {...state} />
        ))}
        {loading === 0 ? undefined : (
          <li>
            <StatusMark icon="loading" tone="unknown" text={t`${formatNumber(loading)} loading`} />
          </li>
        )}
        {away === 0 ? undefined : (
          <li>
            <StatusMark icon="offline" tone="stale" text={t`${formatNumber(away)} out of reach`} />
          </li>
        )}
      </ul>
    </div>
  )
}

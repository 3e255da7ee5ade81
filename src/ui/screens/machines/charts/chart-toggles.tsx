import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { ToggleButton } from '../../../parts/actions/toggle-button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { chartOf, withChart, type FleetChart } from './chart-params.ts'
import styles from './chart-toggles.module.css'

const charts: readonly { readonly id: FleetChart; readonly icon: IconName; readonly label: string }[] = [
  { id: 'ppd', icon: 'stats', label: t`PPD over time` },
  { id: 'finishes', icon: 'history', label: t`Next finishes` },
]

/** Opens and closes the charts of the shown machines. */
export const ChartToggles = () => {
  const [params, setParams] = useSearchParams()
  const open = chartOf(params)
  return (
    <div role="group" aria-label={t`Charts`} className={styles['toggles']}>
      {charts.map(({ id, icon, label }) => (
        <ToggleButton
          key={id}
          icon={icon}
          label={label}
          isSelected={open === id}
          onChange={isSelected =>
            setParams(now => withChart(now, isSelected ? id : undefined), { replace: true, preventScrollReset: true })
          }
        />
      ))}
    </div>
  )
}

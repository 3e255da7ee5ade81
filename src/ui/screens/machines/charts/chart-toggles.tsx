import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { IconButton } from '../../../parts/actions/button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { chartOf, withChart, type FleetChart } from './chart-params.ts'
import styles from './chart-toggles.module.css'

const charts: readonly { readonly id: FleetChart; readonly icon: IconName; readonly label: string }[] = [
  { id: 'ppd', icon: 'stats', label: t`PPD over time` },
  { id: 'finishes', icon: 'history', label: t`Next finishes` },
]

/** Opens and closes the charts of the shown clients. */
export const ChartToggles = () => {
  const [params, setParams] = useSearchParams()
  const open = chartOf(params)
  return (
    <div role="group" aria-label={t`Charts`} className={styles['toggles']}>
      {charts.map(({ id, icon, label }) => (
        <IconButton
          key={id}
          icon={icon}
          label={label}
          isPressed={open === id}
          onPress={() =>
            setParams(now => withChart(now, open === id ? undefined : id), { replace: true, preventScrollReset: true })
          }
        />
      ))}
    </div>
  )
}

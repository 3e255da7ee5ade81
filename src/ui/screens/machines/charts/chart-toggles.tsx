import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { ToggleButton } from '../../../parts/actions/toggle-button.tsx'
import type { IconName } from '../../../parts/icons/icon.tsx'
import { chartOf, withChart, type FleetChart } from './chart-params.ts'

const charts: readonly { readonly id: FleetChart; readonly icon: IconName; readonly label: string }[] = [
  { id: 'ppd', icon: 'stats', label: t`PPD over time` },
  { id: 'finishes', icon: 'history', label: t`Next finishes` },
]

/** Opens and closes the charts of the shown machines. */
export const ChartToggles = () => {
  const [params, setParams] = useSearchParams()
  const open = chartOf(params)
  return charts.map(({ id, icon, label }) => (
    <ToggleButton
      key={id}
      icon={icon}
      label={label}
      isSelected={open === id}
      onChange={isSelected =>
        setParams(now => withChart(now, isSelected ? id : undefined), { replace: true, preventScrollReset: true })
      }
    />
  ))
}

import { t } from '@lingui/core/macro'
import { useSearchParams } from 'react-router-dom'
import { useSelector } from '../../../hooks/use-selector.ts'
import { selectPutAwayCount } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { MenuButton } from '../../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { chartOf, FLEET_CHARTS, withChart } from '../charts/chart-params.ts'

const always: readonly MenuEntry[] = [
  { id: 'ppd', label: t`PPD over time`, icon: 'stats' },
  { id: 'finishes', label: t`Next finishes`, icon: 'history' },
  { id: 'select', label: t`Select machines`, icon: 'select', startsGroup: true },
]

/** Opens and closes the charts of the shown clients, and begins and ends the selection of clients. */
export function MoreMenu() {
  const { fleet, preferences, selection } = useSystem()
  const hidden = useSelector(fleet, selectPutAwayCount)
  const selects = useSelector(selection, snapshot => snapshot.hasTag('selecting'))
  const [params, setParams] = useSearchParams()
  const open = chartOf(params)
  const choose = (id: string): void => {
    if (id === 'select') {
      selection.send({ type: selects ? 'selection.clear' : 'selection.begin' })
      return
    }
    if (id === 'unhide') {
      preferences.send({ type: 'preferences.change', change: { putAway: {} } })
      return
    }
    const chart = FLEET_CHARTS.find(each => each === id && each !== open)
    setParams(now => withChart(now, chart), { replace: true, preventScrollReset: true })
  }
  return (
    <MenuButton
      label={t`More`}
      icon="more"
      entries={() =>
        hidden === 0 ? always : [...always, { id: 'unhide', label: t`Show hidden machines (${hidden})`, icon: 'reset' }]
      }
      chosen={[...(open === undefined ? [] : [open]), ...(selects ? ['select'] : [])]}
      choosesSeveral
      closesOnChoice
      onChoose={choose}
    >
      {t`More`}
    </MenuButton>
  )
}

import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useSearchParams } from 'react-router-dom'
import type { ClientOrder } from '../../../../folding/client/order.ts'
import { MenuButton } from '../../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { FindField } from './find-field.tsx'
import { AT_ONCE, filterOf, isClientOrder, orderOf, withFilter, withOrder } from '../view-params.ts'
import { ViewsMenu } from './views-menu.tsx'
import styles from './fleet-toolbar.module.css'

const orders: Readonly<Record<ClientOrder, string>> = {
  usual: t`Connected first`,
  problems: t`Problems first`,
  ppd: t`Highest PPD first`,
  name: t`By name`,
}

const entries: readonly MenuEntry[] = Object.entries(orders).map(([id, label]) => ({ id, label }))

/** Query and order of the clients. */
export function FleetToolbar() {
  const { preferences } = useSystem()
  const preferred = useSelector(preferences, ({ context }) => context.shown.order)
  const [params, setParams] = useSearchParams()
  const order = orderOf(params) ?? preferred
  return (
    <div role="search" aria-label={t`Machines`} className={styles['toolbar']} data-filter>
      <FindField value={filterOf(params)} onChange={filter => setParams(now => withFilter(now, filter), AT_ONCE)} />
      <ViewsMenu />
      <MenuButton
        label={t`Order of machines: ${orders[order]}`}
        icon="sort"
        entries={() => entries}
        chosen={[order]}
        onChoose={id => {
          if (!isClientOrder(id)) return
          preferences.send({ type: 'preferences.change', change: { order: id } })
          // In the address too, so that saved views and links have it.
          setParams(now => withOrder(now, id), AT_ONCE)
        }}
      >
        {orders[order]}
      </MenuButton>
    </div>
  )
}

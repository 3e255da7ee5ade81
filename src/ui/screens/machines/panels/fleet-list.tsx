import { t } from '@lingui/core/macro'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { FleetMember } from './fleet-member.tsx'
import styles from './fleet-list.module.css'

/** Clients up to this number are all rendered, without the code that renders only those in view. */
const MAX_RENDERED = 8

const VirtualFleet = lazyComponent(
  () => import('./virtual-fleet.tsx').then(m => m.VirtualFleet),
  t`The list of machines`,
)

/** The panels of the clients, however many there are. */
export function FleetList({ ids }: { ids: readonly string[] }) {
  return ids.length > MAX_RENDERED ? (
    <VirtualFleet ids={ids} />
  ) : (
    <div className={styles['list']}>
      {ids.map(id => (
        <div key={id}>
          <FleetMember id={id} />
        </div>
      ))}
    </div>
  )
}

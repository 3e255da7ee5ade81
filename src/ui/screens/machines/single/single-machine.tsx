import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { pathPart } from '../../../../folding/address/web-address.ts'
import { isTooOldForActions, selectId, selectName } from '../../../../machines/connection/client/client.selectors.ts'
import { selectClientRef, selectOnlyId } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { ClientContext, useClientSelector } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useIdle } from '../../../hooks/use-idle.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { ClientTags } from '../../client-tags.tsx'
import { ClientBadges } from '../panel/client-badges.tsx'
import { Age, Facts } from '../panel/client-header.tsx'
import { ClientMenu } from '../panel/client-menu.tsx'
import { ClientContent, useShownClient } from '../panel/client-panel.tsx'
import { FoldControls } from '../panel/fold-controls.tsx'
import styles from './single-machine.module.css'
import { UnitCards } from './unit-card.tsx'

const MachinePoints = lazyComponent(
  () => import('./later.ts'),
  module => module.MachinePoints,
  t`The chart`,
)

function Header({ headingId }: { readonly headingId: string }) {
  const id = useClientSelector(selectId)
  const name = useClientSelector(selectName)
  const isTooOld = useClientSelector(isTooOldForActions)
  return (
    <header className={styles['header']}>
      <div className={styles['names']}>
        <div className="row gap-1-2">
          <h2 id={headingId} className={styles['name']} title={name}>
            <Link to={`/${pathPart(id)}/details`}>
              <bdi>{name}</bdi>
            </Link>
          </h2>
          <ClientBadges />
          <Age />
          <ClientTags />
        </div>
        <Facts />
      </div>
      {isTooOld ? undefined : <FoldControls name={name} hasWords />}
      <ClientMenu />
    </header>
  )
}

function Machine() {
  const headingId = useId()
  const attributes = useShownClient()
  const isIdle = useIdle()
  return (
    <section aria-labelledby={headingId} className={styles['machine']} {...attributes}>
      <Header headingId={headingId} />
      <ClientContent Units={UnitCards} hasButtons />
      <div className={styles['points']}>{isIdle ? <MachinePoints /> : undefined}</div>
    </section>
  )
}

/** The only client in full: its units beside each other, and its points. */
export function SingleMachine() {
  const { fleet } = useSystem()
  const client = useSelector(fleet, snapshot => selectClientRef(selectOnlyId(snapshot) ?? '')(snapshot))
  return client === undefined ? null : (
    <ClientContext value={client}>
      <Machine />
    </ClientContext>
  )
}

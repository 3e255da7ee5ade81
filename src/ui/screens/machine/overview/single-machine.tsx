import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { selectClientRef, selectOnlyId } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { ClientContext } from '../../../hooks/client-context.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useIdle } from '../../../hooks/use-idle.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { MachineTop } from '../machine-top.tsx'
import { ClientContent, useShownClient } from '../../machines/panels/client-panel.tsx'
import styles from './single-machine.module.css'
import { UnitCards } from './unit-card.tsx'

const MachinePoints = lazyComponent(() => import('../../../later.ts').then(m => m.MachinePoints), t`The chart`)

/** What a client does now: its units beside each other, and its points. */
export function Overview() {
  const attributes = useShownClient()
  const isIdle = useIdle()
  return (
    <div className={styles['machine']} {...attributes}>
      <h2 className="visually-hidden">{t`Overview`}</h2>
      <ClientContent Units={UnitCards} hasButtons />
      <div className={styles['points']}>{isIdle ? <MachinePoints /> : undefined}</div>
    </div>
  )
}

/** The page of the only client. */
export function SingleMachine() {
  const { fleet } = useSystem()
  const headingId = useId()
  const client = useSelector(fleet, snapshot => selectClientRef(selectOnlyId(snapshot) ?? '')(snapshot))
  return client === undefined ? null : (
    <ClientContext value={client}>
      <section aria-labelledby={headingId} className="stack gap-5">
        <MachineTop Heading="h2" headingId={headingId} />
        <Overview />
      </section>
    </ClientContext>
  )
}

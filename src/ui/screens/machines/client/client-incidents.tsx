import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useState } from 'react'
import type { Incident } from '../../../../folding/incidents/incident.ts'
import { selectId, selectClientKey } from '../../../../machines/connection/client/client.selectors.ts'
import { selectIncidentsOf } from '../../../../machines/incidents/incidents/incidents.selectors.ts'
import { lazyComponent } from '../../../parts/feedback/lazy-component.tsx'
import { Icon } from '../../../parts/icons/icon.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { useClientSelector } from '../../../hooks/client-context.ts'
import styles from './client-incidents.module.css'

const IncidentList = lazyComponent(
  () => import('../../attention/incident-list.tsx').then(m => m.IncidentList),
  t`The list of incidents`,
)

type Props = { readonly incidents: readonly Incident[]; readonly isExpanded?: boolean }

/** The number of incidents, as a button that opens their list. */
export function IncidentSummary({ incidents, isExpanded = false }: Props) {
  const [isOpen, setOpen] = useState(isExpanded)
  const open = incidents.filter(({ state }) => state === 'open')
  if (incidents.length === 0) return null
  const [worst = incidents[0]] = open
  return (
    <div className={styles['incidents']}>
      <button
        type="button"
        className={styles['summary']}
        aria-expanded={isOpen}
        data-gravity={open.length === 0 ? 'none' : worst?.gravity}
        onPointerEnter={IncidentList.preload}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="attention" />
        {open.length === 0
          ? plural(incidents.length, { one: '# acknowledged incident', other: '# acknowledged incidents' })
          : plural(open.length, { one: '# incident', other: '# incidents' })}
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} />
      </button>
      {isOpen ? <IncidentList incidents={incidents} /> : undefined}
    </div>
  )
}

/** The incidents of the panel's client. */
export function ClientIncidents() {
  const client = useClientSelector(snapshot => selectClientKey(snapshot) ?? selectId(snapshot))
  const incidents = useSelector(useSystem().incidents, selectIncidentsOf(client))
  return <IncidentSummary incidents={incidents} />
}

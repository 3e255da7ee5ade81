import { t } from '@lingui/core/macro'
import type { Incident } from '../../../folding/incidents/incident.ts'
import styles from './attention.module.css'
import { IncidentCard } from './incident-card.tsx'

/** Incidents of one client or unit, on its own screen. */
export function IncidentList({ incidents }: { readonly incidents: readonly Incident[] }) {
  return (
    <ul className={styles['list']} aria-label={t`Incidents`}>
      {incidents.map(incident => (
        <IncidentCard key={incident.key} incident={incident} isOnClient />
      ))}
    </ul>
  )
}

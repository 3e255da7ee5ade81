import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState } from 'react'
import { kindEntry } from '../../../folding/incidents/incident-kinds.ts'
import type { Incident } from '../../../folding/incidents/incident.ts'
import { formatInterval, formatLocalShort } from '../../../folding/text/times.ts'
import { durationOf } from '../../../machines/incidents/incident/incident.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import styles from './attention.module.css'
import { gravityLook } from './incident-card.tsx'

/** Rows that are shown at first, and added with each press. */
const SHOWN = 100

function Row({ incident }: { readonly incident: Incident }) {
  const { kind, gravity, name, since, resolvedAt = since, times } = incident
  const { title, cause } = kindEntry(kind)
  const { tone, icon } = gravityLook(gravity)
  return (
    <tr>
      <td>
        <StatusMark tone={tone} icon={icon} text={title} />
      </td>
      <td data-label={t`Machine`}>
        <bdi>{name}</bdi>
      </td>
      <td>{cause(incident, resolvedAt)}</td>
      <td data-label={t`Began`} className="figures">
        {formatLocalShort(since)}
      </td>
      <td data-label={t`Lasted`} className="figures">
        {formatInterval(durationOf(incident, resolvedAt))}
      </td>
      <td data-label={t`Times`} className="figures">
        {times}
      </td>
    </tr>
  )
}

/** Incidents that are over, with their durations. */
export function EndedIncidents() {
  const { incidents, dialogs } = useSystem()
  const ended = useSelector(incidents, ({ context }) => context.incidents.ended)
  const [shown, setShown] = useState(SHOWN)
  if (ended.length === 0)
    return (
      <EmptyState icon="history" title={t`No incident is over yet`}>
        <p>{t`Incidents that ended are kept here with their durations, in this browser.`}</p>
      </EmptyState>
    )
  const clear = (): void =>
    dialogs.send({
      type: 'dialogs.ask',
      dialog: {
        kind: 'confirm',
        id: 'incidents:clear',
        title: t`Clear the history of incidents?`,
        text: t`Incidents that still last are kept.`,
        buttons: [
          { id: 'cancel', name: t`Cancel` },
          {
            id: 'clear',
            name: t`Clear`,
            tone: 'danger',
            sends: [{ to: 'incidents', event: { type: 'incidents.clearHistory' } }],
          },
        ],
      },
    })
  return (
    <>
      <div className="row gap-2-4 pad-top-4">
        <span className="quiet type-3 pretty">{t`The newest ${Math.min(shown, ended.length)} of ${ended.length}`}</span>
        <Button isSmall icon="trash" onPress={clear}>
          {t`Clear`}
        </Button>
      </div>
      <table className={styles['ended']}>
        <thead>
          <tr>
            <th scope="col">{t`Incident`}</th>
            <th scope="col">{t`Machine`}</th>
            <th scope="col">{t({ message: 'Cause', context: 'incident' })}</th>
            <th scope="col">{t`Began`}</th>
            <th scope="col">{t`Lasted`}</th>
            <th scope="col">{t`Times`}</th>
          </tr>
        </thead>
        <tbody>
          {ended.slice(0, shown).map(incident => (
            <Row key={`${incident.key} ${String(incident.resolvedAt)}`} incident={incident} />
          ))}
        </tbody>
      </table>
      {ended.length > shown ? (
        <Button isSmall onPress={() => setShown(shown + SHOWN)}>
          {t`Show more`}
        </Button>
      ) : undefined}
    </>
  )
}

import { t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '../hooks/use-selector.ts'
import { idleText } from '../../folding/fleet/idle-time.ts'
import { directNumber } from '../../folding/client/client.ts'
import { selectData, selectId, selectName } from '../../machines/connection/client/client.selectors.ts'
import { selectSchedules, selectSubjectsOf } from '../../machines/server/session/session.selectors.ts'
import { useServer } from '../hooks/server-context.ts'
import { useClientAt, useClientSelector } from '../hooks/client-context.ts'
import styles from './server.module.css'
import { SubjectActions, SubjectReason, subjectTitle } from './subject-line.tsx'

/** Why this client has its state, and until when; with buttons that change that for a time. */
export function ClientSchedule() {
  const { session } = useServer()
  const number = useClientSelector(snapshot => directNumber(selectId(snapshot)))
  const name = useClientSelector(selectName)
  const subjects = useSelector(session, snapshot => selectSubjectsOf(snapshot, number ?? 0), shallowEqual)
  const hasSchedules = useSelector(session, snapshot => (selectSchedules(snapshot)?.schedules.length ?? 0) > 0)
  const idle = subjects.find(subject => subject.idle !== undefined)?.idle
  const idleLine = useClientAt((snapshot, now) => {
    const data = selectData(snapshot)
    return idle === undefined || data === undefined ? undefined : idleText(data, idle, now, idle.at)
  })
  // A state that was chosen for a time needs no schedule.
  if (number === undefined || (!hasSchedules && subjects.length === 0)) return null
  const [whole] = subjects.filter(({ group }) => group === null)
  return (
    <section className={styles['line']} aria-label={t`Schedule of ${name}`}>
      {whole === undefined ? (
        <span className={styles['reason']}>
          <span className="quiet">{t`No schedule decides for this machine.`}</span>
        </span>
      ) : (
        <SubjectReason subject={whole} />
      )}
      {idleLine === undefined ? undefined : <span className="type-3 full-width pretty">{idleLine}</span>}
      <SubjectActions client={number} name={name} subject={whole} />
      {subjects
        .filter(({ group }) => group !== null)
        .map(subject => (
          <div key={subject.group} className="row between gap-2-4 full-width pad-top-2 soft-line-above">
            <span>{subjectTitle(name, subject.group)}</span>
            <SubjectReason subject={subject} />
            <SubjectActions client={number} name={subjectTitle(name, subject.group)} subject={subject} />
          </div>
        ))}
    </section>
  )
}

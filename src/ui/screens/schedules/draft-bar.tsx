import { t } from '@lingui/core/macro'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { effectText, ruleText, stateNames } from '../../../folding/schedule/schedule-text.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { formatClauses } from '../../../folding/shared/format.ts'
import {
  canUndo,
  isNewSchedule,
  selectDraft,
  whyScheduleNotSaved,
  withDraft,
} from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { isActing } from '../../../machines/server/session/session.selectors.ts'
import { useServer } from '../../hooks/server-context.ts'
import { useClock } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button } from '../../parts/actions/button.tsx'
import styles from './schedules.module.css'

type Props = { readonly answer: SchedulesAnswer }

/** Sends all schedules with the draft to the server. */
export function SaveSchedule({ answer: { schedules, revision } }: Props) {
  const { session, editor } = useServer()
  const blocked = useSelector(editor, snapshot => whyScheduleNotSaved(snapshot, schedules))
  const isBusy = useSelector(session, isActing)
  const save = (): void => {
    const next = withDraft(schedules, selectDraft(editor.getSnapshot()))
    session.send({ type: 'session.do', task: { kind: 'save', revision, schedules: next } })
    editor.send({ type: 'editor.close' })
  }
  return (
    <Button kind="primary" blockedBecause={blocked} isPending={isBusy} onPress={save}>
      {t`Save schedule`}
    </Button>
  )
}

/** What a schedule does as soon as it is saved. */
export function Effect({ answer: { conditions, machines }, draft }: Props & { readonly draft: Schedule }) {
  return useClock(now => effectText(draft, conditions, machines, now))
}

/** What was changed in the picture of the week and is not saved, and what can be done with it. */
export function DraftBar({ answer }: Props) {
  const { editor } = useServer()
  const draft = useSelector(editor, selectDraft)
  const mayUndo = useSelector(editor, canUndo)
  const isNew = useSelector(editor, isNewSchedule)
  if (draft === undefined) return null
  return (
    <div role="group" aria-label={t`Unsaved changes`} className={styles['draft']}>
      <p role="status" className={styles['draftText']}>
        <strong>{t`Not saved: ${draft.name}.`}</strong>{' '}
        {formatClauses(draft.rules.map(rule => `${stateNames[rule.state]}: ${ruleText(rule)}`))}.{' '}
        <Effect answer={answer} draft={draft} />
      </p>
      <span className={styles['buttons']}>
        {mayUndo ? (
          <Button icon="reset" onPress={() => editor.send({ type: 'editor.undo' })}>
            {t`Undo`}
          </Button>
        ) : undefined}
        <Button icon="edit" onPress={() => editor.send({ type: 'editor.showForm' })}>
          {t`Edit ${draft.name}`}
        </Button>
        <Button onPress={() => editor.send({ type: 'editor.close' })}>{t`Discard`}</Button>
        {/* The machines of a new one are chosen in its form. */}
        {isNew ? undefined : <SaveSchedule answer={answer} />}
      </span>
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { directId } from '../../../folding/client/client.ts'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import { planAtOnce } from '../../../folding/schedule/at-once.ts'
import { effectText, ruleText, stateNames } from '../../../folding/schedule/schedule-text.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { formatClauses } from '../../../folding/text/format.ts'
import {
  canUndo,
  isNewSchedule,
  selectDraft,
  whyScheduleNotSaved,
  withDraft,
} from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { whyNoControl } from '../../../machines/server/session/session.selectors.ts'
import { useServer } from '../../hooks/server-context.ts'
import { selectView } from '../../../machines/connection/client/client.selectors.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button } from '../../parts/actions/button.tsx'
import { focusContentSoon } from '../../parts/focus-content.ts'
import { Plan } from '../machines/selection/plan.tsx'
import styles from './schedules.module.css'

type Props = { readonly answer: SchedulesAnswer }

/** Sends all schedules with the draft to the server. */
export function SaveSchedule({ answer: { schedules, revision } }: Props) {
  const { session, editor } = useServer()
  const blocked = useSelector(editor, snapshot => whyScheduleNotSaved(snapshot, schedules))
  const isBusy = useSelector(session, snapshot => snapshot.hasTag('acting'))
  const away = useSelector(session, whyNoControl)
  const save = (): void => {
    const next = withDraft(schedules, selectDraft(editor.getSnapshot()))
    session.send({ type: 'session.do', task: { kind: 'save', revision, schedules: next } })
  }
  return (
    <Button kind="primary" blockedBecause={away ?? blocked} isPending={isBusy} onPress={save}>
      {t`Save schedule`}
    </Button>
  )
}

type EffectProps = Props & { readonly draft: Schedule }

/** What a schedule does whatever its rules, and what it does as soon as it is saved. */
export function Effect({ answer: { conditions, machines }, draft }: EffectProps) {
  return useClock(now => effectText(draft, conditions, machines, now))
}

const LOOK = 10_000

/** The same for each machine, as before an action on many machines. */
export function EffectOnMachines({ answer, draft }: EffectProps) {
  const { fleet, history } = useSystem()
  const now = useClock(at => Math.floor(at / LOOK) * LOOK)
  const members = useSelector(fleet, ({ context }) => context.members)
  const ended = useSelector(history, ({ context }) => context.history)
  const plan = useMemo(() => {
    const schedules = withDraft(answer.schedules, draft).filter(({ isEnabled }) => isEnabled)
    const viewOf = (number: number) => {
      const client = members[directId(number - 1)]?.ref.getSnapshot()
      return client === undefined ? undefined : selectView(client)
    }
    return planAtOnce(draft, schedules, answer, viewOf, ended, now)
  }, [answer, draft, members, ended, now])
  return plan.entries.length === 0 ? null : <Plan plan={plan} />
}

/** What was changed in the picture of the week and is not saved, and what can be done with it. */
export function DraftBar({ answer }: Props) {
  const { editor } = useServer()
  const draft = useSelector(editor, selectDraft)
  const mayUndo = useSelector(editor, canUndo)
  const isNew = useSelector(editor, isNewSchedule)
  if (draft === undefined) return null
  return (
    <>
      {isNew ? undefined : <EffectOnMachines answer={answer} draft={draft} />}
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
          <Button
            onPress={() => {
              editor.send({ type: 'editor.close' })
              focusContentSoon()
            }}
          >
            {t`Discard`}
          </Button>
          {/* The machines of a new one are chosen in its form. */}
          {isNew ? undefined : <SaveSchedule answer={answer} />}
        </span>
      </div>
    </>
  )
}

import { t } from '@lingui/core/macro'
import { ruleText, stateNames } from '../../../folding/schedule/schedule-text.ts'
import { scheduleFrom, templates } from '../../../folding/schedule/templates.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { useServer } from '../../hooks/server-context.ts'
import { Button } from '../../parts/actions/button.tsx'
import styles from './schedules.module.css'
import { ownZone } from '../../../folding/schedule/time-zone.ts'
import { useWhyNoDraft } from './use-draft.ts'

function needsInput(input: string): string {
  return t`Needs the input “${input}”.`
}

/** Begins a schedule at one press; it is shown in its form, and not saved. */
export function Templates({ answer: { schedules } }: { readonly answer: SchedulesAnswer }) {
  const { editor } = useServer()
  const blocked = useWhyNoDraft()
  return (
    <ul aria-label={t`Templates`} className={styles['templates']}>
      {templates.map(({ id, name, rule, hint }) => (
        <li key={id} className="grid content-start justify-start gap-1 pad-3 panel">
          <Button
            icon="plus"
            blockedBecause={blocked}
            onPress={() =>
              editor.send({
                type: 'editor.open',
                schedule: scheduleFrom([rule], name, schedules, ownZone()),
                at: undefined,
              })
            }
          >
            {name}
          </Button>
          <p className="quiet type-3 pretty">
            {stateNames[rule.state]}: {ruleText(rule)}. {t`Otherwise: ${stateNames.pause}.`}
            {rule.kind === 'input' ? ` ${needsInput(rule.input)}` : ''}
            {hint === undefined ? '' : ` ${hint}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

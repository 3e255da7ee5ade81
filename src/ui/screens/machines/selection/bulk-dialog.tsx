import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import type { BulkPlan } from '../../../../folding/fleet/bulk-action.ts'
import { actionTitle } from '../../../../folding/fleet/bulk-text.ts'
import { formatNumber } from '../../../../folding/text/format.ts'
import { isDraftComplete } from '../../../../machines/fleet/bulk/bulk.draft.ts'
import { hasForm, type Draft } from '../../../../machines/fleet/bulk/bulk.context.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Checkbox } from '../../../parts/fields/checkbox.tsx'
import { Dialog } from '../../../parts/overlays/dialog.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import styles from './bulk-dialog.module.css'
import { Plan } from './plan.tsx'
import { IdleForm } from './idle-form.tsx'
import { RenameForm } from './rename-form.tsx'
import { ProcessorForm } from './processor-form.tsx'
import { TagForm } from './tag-form.tsx'
import { SettingsPatchForm } from './settings-patch-form.tsx'

function titleOf({ action, ids, isRetry }: Draft): string {
  const title = actionTitle(action)
  const machines = plural(ids.length, { one: '# machine', other: '# machines' })
  return isRetry ? t`${title} again: ${machines}` : `${title}: ${machines}`
}

/** Groups that were paused on purpose, and the choice to leave them. */
function PausedGroups({ draft: { action }, plan }: { readonly draft: Draft; readonly plan: BulkPlan }) {
  const { bulk } = useSystem()
  if (action.kind !== 'state' || action.state === 'pause') return null
  let count = 0
  for (const { effect } of plan.entries) {
    if (effect.kind === 'change') count += effect.resumed.length + effect.kept.length
    if (effect.kind === 'same') count += effect.kept.length
  }
  if (count === 0) return null
  return (
    <div className="grid gap-1">
      <p>
        {plural(count, {
          one: '# resource group or GPU is paused while others of its machine are not.',
          other: '# resource groups or GPUs are paused while others of their machines are not.',
        })}
      </p>
      <Checkbox
        isSelected={!action.keepsPaused}
        onChange={resumes => bulk.send({ type: 'bulk.edit', action: { ...action, keepsPaused: !resumes } })}
      >
        {t`Resume these too`}
      </Checkbox>
    </div>
  )
}

function noteOf({ action: { kind } }: Draft): string | undefined {
  if (kind === 'unlink')
    return t`This cannot be undone from here: you lose remote access to these machines until each is linked again.`
  return kind === 'restart' ? t`Their connections through the account end for a moment.` : undefined
}

function Preview({ draft, plan }: { readonly draft: Draft; readonly plan: BulkPlan }) {
  const { bulk } = useSystem()
  const cancel = (): void => bulk.send({ type: 'bulk.cancel' })
  const { change } = plan.counts
  const note = noteOf(draft)
  return (
    <Dialog
      title={titleOf(draft)}
      onLeave={cancel}
      isForm
      footer={
        <>
          <Button onPress={cancel}>{t`Cancel`}</Button>
          {hasForm(draft.action) && !draft.isRetry ? (
            <Button onPress={() => bulk.send({ type: 'bulk.showForm' })}>{t`Back`}</Button>
          ) : undefined}
          <Button
            kind={draft.action.kind === 'unlink' ? 'danger' : 'primary'}
            autoFocus
            blockedBecause={change === 0 ? t`No machine would change.` : undefined}
            onPress={() => bulk.send({ type: 'bulk.confirm' })}
          >
            {change === 0 ? actionTitle(draft.action) : t`${actionTitle(draft.action)} (${formatNumber(change)})`}
          </Button>
        </>
      }
    >
      <div className={styles['content']}>
        {note === undefined ? undefined : <p>{note}</p>}
        <PausedGroups draft={draft} plan={plan} />
        <Plan plan={plan} />
      </div>
    </Dialog>
  )
}

function Form({ draft }: { readonly draft: Draft }) {
  const { bulk } = useSystem()
  const isComplete = useSelector(bulk, isDraftComplete)
  const cancel = (): void => bulk.send({ type: 'bulk.cancel' })
  const { action } = draft
  return (
    <Dialog
      title={titleOf(draft)}
      onLeave={cancel}
      isForm
      footer={
        <>
          <Button onPress={cancel}>{t`Cancel`}</Button>
          <Button
            kind="primary"
            blockedBecause={
              isComplete ? undefined : action.kind === 'tags' ? t`Type a tag.` : t`Choose what to change first.`
            }
            onPress={() => bulk.send({ type: 'bulk.showPreview' })}
          >
            {t`Preview`}
          </Button>
        </>
      }
    >
      {action.kind === 'settings' ? <SettingsPatchForm patch={action.patch} /> : undefined}
      {action.kind === 'tags' ? <TagForm mode={action.mode} tag={action.tag} /> : undefined}
      {action.kind === 'processor' ? <ProcessorForm action={action} ids={draft.ids} /> : undefined}
      {action.kind === 'idle' ? <IdleForm action={action} /> : undefined}
      {action.kind === 'rename' ? <RenameForm pattern={action.pattern} /> : undefined}
    </Dialog>
  )
}

/** An action on many clients while it is prepared: its form, then what it means for each client. */
export function BulkDialog() {
  const { bulk } = useSystem()
  const draft = useSelector(bulk, ({ context }) => context.draft)
  const plan = useSelector(bulk, ({ context }) => context.plan)
  const showsForm = useSelector(bulk, snapshot => snapshot.hasTag('form'))
  const showsPreview = useSelector(bulk, snapshot => snapshot.hasTag('preview'))
  if (draft === undefined) return null
  if (showsForm) return <Form draft={draft} />
  return showsPreview && plan !== undefined ? <Preview draft={draft} plan={plan} /> : null
}

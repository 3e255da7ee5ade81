import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import type { MachineForm } from '../../../../folding/machine/machine-form.ts'
import { selectMachineComplaint } from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { selectDraft } from '../../../../machines/shared/draft/draft.selectors.ts'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { PasswordField } from '../../../parts/fields/password-field.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { CauseSelect } from '../../cause-select.tsx'
import { useFact } from '../../machines/client-context.ts'
import { Section } from './section.tsx'
import { useDraft } from './settings-context.ts'
import { settingsHelp } from './settings-help.ts'

type Donor = NonNullable<MachineForm['donor']>
type TextProps = {
  readonly field: 'user' | 'team'
  readonly label: string
  readonly placeholder: string
  readonly inputMode?: 'numeric'
}

const DonorText = ({ field, label, ...rest }: TextProps) => {
  const draft = useDraft()
  const value = useSelector(draft, snapshot => selectDraft(snapshot)?.donor?.[field] ?? '')
  const error = useSelector(draft, selectMachineComplaint(field))
  return (
    <TextField
      {...rest}
      label={label}
      name={field}
      autoComplete="off"
      value={value}
      error={error}
      onChange={typed =>
        draft.send({ type: 'draft.edit', change: { donor: { [field]: field === 'user' ? typed : typed.trim() } } })
      }
      help={<FieldHelp about={label} text={settingsHelp[field]} />}
    />
  )
}

const Passkey = () => {
  const draft = useDraft()
  const value = useSelector(draft, snapshot => selectDraft(snapshot)?.donor?.secrets.passkey ?? '')
  const error = useSelector(draft, selectMachineComplaint('passkey'))
  return (
    <PasswordField
      label={t`Passkey`}
      name="passkey"
      isNoPassword
      value={value}
      error={error}
      onChange={typed => draft.send({ type: 'draft.edit', change: { donor: { secrets: { passkey: typed.trim() } } } })}
      help={<FieldHelp about={t`Passkey`} text={settingsHelp.passkey} />}
    />
  )
}

/** Whom the machine folds for, as long as nobody is signed in. */
export const DonorSection = () => {
  const draft = useDraft()
  const cause = useSelector(
    draft,
    snapshot => (selectDraft(snapshot)?.donor satisfies Donor | undefined)?.cause ?? 'any',
  )
  const hasAccount = useFact(({ context }) => (context.record.data?.info.account ?? '') !== '')
  return (
    <Section
      title={t`Account`}
      about={
        hasAccount
          ? t`The machine is linked to an account, whose settings take the place of these when it connects to it the next time. Log in to change them there.`
          : t`Whom this machine folds for.`
      }
    >
      <DonorText field="user" label={t`User name`} placeholder={t`Anonymous`} />
      <DonorText field="team" label={t`Team`} placeholder={t`No team`} inputMode="numeric" />
      <Passkey />
      <CauseSelect
        cause={cause}
        onChange={chosen => draft.send({ type: 'draft.edit', change: { donor: { cause: chosen } } })}
        help={<FieldHelp about={t`Cause`} text={settingsHelp.cause} />}
      />
    </Section>
  )
}

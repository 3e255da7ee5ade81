import { t } from '@lingui/core/macro'
import { Link } from 'react-router-dom'
import { useSelector } from '../../../hooks/use-selector.ts'
import type { ClientForm } from '../../../../folding/client/client-form.ts'
import { accountSettingTexts } from '../../../../folding/client/setting-texts.ts'
import { selectFieldError } from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { selectDraft } from '../../../../machines/shared/draft/draft.selectors.ts'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { PasswordField } from '../../../parts/fields/password-field.tsx'
import { TextField } from '../../../parts/fields/text-field.tsx'
import { CauseSelect } from '../../cause-select.tsx'
import { useClientSelector } from '../../../hooks/client-context.ts'
import { OldConfigFile } from './old-config.tsx'
import { Section } from './section.tsx'
import { useDraft } from './settings-context.ts'

type Donor = NonNullable<ClientForm['donor']>
type TextProps = { readonly field: 'user' | 'team'; readonly inputMode?: 'numeric' }

function DonorText({ field, ...rest }: TextProps) {
  const draft = useDraft()
  const value = useSelector(draft, snapshot => selectDraft(snapshot)?.donor?.[field] ?? '')
  const error = useSelector(draft, selectFieldError(field))
  const { label, help, placeholder = '' } = accountSettingTexts[field]
  return (
    <TextField
      {...rest}
      label={label}
      placeholder={placeholder}
      name={field}
      autoComplete="off"
      value={value}
      error={error}
      onChange={typed =>
        draft.send({ type: 'draft.edit', change: { donor: { [field]: field === 'user' ? typed : typed.trim() } } })
      }
      help={<FieldHelp about={label} text={help} />}
    />
  )
}

function Passkey() {
  const draft = useDraft()
  const value = useSelector(draft, snapshot => selectDraft(snapshot)?.donor?.secrets.passkey ?? '')
  const error = useSelector(draft, selectFieldError('passkey'))
  const { label, help } = accountSettingTexts.passkey
  return (
    <PasswordField
      label={label}
      name="passkey"
      isNoPassword
      value={value}
      error={error}
      onChange={typed => draft.send({ type: 'draft.edit', change: { donor: { secrets: { passkey: typed.trim() } } } })}
      help={<FieldHelp about={label} text={help} page="/help/words#passkey" />}
    />
  )
}

/** The donor that the client folds for while no user is signed in. */
export function DonorSection() {
  const draft = useDraft()
  const cause = useSelector(
    draft,
    snapshot => (selectDraft(snapshot)?.donor satisfies Donor | undefined)?.cause ?? 'any',
  )
  const hasAccount = useClientSelector(({ context }) => (context.record.data?.info.account ?? '') !== '')
  return (
    <Section
      title={t`Account`}
      about={
        hasAccount ? (
          <>
            {t`This machine is linked to an account. The account’s settings replace these when it next connects. Log in to change them there.`}{' '}
            <Link to="/account/settings">{t`Account settings`}</Link>
          </>
        ) : (
          t`Whom this machine folds for.`
        )
      }
    >
      <DonorText field="user" />
      <DonorText field="team" inputMode="numeric" />
      <Passkey />
      <CauseSelect
        cause={cause}
        onChange={chosen => draft.send({ type: 'draft.edit', change: { donor: { cause: chosen } } })}
        help={<FieldHelp about={accountSettingTexts.cause.label} text={accountSettingTexts.cause.help} />}
      />
      <OldConfigFile />
    </Section>
  )
}

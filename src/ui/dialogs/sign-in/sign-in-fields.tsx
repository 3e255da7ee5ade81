import { t } from '@lingui/core/macro'
import { NewPassphraseFields } from '../new-passphrase.tsx'
import { PasswordField } from '../../parts/fields/password-field.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Help } from '../../parts/overlays/help.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import type { FormHandle } from './use-sign-in-form.ts'

type Props = { readonly form: FormHandle; readonly isReadOnly: boolean }

export function EmailField({ form: { typed, type, errors }, isReadOnly }: Props) {
  return (
    <TextField
      label={t`Email`}
      type="email"
      name="email"
      autoComplete="username"
      inputMode="email"
      value={typed.email}
      onChange={email => type({ email })}
      error={errors.email}
      isRequired
      isReadOnly={isReadOnly}
      autoFocus
    />
  )
}

export function PassphraseField({ form: { typed, type, isShown, show, errors }, isReadOnly }: Props) {
  return (
    <PasswordField
      label={t`Passphrase`}
      name="passphrase"
      autoComplete="current-password"
      isRequired
      value={typed.passphrase}
      onChange={passphrase => type({ passphrase })}
      isShown={isShown}
      onShow={show}
      error={errors.passphrase}
      isReadOnly={isReadOnly}
    />
  )
}

export function SignInNewPassphrase({ form: { typed, type, isShown, show, errors }, isReadOnly }: Props) {
  const { signIn } = useSystem()
  return (
    <NewPassphraseFields
      label={t`Passphrase`}
      typed={typed}
      onType={type}
      onGenerate={() => signIn.send({ type: 'signIn.generate' })}
      errors={errors}
      isShown={isShown}
      onShow={show}
      isReadOnly={isReadOnly}
    />
  )
}

/** Donor, team and passkey. The name is required only for a new account with a sign-in provider. */
export function ProfileFields({
  form: { typed, type, errors },
  isReadOnly,
  isUserRequired,
}: Props & { readonly isUserRequired: boolean }) {
  return (
    <>
      <TextField
        label={t`User name`}
        name="user"
        autoComplete="nickname"
        value={typed.user}
        onChange={user => type({ user })}
        error={errors.user}
        isReadOnly={isReadOnly}
        {...(isUserRequired ? { isRequired: true } : { placeholder: t`Anonymous` })}
        help={
          <Help about={t`User name`}>
            <p>{t`Points are credited to this name. It need not be unique. “Anonymous” keeps you anonymous.`}</p>
            <p>{t`Any characters other than < > ; or & are allowed.`}</p>
          </Help>
        }
      />
      <TextField
        label={t`Team`}
        name="team"
        autoComplete="off"
        inputMode="numeric"
        value={typed.team}
        onChange={team => type({ team: team.trim() })}
        error={errors.team}
        isReadOnly={isReadOnly}
        placeholder={t`No team`}
        help={
          <Help about={t`Team`}>
            <p>{t`The number of your team. You can change it later.`}</p>
          </Help>
        }
      />
      <PasswordField
        label={t`Passkey`}
        name="passkey"
        isNoPassword
        value={typed.passkey}
        onChange={passkey => type({ passkey: passkey.trim() })}
        error={errors.passkey}
        isReadOnly={isReadOnly}
        help={
          <Help about={t`Passkey`}>
            <p>{t`A passkey earns bonus points. Request one from the project; you can enter it later.`}</p>
          </Help>
        }
      />
    </>
  )
}

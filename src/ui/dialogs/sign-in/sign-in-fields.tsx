import type { SignInErrors } from '../../../machines/account/sign-in/sign-in.machine.ts'
import { PasswordField } from '../../parts/fields/password-field.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Help } from '../../parts/overlays/help.tsx'
import { useSystem } from '../../system-context.ts'
import { useCopy } from '../../use-copy.ts'
import styles from '../form.module.css'
import type { FormHandle } from './use-sign-in-form.ts'

type Props = { readonly form: FormHandle; readonly errors: SignInErrors; readonly isReadOnly: boolean }

export const EmailField = ({ form: { typed, type }, errors, isReadOnly }: Props) => (
  <TextField
    label="E-mail"
    type="email"
    name="email"
    autoComplete="username"
    inputMode="email"
    value={typed.email}
    onChange={email => type({ email })}
    error={errors.email}
    isReadOnly={isReadOnly}
    autoFocus
  />
)

export const PassphraseField = ({ form: { typed, type, isShown, show }, errors, isReadOnly }: Props) => (
  <PasswordField
    label="Passphrase"
    name="passphrase"
    autoComplete="current-password"
    value={typed.passphrase}
    onChange={passphrase => type({ passphrase })}
    isShown={isShown}
    onShow={show}
    error={errors.passphrase}
    isReadOnly={isReadOnly}
  />
)

/** A passphrase that is new: typed twice, or made up. */
export const NewPassphraseFields = ({ form: { typed, type, isShown, show }, errors, isReadOnly }: Props) => {
  const { signIn } = useSystem()
  const { copy, outcome } = useCopy()
  return (
    <>
      <PasswordField
        label="Passphrase"
        name="passphrase"
        autoComplete="new-password"
        value={typed.passphrase}
        onChange={passphrase => type({ passphrase })}
        isShown={isShown}
        onShow={show}
        onGenerate={() => signIn.send({ type: 'signIn.generate' })}
        onCopy={() => copy('Passphrase', typed.passphrase)}
        description="At least 10 characters. Nobody can read it but you: keep it safe."
        error={errors.passphrase}
        isReadOnly={isReadOnly}
      />
      <p role="status" className={styles['step']}>
        {outcome}
      </p>
      <PasswordField
        label="Repeat passphrase"
        name="passphrase-again"
        autoComplete="new-password"
        value={typed.passphraseAgain}
        onChange={passphraseAgain => type({ passphraseAgain })}
        isShown={isShown}
        onShow={show}
        error={errors.passphraseAgain}
        isReadOnly={isReadOnly}
      />
    </>
  )
}

/** How the person folds. Only a new account of a provider must have a name. */
export const ProfileFields = ({
  form: { typed, type },
  errors,
  isReadOnly,
  isUserRequired,
}: Props & { readonly isUserRequired: boolean }) => (
  <>
    <TextField
      label="User name"
      name="user"
      autoComplete="nickname"
      value={typed.user}
      onChange={user => type({ user })}
      error={errors.user}
      isReadOnly={isReadOnly}
      {...(isUserRequired ? {} : { placeholder: 'Anonymous' })}
      help={
        <Help about="User name">
          <p>Points are counted for this name. It need not be unique. “Anonymous” keeps you anonymous.</p>
          <p>Any characters other than &lt; &gt; ; or &amp; are allowed.</p>
        </Help>
      }
    />
    <TextField
      label="Team"
      name="team"
      autoComplete="off"
      inputMode="numeric"
      value={typed.team}
      onChange={team => type({ team })}
      error={errors.team}
      isReadOnly={isReadOnly}
      placeholder="No team"
      help={
        <Help about="Team">
          <p>The number of the team that you fold for. You can change it later.</p>
        </Help>
      }
    />
    <PasswordField
      label="Passkey"
      name="passkey"
      autoComplete="off"
      value={typed.passkey}
      onChange={passkey => type({ passkey })}
      error={errors.passkey}
      isReadOnly={isReadOnly}
      help={
        <Help about="Passkey">
          <p>A passkey gives you bonus points. You can get one from the project and enter it later.</p>
        </Help>
      }
    />
  </>
)

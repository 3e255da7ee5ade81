import { useSelector } from '@xstate/react'
import { useId, useState } from 'react'
import {
  isSignInBusy,
  selectSignInErrors,
  selectSignInFailure,
  selectSignInStep,
} from '../../machines/account/sign-in/sign-in.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { PasswordField } from '../parts/fields/password-field.tsx'
import { TextField } from '../parts/fields/text-field.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../system-context.ts'
import styles from './form.module.css'

const Failure = () => {
  const failure = useSelector(useSystem().signIn, selectSignInFailure)
  if (failure === undefined) return null
  return (
    <Banner tone="failed" icon="fail" isUrgent>
      <strong>{failure.title}</strong> {failure.text}
    </Banner>
  )
}

/** What is typed stays here until it is sent: a passphrase has no place in a state that can be recorded. */
export const LoginDialog = () => {
  const { signIn } = useSystem()
  const form = useId()
  const [email, setEmail] = useState('')
  const [passphrase, setPassphrase] = useState('')
  const errors = useSelector(signIn, selectSignInErrors)
  const isBusy = useSelector(signIn, isSignInBusy)
  const step = useSelector(signIn, selectSignInStep)
  const cancel = (): void => signIn.send({ type: 'signIn.cancel' })
  return (
    <Dialog
      title="Login"
      onLeave={cancel}
      footer={
        <>
          <Button onPress={cancel}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} isPending={isBusy}>
            {isBusy ? 'Logging in…' : 'Login'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) signIn.send({ type: 'signIn.submit', email, user: '', team: '', secrets: { passphrase, passphraseAgain: '', passkey: '' } })
        }}
      >
        <Failure />
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          value={email}
          onChange={setEmail}
          error={errors.email}
          isReadOnly={isBusy}
          autoFocus
        />
        <PasswordField
          label="Passphrase"
          name="passphrase"
          autoComplete="current-password"
          value={passphrase}
          onChange={setPassphrase}
          error={errors.passphrase}
          isReadOnly={isBusy}
        />
        <p role="status" className={styles['step']}>
          {step ?? 'Your passphrase itself is never sent.'}
        </p>
      </form>
    </Dialog>
  )
}

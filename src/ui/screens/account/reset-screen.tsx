import { useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import {
  isResetDone,
  isResetting,
  selectResetErrors,
  selectResetFailure,
  selectResetStep,
} from '../../../machines/account/reset/reset.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { PasswordField } from '../../parts/fields/password-field.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useSystem } from '../../system-context.ts'
import { useCopy } from '../../use-copy.ts'
import { Page } from '../page.tsx'
import styles from './account.module.css'

const Done = () => {
  const { signIn } = useSystem()
  return (
    <EmptyState
      icon="done"
      title="Your passphrase was reset."
      actions={
        <Button kind="primary" onPress={() => signIn.send({ type: 'signIn.open' })}>
          Login
        </Button>
      }
    >
      <p>Log in with your new passphrase.</p>
    </EmptyState>
  )
}

const Effects = () => (
  <ul className={styles['effects']}>
    <li>Your account gets a new passphrase and a new key pair. The old ones open nothing any more.</li>
    <li>Your machines stay linked. Each can be reached again as soon as it has reconnected with the new key.</li>
    <li>You are logged out everywhere, and have to log in again with the new passphrase.</li>
  </ul>
)

/** What is typed stays here until it is sent, as in the login dialog. */
const usePassphrase = () => {
  const { reset } = useSystem()
  const [typed, setTyped] = useState({ passphrase: '', passphraseAgain: '' })
  const [isShown, show] = useState(false)
  useEffect(() => {
    const subscription = reset.on('passphrase.made', ({ secrets: { passphrase } }) => {
      setTyped({ passphrase, passphraseAgain: passphrase })
      show(true)
    })
    return () => subscription.unsubscribe()
  }, [reset])
  return { typed, setTyped, isShown, show }
}

const ResetForm = ({ email, token }: { readonly email: string; readonly token: string }) => {
  const { reset } = useSystem()
  const { typed, setTyped, isShown, show } = usePassphrase()
  const { copy, outcome } = useCopy()
  const errors = useSelector(reset, selectResetErrors)
  const failure = useSelector(reset, selectResetFailure)
  const step = useSelector(reset, selectResetStep)
  const isBusy = useSelector(reset, isResetting)
  const field = { isShown, onShow: show, autoComplete: 'new-password', isReadOnly: isBusy } as const
  return (
    <form
      noValidate
      className={styles['form']}
      onSubmit={event => {
        event.preventDefault()
        if (!isBusy) reset.send({ type: 'reset.submit', email, secrets: { token, ...typed } })
      }}
    >
      {failure === undefined ? undefined : (
        <Banner tone="failed" icon="fail">
          <strong>Reset failed</strong> {failure}
        </Banner>
      )}
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={() => undefined}
        error={errors.email}
        isReadOnly
      />
      <PasswordField
        {...field}
        label="Passphrase"
        name="passphrase"
        value={typed.passphrase}
        onChange={passphrase => setTyped({ ...typed, passphrase })}
        onGenerate={() => reset.send({ type: 'reset.generate' })}
        onCopy={() => copy('Passphrase', typed.passphrase)}
        description="At least 10 characters. Nobody can read it but you: keep it safe."
        error={errors.passphrase}
      />
      <PasswordField
        {...field}
        label="Repeat passphrase"
        name="passphrase-again"
        value={typed.passphraseAgain}
        onChange={passphraseAgain => setTyped({ ...typed, passphraseAgain })}
        error={errors.passphraseAgain}
      />
      <div className={styles['row']}>
        <Button kind="primary" type="submit" isPending={isBusy}>
          {isBusy ? 'Resetting…' : 'Reset'}
        </Button>
        {isBusy ? <Button onPress={() => reset.send({ type: 'reset.cancel' })}>Cancel</Button> : undefined}
        <span role="status" className={styles['quiet']}>
          {step ?? outcome}
        </span>
      </div>
    </form>
  )
}

/** What the link in a reset e-mail leads to. */
export const ResetScreen = () => {
  const { reset } = useSystem()
  const { token = '' } = useParams()
  const [search] = useSearchParams()
  const isDone = useSelector(reset, isResetDone)
  useEffect(() => reset.send({ type: 'reset.open' }), [reset, token])
  return (
    <Page title="Reset your passphrase">
      {isDone ? (
        <Done />
      ) : (
        <div className={styles['form']}>
          <Effects />
          <ResetForm email={search.get('email') ?? ''} token={token} />
        </div>
      )}
    </Page>
  )
}

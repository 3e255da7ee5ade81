import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import { selectResetFailure, selectResetStep } from '../../../machines/account/reset/reset.selectors.ts'
import { NewPassphraseFields, useNewPassphrase } from '../../dialogs/new-passphrase.tsx'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { HelpBeside } from '../../parts/feedback/help-beside.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { Page } from '../page.tsx'
import { WhenLoaded } from '../when-loaded.tsx'
import { LoginOrMachines } from './verify-screen.tsx'
import styles from './account.module.css'

function ResetDone() {
  const signedIn = useSelector(useSystem().account, snapshot => snapshot.hasTag('signedIn'))
  return (
    <EmptyState icon="done" title={t`Your passphrase was reset.`} align="start" actions={<LoginOrMachines />}>
      <p>{signedIn ? t`You are logged in.` : t`Log in with your new passphrase.`}</p>
    </EmptyState>
  )
}

function Effects() {
  return (
    <ul className={styles['effects']}>
      <li>{t`Your account gets a new passphrase and a new key pair. The old ones stop working.`}</li>
      <li>{t`Your machines stay linked. Each becomes available again when it has reconnected with the new key.`}</li>
      <li>{t`You are logged out everywhere and must log in with the new passphrase.`}</li>
    </ul>
  )
}

function ResetForm({ email, token }: { readonly email: string; readonly token: string }) {
  const { reset } = useSystem()
  const initial = { email, passphrase: '', passphraseAgain: '' }
  const submitted = useSelector(reset, ({ context }) => context.errors)
  const { typed, type, isShown, show, form, errors } = useNewPassphrase(reset, submitted, initial)
  const failure = useSelector(reset, selectResetFailure)
  const step = useSelector(reset, selectResetStep)
  const isBusy = useSelector(reset, snapshot => snapshot.hasTag('busy'))
  return (
    <form
      ref={form}
      noValidate
      className="stack gap-5 prose"
      onSubmit={event => {
        event.preventDefault()
        const { email: address, ...secrets } = typed
        if (!isBusy) reset.send({ type: 'reset.submit', email: address, secrets: { token, ...secrets } })
      }}
    >
      {failure === undefined ? undefined : (
        <Banner
          tone="failed"
          icon="fail"
          isUrgent
          actions={<HelpBeside to="/help/when-something-is-wrong#login-fails" />}
        >
          <strong>{t`Reset failed`}</strong> {failure}
        </Banner>
      )}
      <TextField
        label={t`Email`}
        type="email"
        name="email"
        autoComplete="username"
        value={typed.email}
        onChange={address => type({ email: address })}
        error={errors.email}
        isRequired
        isReadOnly={isBusy || email !== ''}
      />
      <NewPassphraseFields
        label={t`Passphrase`}
        typed={typed}
        onType={type}
        onGenerate={() => reset.send({ type: 'reset.generate' })}
        errors={errors}
        isShown={isShown}
        onShow={show}
        isReadOnly={isBusy}
      />
      <div className="row gap-2-3">
        <Button kind="primary" type="submit" isPending={isBusy}>
          {isBusy ? t`Resetting…` : t`Reset`}
        </Button>
        {isBusy ? <Button onPress={() => reset.send({ type: 'reset.cancel' })}>{t`Cancel`}</Button> : undefined}
        <span role="status" className="quiet type-3">
          {step}
        </span>
      </div>
    </form>
  )
}

function Reset() {
  const { reset } = useSystem()
  const { token = '' } = useParams()
  const [search] = useSearchParams()
  // A plus sign that the mail program did not encode is decoded as a space.
  const email = (search.get('email') ?? '').replaceAll(' ', '+')
  const isDone = useSelector(reset, snapshot => snapshot.hasTag('done'))
  useEffect(() => reset.send({ type: 'reset.open' }), [reset, token])
  return isDone ? (
    <ResetDone />
  ) : (
    <div className="stack gap-5 prose">
      <Effects />
      <ResetForm key={email} email={email} token={token} />
    </div>
  )
}

/** The target of the link in a reset email. */
export function ResetScreen() {
  return (
    <Page title={t`Reset your passphrase`}>
      <WhenLoaded part="account" what={t`This screen`}>
        <Reset />
      </WhenLoaded>
    </Page>
  )
}

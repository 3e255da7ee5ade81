import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useId } from 'react'
import type { SignInMode } from '../../../machines/account/sign-in/sign-in.events.ts'
import {
  isSignInBusy,
  selectProviders,
  selectSignInFailure,
  selectSignInMode,
  selectSignInStep,
  selectVouchedEmail,
} from '../../../machines/account/sign-in/sign-in.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import formStyles from '../form.module.css'
import { modeWords } from './mode-words.ts'
import styles from './sign-in-dialog.module.css'
import { EmailField, SignInNewPassphrase, PassphraseField, ProfileFields } from './sign-in-fields.tsx'
import { formOf, useSignInForm, type FormHandle } from './use-sign-in-form.ts'

const Failure = () => {
  const failure = useSelector(useSystem().signIn, selectSignInFailure)
  if (failure === undefined) return null
  return (
    <Banner tone="failed" icon="fail" isUrgent>
      <strong>{failure.title}</strong> {failure.text}
    </Banner>
  )
}

/** Password managers want to know whose passphrase it is, though the person need not. */
const Vouched = () => {
  const email = useSelector(useSystem().signIn, selectVouchedEmail)
  return (
    <>
      <p>{email === '' ? t`Signed in by your provider.` : email}</p>
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
    </>
  )
}

const Fields = ({ mode, form }: { readonly mode: SignInMode; readonly form: FormHandle }) => {
  const { signIn } = useSystem()
  const isReadOnly = useSelector(signIn, isSignInBusy)
  const props = { form, isReadOnly }
  const isVouched = mode === 'unlock' || mode === 'create'
  const isNew = mode === 'register' || mode === 'create'
  return (
    <>
      {isVouched ? <Vouched /> : <EmailField {...props} />}
      {isNew ? <SignInNewPassphrase {...props} /> : mode === 'reset' ? undefined : <PassphraseField {...props} />}
      {isNew ? <ProfileFields {...props} isUserRequired={mode === 'create'} /> : undefined}
    </>
  )
}

/** What else could be wanted; each at most a press away. */
const Others = ({ mode }: { readonly mode: SignInMode }) => {
  const { signIn } = useSystem()
  const providers = useSelector(signIn, selectProviders)
  if (mode === 'unlock' || mode === 'create') return null
  const go = (name: SignInMode): void => signIn.send({ type: 'signIn.setMode', mode: name })
  return (
    <div className={styles['others']}>
      {mode === 'login'
        ? providers.map(({ id, name }) => (
            <Button key={id} icon="user" onPress={() => signIn.send({ type: 'signIn.chooseProvider', provider: id })}>
              {t`Continue with ${name}`}
            </Button>
          ))
        : undefined}
      <p className={styles['line']}>
        {mode === 'login' ? t`No account yet?` : t`Already have an account?`}
        <Button isSmall onPress={() => go(mode === 'login' ? 'register' : 'login')}>
          {mode === 'login' ? t`Register` : t`Login`}
        </Button>
      </p>
      {mode === 'reset' ? undefined : (
        <p className={styles['line']}>
          {t`Forgot your passphrase?`}
          <Button isSmall onPress={() => go('reset')}>
            {t`Reset it`}
          </Button>
        </p>
      )}
    </div>
  )
}

/** The login dialog in all its modes. It stays until something came of it, or it is cancelled. */
export const SignInDialog = () => {
  const { signIn } = useSystem()
  const id = useId()
  const { element, ...form } = useSignInForm()
  const mode = useSelector(signIn, selectSignInMode)
  const isBusy = useSelector(signIn, isSignInBusy)
  const step = useSelector(signIn, selectSignInStep)
  const words = modeWords[mode]
  const cancel = (): void => signIn.send({ type: 'signIn.cancel' })
  return (
    <Dialog
      title={words.title}
      isForm
      onLeave={cancel}
      footer={
        <>
          <Button onPress={cancel}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={id} isPending={isBusy}>
            {isBusy ? words.busy : words.submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        key={mode}
        ref={element}
        noValidate
        className={formStyles['form']}
        onSubmit={event => {
          event.preventDefault()
          if (!isBusy) signIn.send({ type: 'signIn.submit', ...formOf(form.typed) })
        }}
      >
        <Failure />
        {words.about === undefined ? undefined : <p>{words.about}</p>}
        <Fields mode={mode} form={form} />
        <p role="status" className={formStyles['step']}>
          {step ?? (mode === 'reset' ? '' : t`Your passphrase is never sent to the server.`)}
        </p>
        {isBusy ? undefined : <Others mode={mode} />}
      </form>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useId } from 'react'
import type { SignInMode } from '../../../machines/account/sign-in/sign-in.events.ts'
import { selectSignInFailure, selectSignInStep } from '../../../machines/account/sign-in/sign-in.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { HelpBeside } from '../../parts/feedback/help-beside.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { LanguageMenu } from '../../shell/language-menu.tsx'
import formStyles from '../form.module.css'
import { modeTexts } from './mode-texts.ts'
import { EmailField, SignInNewPassphrase, PassphraseField, ProfileFields } from './sign-in-fields.tsx'
import { formOf, useSignInForm, type FormHandle } from './use-sign-in-form.ts'

function SignInError() {
  const failure = useSelector(useSystem().signIn, selectSignInFailure)
  if (failure === undefined) return null
  return (
    <Banner tone="failed" icon="fail" isUrgent actions={<HelpBeside to="/help/when-something-is-wrong#login-fails" />}>
      <strong>{failure.title}</strong> {failure.text}
    </Banner>
  )
}

/** The email address that the provider vouches for. The hidden field is for password managers. */
function ProviderEmail() {
  const email = useSelector(useSystem().signIn, ({ context }) => context.email)
  return (
    <>
      <p>{email === '' ? t`Signed in by your provider.` : email}</p>
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
    </>
  )
}

function Fields({ mode, form }: { readonly mode: SignInMode; readonly form: FormHandle }) {
  const { signIn } = useSystem()
  const isReadOnly = useSelector(signIn, snapshot => snapshot.hasTag('busy'))
  const props = { form, isReadOnly }
  const isFromProvider = mode === 'unlock' || mode === 'create'
  const isNew = mode === 'register' || mode === 'create'
  return (
    <>
      {isFromProvider ? <ProviderEmail /> : <EmailField {...props} />}
      {isNew ? <SignInNewPassphrase {...props} /> : mode === 'reset' ? undefined : <PassphraseField {...props} />}
      {isNew ? <ProfileFields {...props} isUserRequired={mode === 'create'} /> : undefined}
    </>
  )
}

/** Switches to other modes, and sign-in providers. */
function OtherOptions({ mode }: { readonly mode: SignInMode }) {
  const { signIn } = useSystem()
  const providers = useSelector(signIn, ({ context }) => context.providers)
  if (mode === 'unlock' || mode === 'create') return null
  const setMode = (next: SignInMode): void => signIn.send({ type: 'signIn.setMode', mode: next })
  return (
    <div className="grid gap-2 pad-top-4 line-above">
      {mode === 'login'
        ? providers.map(({ id, name }) => (
            <Button key={id} icon="user" onPress={() => signIn.send({ type: 'signIn.chooseProvider', provider: id })}>
              {t`Continue with ${name}`}
            </Button>
          ))
        : undefined}
      <p className="row between gap-2 quiet">
        {mode === 'login' ? t`No account yet?` : t`Already have an account?`}
        <Button isSmall onPress={() => setMode(mode === 'login' ? 'register' : 'login')}>
          {mode === 'login' ? t`Register` : t`Login`}
        </Button>
      </p>
      {mode !== 'login' ? undefined : (
        <p className="row between gap-2 quiet">
          {t`Forgot your passphrase?`}
          <Button isSmall onPress={() => setMode('reset')}>
            {t`Reset it`}
          </Button>
        </p>
      )}
      <p className="row between gap-2 quiet">
        {t`Language`}
        <LanguageMenu />
      </p>
    </div>
  )
}

/** The login dialog in all its modes. It closes when it succeeds or is canceled. */
export function SignInDialog() {
  const { signIn } = useSystem()
  const id = useId()
  const { element, ...form } = useSignInForm()
  const mode = useSelector(signIn, ({ context }) => context.mode)
  const isBusy = useSelector(signIn, snapshot => snapshot.hasTag('busy'))
  const step = useSelector(signIn, selectSignInStep)
  const texts = modeTexts[mode]
  const cancel = (): void => signIn.send({ type: 'signIn.cancel' })
  return (
    <Dialog
      title={texts.title}
      isForm
      onLeave={cancel}
      footer={
        <>
          <Button onPress={cancel}>{t`Cancel`}</Button>
          <Button kind="primary" type="submit" form={id} isPending={isBusy}>
            {isBusy ? texts.busy : texts.submit}
          </Button>
        </>
      }
    >
      <form
        id={id}
        key={mode}
        ref={element}
        noValidate
        className="stack gap-4"
        onSubmit={event => {
          event.preventDefault()
          if (!isBusy) signIn.send({ type: 'signIn.submit', ...formOf(form.typed) })
        }}
      >
        <SignInError />
        {texts.about === undefined ? undefined : <p>{texts.about}</p>}
        <Fields mode={mode} form={form} />
        <p role="status" className={formStyles['step']}>
          {step ?? (mode === 'reset' ? '' : t`Your passphrase is never sent to the server.`)}
        </p>
        {isBusy ? undefined : <OtherOptions mode={mode} />}
      </form>
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { useId } from 'react'
import { selectAccount } from '../../machines/account/account/account.selectors.ts'
import type { PassphrasePurpose } from '../../machines/account/passphrase/passphrase.events.ts'
import type { PassphraseRef } from '../../machines/account/passphrase/passphrase.machine.ts'
import {
  selectPassphraseFailure,
  selectPassphraseStep,
} from '../../machines/account/passphrase/passphrase.selectors.ts'
import { NewPassphraseFields, useNewPassphrase } from './new-passphrase.tsx'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { HelpBeside } from '../parts/feedback/help-beside.tsx'
import { PasswordField } from '../parts/fields/password-field.tsx'
import { TextField } from '../parts/fields/text-field.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'
import styles from './form.module.css'

type PurposeTexts = {
  readonly title: string
  readonly about: string
  readonly submit: string
  readonly busy: string
  readonly failed: string
}

const purposeTexts: Readonly<Record<PassphrasePurpose, PurposeTexts>> = {
  delete: {
    title: t`Delete Account?`,
    about: t`A deleted account cannot be recovered. Your machines will be unlinked. Are you sure you want to delete your account?`,
    submit: t`Delete`,
    busy: t`Checking…`,
    failed: t`The account was not deleted.`,
  },
  change: {
    title: t`Change passphrase`,
    about: t`Your machines stay linked, and you stay logged in in other browsers.`,
    submit: t`Change`,
    busy: t`Changing…`,
    failed: t`The passphrase was not changed.`,
  },
}

function Form({ dialog, id, email }: { readonly dialog: PassphraseRef; readonly id: string; readonly email: string }) {
  const initial = { email, current: '', passphrase: '', passphraseAgain: '' }
  const submitted = useSelector(dialog, ({ context }) => context.errors)
  const { typed, type, isShown, show, form, errors } = useNewPassphrase(dialog, submitted, initial)
  const purpose = useSelector(dialog, ({ context }) => context.purpose)
  const isBusy = useSelector(dialog, snapshot => snapshot.hasTag('busy'))
  const failure = useSelector(dialog, selectPassphraseFailure)
  const step = useSelector(dialog, selectPassphraseStep)
  const { about, failed } = purposeTexts[purpose]
  return (
    <form
      id={id}
      ref={form}
      noValidate
      className="stack gap-4"
      onSubmit={event => {
        event.preventDefault()
        const { email: address, ...secrets } = typed
        if (!isBusy) dialog.send({ type: 'passphrase.submit', email: address, secrets })
      }}
    >
      {failure === undefined ? undefined : (
        <Banner
          tone="failed"
          icon="fail"
          isUrgent
          actions={<HelpBeside to="/help/when-something-is-wrong#login-fails" />}
        >
          <strong>{failed}</strong> {failure}
        </Banner>
      )}
      <p>{about}</p>
      {/* The keys are derived from it; password managers use it as the user name. */}
      <TextField
        label={t`Email`}
        type="email"
        name="email"
        autoComplete="username"
        value={typed.email}
        onChange={address => type({ email: address })}
        error={errors.email}
        isReadOnly={isBusy || email !== ''}
      />
      <PasswordField
        label={purpose === 'change' ? t`Current passphrase` : t`Passphrase`}
        name="current-passphrase"
        autoComplete="current-password"
        isRequired
        autoFocus
        value={typed.current}
        onChange={current => type({ current })}
        error={errors.current}
        isReadOnly={isBusy}
      />
      {purpose === 'change' ? (
        <NewPassphraseFields
          label={t`New passphrase`}
          typed={typed}
          onType={type}
          onGenerate={() => dialog.send({ type: 'passphrase.generate' })}
          errors={errors}
          isShown={isShown}
          onShow={show}
          isReadOnly={isBusy}
        />
      ) : undefined}
      <p role="status" className={styles['step']}>
        {step}
      </p>
    </form>
  )
}

/** Asks for the current passphrase, to delete the account or to change the passphrase. */
export function PassphraseDialog({ dialog }: { readonly dialog: PassphraseRef }) {
  const id = useId()
  const email = useSelector(useSystem().account, snapshot => selectAccount(snapshot)?.email ?? '')
  const purpose = useSelector(dialog, ({ context }) => context.purpose)
  const isBusy = useSelector(dialog, snapshot => snapshot.hasTag('busy'))
  const isChanged = useSelector(dialog, snapshot => snapshot.hasTag('changed'))
  const canCancel = useSelector(dialog, snapshot => snapshot.can({ type: 'passphrase.cancel' }))
  const { title, submit, busy } = purposeTexts[purpose]
  const cancel = (): void => dialog.send({ type: 'passphrase.cancel' })
  if (isChanged)
    return (
      <Dialog
        title={t`Passphrase changed`}
        onLeave={cancel}
        footer={
          <Button kind="primary" autoFocus onPress={cancel}>
            {t`Close`}
          </Button>
        }
      >
        <p role="status">{t`Use the new passphrase the next time you log in.`}</p>
      </Dialog>
    )
  return (
    <Dialog
      title={title}
      isForm
      isQuestion={purpose === 'delete'}
      onLeave={cancel}
      footer={
        <>
          <Button onPress={cancel} blockedBecause={canCancel ? undefined : t`The new passphrase is being saved.`}>
            {t`Cancel`}
          </Button>
          <Button kind={purpose === 'delete' ? 'danger' : 'primary'} type="submit" form={id} isPending={isBusy}>
            {isBusy ? busy : submit}
          </Button>
        </>
      }
    >
      <Form dialog={dialog} id={id} email={email} />
    </Dialog>
  )
}

import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { ValidationErrors } from '../../folding/account/registration.ts'
import type { PassphraseGenerated } from '../../machines/account/sign-in/sign-in.events.ts'
import styles from './form.module.css'
import { PasswordField } from '../parts/fields/password-field.tsx'
import { useCopy } from '../hooks/use-copy.ts'
import { useFormErrors } from '../hooks/use-form-errors.ts'
import { asWord } from '../../folding/text/format.ts'

/** The part of a client's interface that generates passphrases. */
type Generator = {
  readonly on: (
    type: PassphraseGenerated['type'],
    handler: (made: PassphraseGenerated) => void,
  ) => { readonly unsubscribe: () => void }
}

type Typed = { readonly passphrase: string; readonly passphraseAgain: string }

/**
 * A form with a new passphrase. Field values are React state, since the state of clients is recorded and must not hold passphrases;
 * a generated one is emitted once and not stored.
 */
export function useNewPassphrase<Fields extends Typed>(
  generator: Generator,
  submitted: ValidationErrors<Extract<keyof Fields, string>>,
  initial: Fields,
) {
  const [typed, setTyped] = useState(initial)
  const [isShown, show] = useState(false)
  const { form, errors, clearError } = useFormErrors(submitted)
  useEffect(() => {
    const subscription = generator.on('passphrase.generated', ({ secrets: { passphrase } }) => {
      setTyped(before => ({ ...before, passphrase, passphraseAgain: passphrase }))
      show(true)
    })
    return () => subscription.unsubscribe()
  }, [generator])
  const type = (change: Partial<Fields>): void => {
    setTyped(before => ({ ...before, ...change }))
    for (const field in change) if (change[field] !== undefined) clearError(field)
  }
  return { typed, type, isShown, show, form, errors }
}

type Props = {
  readonly label: string
  readonly typed: Typed
  readonly onType: (change: Partial<Typed>) => void
  readonly onGenerate: () => void
  readonly errors: { readonly [Field in keyof Typed]?: string }
  /** Whether both fields are readable; turned on for a generated passphrase. */
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
  readonly isReadOnly: boolean
}

/** A new passphrase, typed twice or generated. */
export function NewPassphraseFields({
  label,
  typed: { passphrase, passphraseAgain },
  onType,
  onGenerate,
  errors,
  ...shared
}: Props) {
  const { copy, outcome } = useCopy()
  return (
    <>
      <PasswordField
        {...shared}
        label={label}
        name="passphrase"
        autoComplete="new-password"
        isRequired
        value={passphrase}
        onChange={typed => onType({ passphrase: typed })}
        onGenerate={onGenerate}
        onCopy={() => copy(t`Passphrase`, passphrase)}
        description={t`At least 10 characters. It cannot be recovered, so keep it safe.`}
        error={errors.passphrase}
      />
      <p role="status" className={styles['step']}>
        {outcome}
      </p>
      <PasswordField
        {...shared}
        label={t`Repeat ${asWord(label)}`}
        name="passphrase-again"
        autoComplete="new-password"
        isRequired
        value={passphraseAgain}
        onChange={typed => onType({ passphraseAgain: typed })}
        error={errors.passphraseAgain}
      />
    </>
  )
}

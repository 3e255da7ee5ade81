import { useSelector } from '../../hooks/use-selector.ts'
import { useCallback, useState, type RefObject } from 'react'
import type { SignInForm } from '../../../machines/account/sign-in/sign-in.events.ts'
import type { SignInErrors } from '../../../machines/account/sign-in/sign-in.machine.ts'
import { selectSignInErrors } from '../../../machines/account/sign-in/sign-in.selectors.ts'
import { useGeneratedPassphrase } from '../new-passphrase.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useFormErrors } from '../../hooks/use-form-errors.ts'

export type TypedForm = Pick<SignInForm, 'email' | 'user' | 'team'> & SignInForm['secrets']

const empty: TypedForm = { email: '', user: '', team: '', passphrase: '', passphraseAgain: '', passkey: '' }

const fields = ['email', 'passphrase', 'passphraseAgain', 'user', 'team', 'passkey'] as const

export type FormHandle = {
  readonly typed: TypedForm
  readonly type: (change: Partial<TypedForm>) => void
  /** Whether passphrases are readable; turned on for a generated one. */
  readonly isShown: boolean
  readonly show: (isShown: boolean) => void
  readonly errors: SignInErrors
}

/** Field values are React state, since the state of clients is recorded and must not hold passphrases. */
export function useSignInForm(): FormHandle & { readonly element: RefObject<HTMLFormElement | null> } {
  const { signIn } = useSystem()
  const [typed, setTyped] = useState(empty)
  const [isShown, show] = useState(false)
  const { form: element, errors, clearError } = useFormErrors(useSelector(signIn, selectSignInErrors))
  const type = (change: Partial<TypedForm>): void => {
    setTyped(before => ({ ...before, ...change }))
    for (const field of fields) if (change[field] !== undefined) clearError(field)
  }
  const take = useCallback((passphrase: string): void => {
    setTyped(before => ({ ...before, passphrase, passphraseAgain: passphrase }))
    show(true)
  }, [])
  useGeneratedPassphrase(signIn, take)
  return { typed, type, isShown, show, element, errors }
}

export function formOf({ email, user, team, ...secrets }: TypedForm): SignInForm {
  return { email, user, team, secrets }
}

import { useSelector } from '@xstate/react'
import { useCallback, useState, type RefObject } from 'react'
import type { SignInForm } from '../../../machines/account/sign-in/sign-in.events.ts'
import type { SignInErrors } from '../../../machines/account/sign-in/sign-in.machine.ts'
import { selectSignInErrors } from '../../../machines/account/sign-in/sign-in.selectors.ts'
import { useGenerated } from '../new-passphrase.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useFormErrors } from '../../hooks/use-form-errors.ts'

export type TypedForm = Pick<SignInForm, 'email' | 'user' | 'team'> & SignInForm['secrets']

const empty: TypedForm = { email: '', user: '', team: '', passphrase: '', passphraseAgain: '', passkey: '' }

const fields = ['email', 'passphrase', 'passphraseAgain', 'user', 'team', 'passkey'] as const

export type FormHandle = {
  readonly typed: TypedForm
  readonly type: (change: Partial<TypedForm>) => void
  /** Whether passphrases are shown: one that was made up has to be read once. */
  readonly isShown: boolean
  readonly show: (isShown: boolean) => void
  readonly errors: SignInErrors
}

/** What is typed stays here until it is sent: a passphrase has no place in a state that can be recorded. */
export const useSignInForm = (): FormHandle & { readonly element: RefObject<HTMLFormElement | null> } => {
  const { signIn } = useSystem()
  const [typed, setTyped] = useState(empty)
  const [isShown, show] = useState(false)
  const { form: element, errors, noteEdit } = useFormErrors(useSelector(signIn, selectSignInErrors))
  const type = (change: Partial<TypedForm>): void => {
    setTyped(before => ({ ...before, ...change }))
    for (const field of fields) if (change[field] !== undefined) noteEdit(field)
  }
  const take = useCallback((passphrase: string): void => {
    setTyped(before => ({ ...before, passphrase, passphraseAgain: passphrase }))
    show(true)
  }, [])
  useGenerated(signIn, take)
  return { typed, type, isShown, show, element, errors }
}

export const formOf = ({ email, user, team, ...secrets }: TypedForm): SignInForm => ({ email, user, team, secrets })

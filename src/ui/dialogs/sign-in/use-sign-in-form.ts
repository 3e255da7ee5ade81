import { useSelector } from '../../hooks/use-selector.ts'
import type { RefObject } from 'react'
import type { SignInForm } from '../../../machines/account/sign-in/sign-in.events.ts'
import type { SignInErrors } from '../../../machines/account/sign-in/sign-in.machine.ts'
import { useNewPassphrase } from '../new-passphrase.tsx'
import { useSystem } from '../../hooks/system-context.ts'

export type TypedForm = Pick<SignInForm, 'email' | 'user' | 'team'> & SignInForm['secrets']

const empty: TypedForm = { email: '', user: '', team: '', passphrase: '', passphraseAgain: '', passkey: '' }

export type FormHandle = {
  readonly typed: TypedForm
  readonly type: (change: Partial<TypedForm>) => void
  /** Whether passphrases are readable; turned on for a generated one. */
  readonly isShown: boolean
  readonly show: (isShown: boolean) => void
  readonly errors: SignInErrors
}

export function useSignInForm(): FormHandle & { readonly element: RefObject<HTMLFormElement | null> } {
  const { signIn } = useSystem()
  const { form: element, ...handle } = useNewPassphrase(
    signIn,
    useSelector(signIn, ({ context }) => context.errors),
    empty,
  )
  return { ...handle, element }
}

export function formOf({ email, user, team, ...secrets }: TypedForm): SignInForm {
  return { email, user, team, secrets }
}

import { useEffect, useState } from 'react'
import type { SignInForm } from '../../../machines/account/sign-in/sign-in.events.ts'
import { useSystem } from '../../system-context.ts'

export type TypedForm = Pick<SignInForm, 'email' | 'user' | 'team'> & SignInForm['secrets']

const empty: TypedForm = { email: '', user: '', team: '', passphrase: '', passphraseAgain: '', passkey: '' }

export type FormHandle = {
  readonly typed: TypedForm
  readonly type: (change: Partial<TypedForm>) => void
  /** Whether passphrases are shown: one that was made up has to be read once. */
  readonly isShown: boolean
  readonly show: (isShown: boolean) => void
}

/** What is typed stays here until it is sent: a passphrase has no place in a state that can be recorded. */
export const useSignInForm = (): FormHandle => {
  const { signIn } = useSystem()
  const [typed, setTyped] = useState(empty)
  const [isShown, show] = useState(false)
  const type = (change: Partial<TypedForm>): void => setTyped(before => ({ ...before, ...change }))
  useEffect(() => {
    const subscription = signIn.on('passphrase.made', ({ secrets: { passphrase } }) => {
      setTyped(before => ({ ...before, passphrase, passphraseAgain: passphrase }))
      show(true)
    })
    return () => subscription.unsubscribe()
  }, [signIn])
  return { typed, type, isShown, show }
}

export const formOf = ({ email, user, team, ...secrets }: TypedForm): SignInForm => ({ email, user, team, secrets })

import { expect } from 'vitest'
import type { SignInMode } from '../../../src/machines/account/sign-in/sign-in.events.ts'
import {
  isSignInBusy,
  isSignInOpen,
  selectSignInErrors,
  selectSignInFailure,
  selectSignInMode,
} from '../../../src/machines/account/sign-in/sign-in.selectors.ts'
import { isSignedIn } from '../../../src/machines/account/account/account.selectors.ts'
import type { Credentials } from '../../new-account.ts'
import type { Person } from '../../person.ts'

/** The login dialog as a person without a screen uses it. */
export const dialogOf = (person: Person) => {
  const signIn = () => person.system().signIn
  const open = (mode: SignInMode = 'login'): void => {
    if (!isSignInOpen(signIn().getSnapshot())) signIn().send({ type: 'signIn.open', mode })
    if (selectSignInMode(signIn().getSnapshot()) !== mode) signIn().send({ type: 'signIn.setMode', mode })
  }
  const submit = async ({ email, passphrase }: Credentials): Promise<void> => {
    signIn().send({
      type: 'signIn.submit',
      email,
      user: 'Ada',
      team: '',
      secrets: { passphrase, passphraseAgain: passphrase, passkey: '' },
    })
    await person.until(signIn(), snapshot => !isSignInBusy(snapshot))
  }
  return {
    open,
    submit,
    submitNothing: () => submit({ email: '', passphrase: '' }),
    logIn: async (credentials: Credentials): Promise<void> => {
      open()
      await submit(credentials)
    },
    cancel: () => signIn().send({ type: 'signIn.cancel' }),
    expectOpen: (isOpen: boolean) => expect(isSignInOpen(signIn().getSnapshot())).toBe(isOpen),
    expectErrors: (errors: object) => expect(selectSignInErrors(signIn().getSnapshot())).toEqual(errors),
    expectFailure: (failure: object | undefined) =>
      expect(selectSignInFailure(signIn().getSnapshot())).toEqual(failure),
    expectSignedIn: async () => {
      await person.until(person.system().account, isSignedIn)
      expect(isSignInOpen(signIn().getSnapshot())).toBe(false)
    },
  }
}

export const MISSING = {
  email: 'A valid email address is required',
  passphrase: 'Your passphrase must be at least 10 characters long',
}
export const WRONG = { title: 'Login failed', text: 'The email address or passphrase is wrong.' }

import { expect } from 'vitest'
import type { SignInMode } from '../../../src/machines/account/sign-in/sign-in.events.ts'
import {
  selectSignInErrors,
  selectSignInFailure,
  selectSignInMode,
} from '../../../src/machines/account/sign-in/sign-in.selectors.ts'
import type { Credentials } from '../../new-account.ts'
import type { HeadlessApp } from '../../headless-app.ts'

/** The login dialog as a person without a screen uses it. */
export function dialogOf(app: HeadlessApp) {
  const signIn = () => app.system().signIn
  const open = async (mode: SignInMode = 'login'): Promise<void> => {
    if (!signIn().getSnapshot().hasTag('open')) signIn().send({ type: 'signIn.open', mode })
    await app.until(signIn(), snapshot => snapshot.hasTag('open'))
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
    await app.until(signIn(), snapshot => !snapshot.hasTag('busy'))
  }
  return {
    open,
    submit,
    submitNothing: () => submit({ email: '', passphrase: '' }),
    logIn: async (credentials: Credentials): Promise<void> => {
      await open()
      await submit(credentials)
    },
    cancel: () => signIn().send({ type: 'signIn.cancel' }),
    expectOpen: (expected: boolean) => expect(signIn().getSnapshot().hasTag('open')).toBe(expected),
    expectErrors: (errors: object) => expect(selectSignInErrors(signIn().getSnapshot())).toEqual(errors),
    expectFailure: (failure: object | undefined) =>
      expect(selectSignInFailure(signIn().getSnapshot())).toEqual(failure),
    expectSignedIn: async () => {
      await app.until(app.system().account, snapshot => snapshot.hasTag('signedIn'))
      expect(signIn().getSnapshot().hasTag('open')).toBe(false)
    },
  }
}

export const MISSING = {
  email: 'A valid email address is required',
  passphrase: 'Your passphrase must be at least 10 characters long',
}
export const WRONG = { title: 'Login failed', text: 'The email address or passphrase is wrong.' }

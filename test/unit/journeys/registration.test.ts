import { expect } from 'vitest'
import { registrationModel } from '../../../models/registration.model.ts'
import { selectVerifyOutcome } from '../../../src/machines/account/verify/verify.selectors.ts'
import { linkFor, newCredentials, tokenOf } from '../../new-account.ts'
import { dialogOf, MISSING } from './dialog-of.ts'
import { walkInProcess } from './journeys.ts'

walkInProcess('registration [3.3, 7.5, 7.6, 8.2, 8.3, 8.4]', registrationModel, (app, network) => {
  const credentials = newCredentials()
  const dialog = dialogOf(app)
  const outcome = () => selectVerifyOutcome(app.system().verify.getSnapshot())
  const expectEmail = async (): Promise<void> => {
    expect(await app.shownDialog()).toMatchObject({
      messages: [{ title: 'Account registered', text: expect.stringContaining(credentials.email) as string }],
    })
    app.answer('ok')
    expect(new URL(await linkFor(network, credentials.email)).pathname).toMatch(/^\/verify\/./)
  }
  return {
    does: {
      'open the form': () => dialog.open('register'),
      'submit nothing': () => dialog.submitNothing(),
      register: () => dialog.submit(credentials),
      'register again': async () => {
        await dialog.open('register')
        await dialog.submit(credentials)
      },
      'log in': () => dialog.logIn(credentials),
      'follow the link': async () => {
        const token = tokenOf(await linkFor(network, credentials.email))
        app.system().verify.send({ type: 'verify.begin', secrets: { token } })
        await app.until(app.system().verify, snapshot => selectVerifyOutcome(snapshot) !== 'pending')
      },
    },
    sees: {
      signedOut: () => dialog.expectOpen(false),
      form: () => dialog.expectErrors({}),
      complained: () => dialog.expectErrors(MISSING),
      registered: expectEmail,
      corrected: expectEmail,
      exists: () =>
        dialog.expectFailure({
          title: 'Account exists',
          text: 'Please login or request a password reset via the login dialog.',
        }),
      notActive: () => {
        dialog.expectFailure({
          title: 'Account not active',
          text: 'Please verify your email address to activate your account.',
        })
        dialog.cancel()
      },
      verified: () => expect(outcome()).toBe('verified'),
      linkUsed: () => expect(outcome()).toBe('refused'),
      loggedIn: () => dialog.expectSignedIn(),
    },
  }
})

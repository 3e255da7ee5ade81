import { registrationModel } from '../../../models/registration.model.ts'
import { linkFor, newCredentials } from '../../new-account.ts'
import { loginDialogOf, readMessage } from './login-dialog.ts'
import { expect, walkInBrowser } from './walk.ts'

walkInBrowser('registration [3.3, 7.5, 7.6, 8.2, 8.3, 8.4]', registrationModel, (page, network) => {
  const credentials = newCredentials()
  const login = loginDialogOf(page)
  const main = page.getByRole('main')
  return {
    does: {
      'open the form': () => login.open('Register'),
      'submit nothing': () => login.submit('Register', { email: '', passphrase: '' }),
      register: () => login.submit('Register', credentials),
      'register again': async () => {
        await login.open('Register')
        await login.submit('Register', credentials)
      },
      'log in': () => login.logIn(credentials),
      'follow the link': async () => {
        await page.goto(await linkFor(network, credentials.email))
      },
    },
    sees: {
      signedOut: () => login.expectSignedOut(),
      form: () => expect(login.dialog.getByText(/required|must be/)).toHaveCount(0),
      complained: () => expect(login.dialog).toContainText('A valid email address is required'),
      registered: () => readMessage(page, 'Account registered', credentials.email),
      corrected: () => readMessage(page, 'Account registered', credentials.email),
      exists: () =>
        expect(login.dialog).toContainText(
          'Account exists Please login or request a password reset via the login dialog.',
        ),
      notActive: () =>
        expect(login.dialog).toContainText(
          'Account not active Please verify your email address to activate your account.',
        ),
      verified: () => expect(main).toContainText('Email verified.'),
      linkUsed: () => expect(main).toContainText('A verification token can be used only once.'),
      loggedIn: () => login.expectSignedIn(),
    },
  }
})

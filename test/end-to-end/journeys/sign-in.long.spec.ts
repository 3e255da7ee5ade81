import { signInModel } from '../../../models/sign-in.model.ts'
import { makeAccount } from '../../new-account.ts'
import { loginDialogOf } from './login-dialog.ts'
import { expect, walkInBrowser } from './walk.ts'

const nothing = { email: '', passphrase: '' }

walkInBrowser('logging in and out [7.9, 7.12, 7.15]', signInModel, async (page, network) => {
  const credentials = await makeAccount(network)
  const login = loginDialogOf(page)
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter(name => /session|secret|provider/.test(name)))
  return {
    does: {
      'open the dialog': () => login.open(),
      'submit nothing': () => login.submit('Login', nothing),
      'submit a wrong passphrase': () => login.submit('Login', { ...credentials, passphrase: 'not the passphrase' }),
      'submit the right passphrase': () => login.submit('Login', credentials),
      cancel: () => login.cancel(),
      reload: () => page.reload(),
      'log out': async () => {
        await page.getByRole('banner').getByRole('link', { name: 'Account of Ada' }).click()
        await page.getByRole('button', { name: 'Logout' }).click()
      },
    },
    sees: {
      loggedOut: () => login.expectSignedOut(),
      asked: () => expect(login.dialog.getByText(/required|must be/)).toHaveCount(0),
      complained: async () => {
        await expect(login.dialog).toContainText('A valid email address is required')
        await expect(login.dialog).toContainText('Your passphrase must be at least 10 characters long')
      },
      refused: async () => {
        await expect(login.dialog).toContainText('Login failed The email address or passphrase is wrong.')
        const help = login.dialog.getByRole('alert').getByRole('link', { name: 'Help' })
        await expect(help).toHaveAttribute('href', '/help/when-something-is-wrong#login-fails')
      },
      corrected: () => login.expectSignedIn(),
      loggedIn: () => login.expectSignedIn(),
      remembered: () => login.expectSignedIn(),
      closed: async () => {
        await expect(login.dialog).toHaveCount(0)
        await login.expectSignedOut()
      },
      left: async () => {
        await login.expectSignedOut()
        await expect(page).toHaveURL(/\/machines$/)
        expect(await kept()).toEqual([])
      },
    },
  }
})

import { resetModel } from '../../../models/reset.model.ts'
import { linkFor, makeAccount } from '../../new-account.ts'
import { loginDialogOf, readMessage } from './login-dialog.ts'
import { expect, walkInBrowser } from './walk.ts'

walkInBrowser('reset [7.7, 7.8, 8.4]', resetModel, async (page, network) => {
  const old = await makeAccount(network)
  const login = loginDialogOf(page)
  const main = page.getByRole('main')
  let link = ''
  let passphrase = ''
  const submitGenerated = async (): Promise<void> => {
    await main.getByRole('button', { name: 'Generate passphrase', exact: true }).click()
    await expect(main.getByLabel('Repeat passphrase', { exact: true })).toHaveValue(/^(?:\w+ ){5}\w+$/)
    passphrase = await main.getByLabel('Passphrase', { exact: true }).inputValue()
    await main.getByRole('button', { name: 'Reset', exact: true }).click()
  }
  return {
    does: {
      'ask for a reset': async () => {
        await login.open('Reset passphrase')
        await login.submit('Reset passphrase', old)
      },
      'follow the link': async () => {
        link = await linkFor(network, old.email)
        await page.goto(link)
      },
      'submit two different passphrases': async () => {
        await main.getByLabel('Passphrase', { exact: true }).fill('one passphrase it is')
        await main.getByLabel('Repeat passphrase', { exact: true }).fill('another passphrase it is')
        await main.getByRole('button', { name: 'Reset', exact: true }).click()
      },
      'submit a generated passphrase': submitGenerated,
      'log in with the old passphrase': () => login.logIn(old),
      'log in with the new passphrase': () => login.logIn({ ...old, passphrase }),
      'use the link again': async () => {
        await page.goto(link)
        await submitGenerated()
      },
    },
    sees: {
      forgotten: () => login.expectSignedOut(),
      asked: () => readMessage(page, 'Account reset requested', old.email),
      page: async () => {
        await expect(main.getByRole('textbox', { name: 'Email' })).toHaveValue(old.email)
        await expect(main).toContainText('Your account gets a new passphrase and a new key pair.')
      },
      complained: () => expect(main).toContainText('Passphrases do not match'),
      done: () => expect(main).toContainText('Your passphrase was reset.'),
      corrected: () => expect(main).toContainText('Your passphrase was reset.'),
      refused: () => expect(login.dialog).toContainText('The email address or passphrase is wrong.'),
      linkUsed: () => expect(main).toContainText('This link was already used or has expired.'),
      loggedIn: () => login.expectSignedIn(),
    },
  }
})

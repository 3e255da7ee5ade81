import { hideLocalClient } from './page-state.ts'
import { expect, test } from './fixtures.ts'

test('a return from a provider that was not started here is refused, and leaves nothing in the address; a user of a provider makes an account, and signs in to it later with the passphrase alone [5.9, 7.10, 7.11]', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  pageErrors.expect(/status of 401/)
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await hideLocalClient(page)
  await page.goto(`${dashboardUrl}/?state=stolen&code=stolen`)
  await expect(page.getByRole('dialog', { name: 'Login' })).toContainText(
    'This sign-in was started in another browser.',
  )
  await expect(page).toHaveURL(/\/machines$/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const begin = async (): Promise<void> => {
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
    await page
      .getByRole('dialog', { name: 'Login' })
      .getByRole('button', { name: /^Continue with/ })
      .click()
    await page.waitForURL(/\/provider/)
    await page.getByRole('link', { name: 'Robin Novak' }).click()
    await page.waitForURL(`${new URL(dashboardUrl).origin}/machines`)
  }

  await begin()
  const form = page.getByRole('dialog', { name: 'New account' })
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form).toContainText('A user name between 2 and 100 characters is required')
  await form.getByRole('button', { name: 'Generate passphrase', exact: true }).click()
  await expect(form.getByLabel('Repeat passphrase', { exact: true })).toHaveValue(/ /)
  const passphrase = await form.getByLabel('Passphrase', { exact: true }).inputValue()
  await form.getByRole('textbox', { name: 'User name' }).fill('Known')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Account of Known' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()

  await begin()
  const lock = page.getByRole('dialog', { name: 'Unlock your account' })
  await lock.getByLabel('Passphrase', { exact: true }).fill('not the passphrase')
  await lock.getByRole('button', { name: 'Login' }).click()
  await expect(lock).toContainText('The passphrase is wrong.')
  await lock.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await lock.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Account of Known' })).toBeVisible()
})

import { expect, type Page } from '@playwright/test'

export type Credentials = { readonly email: string; readonly passphrase: string }

/** Opens the login dialog, fills it in and sends it. */
export async function submitLogin(page: Page, { email, passphrase }: Credentials): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: /^e-?mail/i }).fill(email)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: 'Login' }).click()
}

/** Signs in as a person does, and reads that the client on this computer was linked whenever that is said. */
export async function signIn(page: Page, credentials: Credentials): Promise<void> {
  await page.addLocatorHandler(page.getByRole('dialog', { name: 'Auto-linking client' }), dialog =>
    dialog.getByRole('button', { name: 'OK' }).click(),
  )
  await submitLogin(page, credentials)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

import { expect, type Page } from '@playwright/test'

/** Signs in as a person does. */
export const signIn = async (page: Page, { email, passphrase }: { readonly email: string; readonly passphrase: string }): Promise<void> => {
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(dialog).toHaveCount(0)
}

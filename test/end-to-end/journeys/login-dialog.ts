import { expect, type Page } from '@playwright/test'
import type { Credentials } from '../../new-account.ts'

type Mode = 'Login' | 'Register' | 'Reset passphrase'

/** The login dialog as a person sees it. */
export function loginDialogOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: /^(?:Login|Register|Reset passphrase)$/ })
  const press = (name: string): Promise<void> => dialog.getByRole('button', { name }).last().click()
  const submitName: Record<Mode, string> = { Login: 'Login', Register: 'Register', 'Reset passphrase': 'Reset' }
  const turnTo: Record<Mode, string> = { Login: 'Login', Register: 'Register', 'Reset passphrase': 'Reset it' }
  const open = async (mode: Mode = 'Login'): Promise<void> => {
    if (!(await dialog.isVisible())) await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
    await expect(dialog).toBeVisible()
    if (!(await page.getByRole('dialog', { name: mode, exact: true }).isVisible()))
      await dialog.getByRole('button', { name: turnTo[mode], exact: true }).click()
    await expect(page.getByRole('dialog', { name: mode, exact: true })).toBeVisible()
  }
  const type = async ({ email, passphrase }: Credentials): Promise<void> => {
    await dialog.getByRole('textbox', { name: 'Email' }).fill(email)
    for (const label of ['Passphrase', 'Repeat passphrase']) {
      const field = dialog.getByLabel(label, { exact: true })
      if (await field.isVisible()) await field.fill(passphrase)
    }
  }
  return {
    dialog,
    open,
    submit: async (mode: Mode, credentials: Credentials): Promise<void> => {
      await type(credentials)
      await press(submitName[mode])
    },
    logIn: async (credentials: Credentials): Promise<void> => {
      await open()
      await type(credentials)
      await press('Login')
    },
    cancel: () => press('Cancel'),
    expectSignedIn: async (): Promise<void> => {
      await expect(page.getByRole('banner').getByRole('link', { name: 'Account of' })).toBeVisible()
      await expect(dialog).toHaveCount(0)
    },
    expectSignedOut: async (): Promise<void> => {
      await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
      await expect(page.getByRole('banner').getByRole('link', { name: 'Account of' })).toHaveCount(0)
    },
  }
}

/** Reads a message, and puts it away. */
export async function readMessage(page: Page, title: string, text: string | RegExp): Promise<void> {
  const message = page.getByRole('dialog', { name: title })
  await expect(message).toContainText(text)
  await message.getByRole('button', { name: 'OK' }).click()
  await expect(message).toHaveCount(0)
}

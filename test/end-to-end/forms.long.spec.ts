import type { Locator, Page } from '@playwright/test'
import { makeAccount, type Credentials } from '../new-account.ts'
import { hideLocalClient } from './page-state.ts'
import { signIn } from './sign-in.ts'
import { expect, test as baseTest } from './fixtures.ts'
import type { Network } from '../../programs/network/index.ts'

type Visit = { readonly network: Network; readonly account: Credentials }

const test = baseTest.extend<{
  /** A network with an account of its own, on a path of the dashboard. */
  readonly visit: (path: string, options?: { readonly isSignedIn: boolean }) => Promise<Visit>
}>({
  visit: async ({ page, startTestNetwork }, use) => {
    await use(async (path, { isSignedIn } = { isSignedIn: false }) => {
      const network = await startTestNetwork({ machines: 0 })
      const account = await makeAccount(network)
      await hideLocalClient(page)
      await page.goto(`${network.dashboardUrl}${isSignedIn ? '/machines' : path}`)
      if (isSignedIn) {
        await signIn(page, account)
        await page.goto(`${network.dashboardUrl}${path}`)
      }
      return { network, account }
    })
  },
})

function login(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Login' })
}
function openLogin(page: Page): Promise<void> {
  return page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
}

/** The box of an element, in whole pixels of the page. */
function placeOf(element: Locator): Promise<readonly number[]> {
  return element.evaluate(node => {
    const { left, top, width, height } = node.getBoundingClientRect()
    return [left, top + scrollY, width, height]
  })
}

test.describe('a form that was not filled in right', () => {
  test('has its first wrong field in focus with the error read out, which goes when it is edited, and keeps what was typed, and the focus, when the user presses beside the dialog', async ({
    page,
    visit,
  }) => {
    await visit('/machines')
    await openLogin(page)
    const email = login(page).getByRole('textbox', { name: 'Email' })
    const passphrase = login(page).getByLabel('Passphrase', { exact: true })
    await login(page).getByRole('button', { name: 'Login' }).click()
    await expect(email).toBeFocused()
    await expect(email).toHaveAccessibleDescription('A valid email address is required')
    await email.fill('ada@foldboard.example')
    await expect(email).not.toHaveAttribute('aria-invalid')
    await expect(passphrase).toHaveAttribute('aria-invalid', 'true')
    await expect(passphrase).toHaveAttribute('aria-required', 'true')
    await login(page).getByRole('button', { name: 'Login' }).click()
    await expect(passphrase).toBeFocused()

    await email.fill('ada@foldboard.example')
    await email.evaluate(element =>
      element.addEventListener('blur', () => {
        element.dataset['blurred'] = ''
      }),
    )
    await page.mouse.click(5, 400)
    await expect(email).toHaveValue('ada@foldboard.example')
    await expect(email).not.toHaveAttribute('data-blurred')
    await page.keyboard.press('Escape')
    await expect(login(page)).toHaveCount(0)
  })
})

test.describe('the settings of an account', () => {
  test('change the passphrase for a user who knows it, say that they were saved, and do not move when they are', async ({
    page,
    visit,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 401/)
    const { account } = await visit('/account/settings', { isSignedIn: true })
    const dialog = page.getByRole('dialog', { name: 'Change passphrase' })
    const change = dialog.getByRole('button', { name: 'Change' })
    await page.getByRole('button', { name: 'Change passphrase' }).click()
    await dialog.getByLabel('Current passphrase', { exact: true }).fill('not the passphrase')
    await dialog.getByRole('button', { name: 'Generate new passphrase', exact: true }).click()
    const next = dialog.getByLabel('New passphrase', { exact: true })
    await expect(next).not.toHaveValue('')
    await change.click()
    await expect(dialog.getByRole('alert')).toContainText('The passphrase is wrong.')
    const help = dialog.getByRole('alert').getByRole('link', { name: 'Help' })
    await expect(help).toHaveAttribute('href', '/help/when-something-is-wrong#login-fails')
    // What is typed stays.
    await expect(help).toHaveAttribute('target', '_blank')
    await dialog.getByLabel('Current passphrase', { exact: true }).fill(account.passphrase)
    await change.click()
    await page.getByRole('dialog', { name: 'Passphrase changed' }).getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    const main = page.getByRole('main')
    await page.getByRole('textbox', { name: 'User name' }).fill('Grace '.repeat(15).trim())
    const before = await placeOf(page.getByRole('tablist'))
    await main.getByRole('button', { name: 'Save' }).click()
    await expect(main.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible()
    expect(await placeOf(page.getByRole('tablist'))).toEqual(before)
    await page.getByRole('textbox', { name: 'User name' }).fill('Ada')
    await expect(main.getByText('Saved')).toHaveCount(0)
  })
})

test.describe('the end of a link from an email', () => {
  test('reads a plus sign in an address, which the keys depend on, and asks for an address that is missing; a verification stands below its heading, and leads to the machines after the login [2.4, 2.5, 2.64, 4.23, 8.7]', async ({
    page,
    visit,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 404/)
    const { network, account } = await visit('/reset/token?email=ada+folding@foldboard.example')
    const email = page.getByRole('main').getByRole('textbox', { name: 'Email' })
    await expect(email).toHaveValue('ada+folding@foldboard.example')
    await expect(email).toHaveAttribute('readonly')
    await page.goto(`${network.dashboardUrl}/reset/token`)
    await email.fill('ada@foldboard.example')
    await expect(email).toHaveValue('ada@foldboard.example')

    await page.goto(`${network.dashboardUrl}/verify/nonsense`)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 2 })).toHaveText('Email verification failed.')
    const [left] = await placeOf(main.getByRole('heading', { level: 1 }))
    expect((await placeOf(main.getByRole('heading', { level: 2 })))[0]).toBe(left)
    await main.getByRole('button', { name: 'Login' }).click()
    await login(page).getByRole('textbox', { name: 'Email' }).fill(account.email)
    await login(page).getByLabel('Passphrase', { exact: true }).fill(account.passphrase)
    await login(page).getByRole('button', { name: 'Login' }).click()
    await expect(main.getByRole('button', { name: 'Login' })).toHaveCount(0)
    await main.getByRole('link', { name: 'Go to your machines' }).click()
    await expect(page).toHaveURL(/\/machines$/)
  })
})

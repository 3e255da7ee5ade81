import type { Locator, Page } from '@playwright/test'
import { chooseFromHeader } from './machines-view.ts'
import { makeAccount, type Credentials } from '../new-account.ts'
import { hideLocalClient } from './page-state.ts'
import { signIn } from './sign-in.ts'
import { expect, test as baseTest } from './fixtures.ts'

type Settings = { readonly account: Credentials; readonly apiUrl: string; readonly dashboardUrl: string }

const test = baseTest.extend<{
  /** An account of its own, logged in, on a tab of its settings. */
  readonly openTab: (name: 'Settings' | 'Appearance' | 'Teams') => Promise<Settings>
}>({
  openTab: async ({ page, startTestNetwork }, use) => {
    await use(async name => {
      const network = await startTestNetwork({ machines: 0 })
      const account = await makeAccount(network)
      await hideLocalClient(page)
      await page.goto(`${network.dashboardUrl}/machines`)
      await signIn(page, account)
      await page.getByRole('banner').getByRole('link', { name: 'Account of Ada' }).click()
      await page.getByRole('tab', { name }).click()
      return { account, apiUrl: network.apiUrl, dashboardUrl: network.dashboardUrl }
    })
  },
})

const save = (page: Page): Locator => page.getByRole('main').getByRole('button', { name: 'Save' })
const question = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Unsaved changes' })
const list = (page: Page, name: 'Enabled' | 'Disabled'): Locator => page.getByRole('grid', { name: `${name} columns` })
const names = (page: Page, of: 'Enabled' | 'Disabled'): Promise<readonly string[]> =>
  list(page, of)
    .getByRole('row')
    .evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''))

/** Runs in the page. A way back that is refused may never say that it is over, so the caller does not wait for it. */
const goBack = (): void => history.back()

const expectShown = (page: Page, columns: readonly string[]): Promise<void> =>
  expect.poll(() => names(page, 'Enabled')).toEqual(columns)

test.describe('the columns', () => {
  test('are moved by the mouse, between the lists too, and are there after a reload', async ({ page, openTab }) => {
    await openTab('Appearance')
    await expectShown(page, ['Project', 'Type', 'Status', 'Progress', 'PPD'])
    await list(page, 'Enabled')
      .getByRole('row', { name: 'PPD' })
      .dragTo(list(page, 'Enabled').getByRole('row', { name: 'Project' }), { targetPosition: { x: 40, y: 2 } })
    await expectShown(page, ['PPD', 'Project', 'Type', 'Status', 'Progress'])
    await list(page, 'Disabled')
      .getByRole('row', { name: 'ETA' })
      .dragTo(list(page, 'Enabled').getByRole('row', { name: 'Type' }), { targetPosition: { x: 40, y: 2 } })
    await expectShown(page, ['PPD', 'Project', 'ETA', 'Type', 'Status', 'Progress'])
    await list(page, 'Enabled')
      .getByRole('row', { name: 'Status' })
      .dragTo(list(page, 'Disabled').getByRole('row', { name: 'CPUs' }))
    await expectShown(page, ['PPD', 'Project', 'ETA', 'Type', 'Progress'])
    await save(page).click()
    await expect(save(page)).toHaveAttribute('aria-disabled', 'true')
    await page.reload()
    await expectShown(page, ['PPD', 'Project', 'ETA', 'Type', 'Progress'])
  })

  test('are moved by the keyboard alone', async ({ page, openTab }) => {
    await openTab('Appearance')
    const row = list(page, 'Enabled').getByRole('row', { name: 'Project', exact: true })
    const pickUp = async (): Promise<void> => {
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await expect(row).toHaveAttribute('data-dragging', 'true')
    }
    await row.focus()
    await pickUp()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectShown(page, ['Type', 'Status', 'Project', 'Progress', 'PPD'])
    await expect(row).toBeFocused()
    await pickUp()
    await page.keyboard.press('Tab')
    await expect(list(page, 'Disabled')).toHaveAttribute('data-drop-target', 'true')
    await page.keyboard.press('Enter')
    await expectShown(page, ['Type', 'Status', 'Progress', 'PPD'])
    expect(await names(page, 'Disabled')).toContain('Project')
  })
})

test.describe('leaving with unsaved changes', () => {
  test('asks on the back button, and stays on the page that one stays on', async ({ page, openTab }) => {
    await openTab('Settings')
    await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
    await page.evaluate(goBack)
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(question(page)).toHaveCount(0)
    await expect(page).toHaveURL(/\/account\/settings$/)
    await page.evaluate(goBack)
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(/\/machines$/)
  })

  test('leads exactly to where several steps back led, or stays at its place between them', async ({
    page,
    openTab,
  }) => {
    await openTab('Settings')
    const place = (): Promise<unknown> =>
      page.evaluate(() => [location.pathname, (history.state as { idx: number }).idx])
    const goTo = (step: number): Promise<void> => page.evaluate(by => history.go(by), step)
    const menu = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['News', 'Projects']) {
      await menu.getByRole('link', { name }).click()
      await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}$`))
    }
    await goTo(-2)
    await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
    await goTo(2)
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(place).toEqual(['/account/settings', 1])
    await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue('Grace')
    await goTo(2)
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await expect.poll(place).toEqual(['/projects', 3])
    await page.goBack()
    await expect.poll(place).toEqual(['/news', 2])
  })

  test('asks on a reload, as browsers do, and not when there is nothing to lose', async ({ page, openTab }) => {
    await openTab('Settings')
    const asked: string[] = []
    page.on('dialog', dialog => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    expect(asked).toEqual([])
    await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
  })
})

/** A picture as a file, drawn by the page itself. */
const drawn = async (
  page: Page,
  width: number,
  height: number,
): Promise<{ name: string; mimeType: string; buffer: Buffer }> => {
  const data = await page.evaluate(
    ([w = 1, h = 1]) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width: w, height: h })
      const brush = canvas.getContext('2d')
      if (brush === null) throw new Error('Nothing can be drawn.')
      brush.fillStyle = 'teal'
      brush.fillRect(0, 0, w, h)
      return canvas.toDataURL('image/png')
    },
    [width, height],
  )
  return { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from(data.split(',')[1] ?? '', 'base64') }
}

const chooseAvatar = async (page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('group', { name: 'Avatar' }).getByRole('button', { name: 'Choose…' }).click()
  await (await choosing).setFiles(file)
}

test('an avatar is scaled down to a small WebP picture, and shown in the header once it is saved', async ({
  page,
  openTab,
}) => {
  await openTab('Settings')
  await chooseAvatar(page, await drawn(page, 600, 300))
  const shown = page.getByRole('img', { name: 'Current Avatar' })
  await expect(shown).toHaveAttribute('src', /^data:image\/webp;base64,/)
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
    .toEqual([128, 64])
  await save(page).click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Account of Ada' }).locator('img')).toHaveAttribute(
    'src',
    /^data:image\/webp/,
  )
})

test('a file that is too small or no picture is refused in words', async ({ page, openTab }) => {
  await openTab('Settings')
  await chooseAvatar(page, await drawn(page, 100, 16))
  const avatar = page.getByRole('group', { name: 'Avatar' })
  await expect(avatar).toContainText('The picture is too small')
  await chooseAvatar(page, { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(avatar).toContainText('The browser cannot read this file as a picture.')
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true')
})

test('the token is hidden until it is shown, can be copied, and is made again after a question', async ({
  page,
  context,
  openTab,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openTab('Settings')
  const token = page.getByLabel('Account token', { exact: true })
  const before = await token.inputValue()
  await expect(token).toHaveAttribute('readonly')
  await expect(token).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show account token' }).click()
  await expect(token).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Copy account token' }).click()
  await expect(page.getByText('Token copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(before)
  await page.getByRole('button', { name: 'Generate a new token' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(token).toHaveValue(before)
  await page.getByRole('button', { name: 'Generate a new token' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Generate' }).click()
  await expect(token).not.toHaveValue(before)
  await expect(token).toHaveValue(/.{20}/)
})

test('a deleted account is gone here and at the server', async ({ page, openTab, pageErrors }) => {
  pageErrors.expect(/status of 40[14]/)
  const { account } = await openTab('Settings')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Delete Account?' })
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect(asked).toContainText('Enter your passphrase')
  await asked.getByLabel('Passphrase', { exact: true }).fill('not the passphrase')
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect(asked).toContainText('The passphrase is wrong.')
  await asked.getByLabel('Passphrase', { exact: true }).fill(account.passphrase)
  await asked.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Account deleted' }).getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(/\/machines$/)
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  const dialog = page.getByRole('dialog', { name: 'Login' })
  await dialog.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(account.passphrase)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(dialog).toContainText('The email address or passphrase is wrong.')
})

test('a tab that logs out takes the other one along, and looks follow', async ({
  page,
  openTab,
  context,
  pageErrors,
}) => {
  const { dashboardUrl } = await openTab('Settings')
  const other = await context.newPage()
  await pageErrors.watch(other)
  await hideLocalClient(other)
  await other.goto(`${dashboardUrl}/machines`)
  await expect(other.getByRole('banner').getByRole('link', { name: 'Account of Ada' })).toBeVisible()
  await chooseFromHeader(other, 'Appearance', 'Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(other.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
})

test('logging out with unsaved changes asks first', async ({ page, openTab }) => {
  await openTab('Settings')
  await page.getByRole('textbox', { name: 'User name' }).fill('Grace')
  await page.getByRole('button', { name: 'Logout' }).click()
  const asked = page.getByRole('alertdialog', { name: 'Log out without saving?' })
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('textbox', { name: 'User name' })).toHaveValue('Grace')
  await page.getByRole('button', { name: 'Logout' }).click()
  await asked.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL(/\/machines$/)
})

test('looks of the account are there before anything is drawn', async ({ page, openTab }) => {
  await openTab('Appearance')
  await page.getByText('Dark mode').click()
  await save(page).click()
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true')
  await page.addInitScript(() => {
    const look = (): void => {
      if ((document.querySelector('#root')?.childElementCount ?? 0) === 0) return
      Object.assign(globalThis, { themeAtFirst: document.documentElement.dataset['theme'] ?? 'none' })
      watcher.disconnect()
    }
    const watcher = new MutationObserver(look)
    watcher.observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Appearance' })).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'themeAtFirst') as unknown)).toBe('dark')
})

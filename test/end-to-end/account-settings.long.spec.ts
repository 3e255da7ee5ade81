import type { Locator, Page } from '@playwright/test'
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

function save(page: Page): Locator {
  return page.getByRole('main').getByRole('button', { name: 'Save' })
}
function question(page: Page): Locator {
  return page.getByRole('alertdialog', { name: 'Unsaved changes' })
}
function list(page: Page, name: 'Enabled' | 'Disabled'): Locator {
  return page.getByRole('grid', { name: `${name} columns` })
}
function names(page: Page, of: 'Enabled' | 'Disabled'): Promise<readonly string[]> {
  return list(page, of)
    .getByRole('row')
    .evaluateAll(rows => rows.map(row => row.getAttribute('aria-label') ?? ''))
}

function expectShown(page: Page, columns: readonly string[]): Promise<void> {
  return expect.poll(() => names(page, 'Enabled')).toEqual(columns)
}

test.describe('the columns', () => {
  test('are moved by the mouse, between the lists too, are there after a reload, and are moved by the keyboard alone [2.61]', async ({
    page,
    openTab,
  }) => {
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
    await expectShown(page, ['PPD', 'ETA', 'Type', 'Project', 'Progress'])
    await expect(row).toBeFocused()
    await pickUp()
    await page.keyboard.press('Tab')
    await expect(list(page, 'Disabled')).toHaveAttribute('data-drop-target', 'true')
    await page.keyboard.press('Enter')
    await expectShown(page, ['PPD', 'ETA', 'Type', 'Progress'])
    expect(await names(page, 'Disabled')).toContain('Project')
  })
})

/** A picture as a file, drawn by the page itself. */
async function drawn(
  page: Page,
  width: number,
  height: number,
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
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

async function chooseAvatar(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('group', { name: 'Avatar' }).getByRole('button', { name: 'Choose…' }).click()
  await (await choosing).setFiles(file)
}

test('an avatar is refused in words, or scaled down to a small WebP picture and shown in the header once it is saved; leaving with unsaved changes leads to where several steps back led, or stays at its place in the history; a reload asks as browsers do, when something would be lost [5.18]', async ({
  page,
  openTab,
}) => {
  await openTab('Settings')
  await chooseAvatar(page, await drawn(page, 100, 16))
  const avatar = page.getByRole('group', { name: 'Avatar' })
  await expect(avatar).toContainText('The picture is too small')
  await chooseAvatar(page, { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(avatar).toContainText('The browser cannot read this file as a picture.')
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true')
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

  const place = (): Promise<unknown> => page.evaluate(() => [location.pathname, (history.state as { idx: number }).idx])
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
  await page.goBack()
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

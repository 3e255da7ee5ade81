import type { Locator, Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { chooseFromHeader, expectState, machineCalled } from './machines-view.ts'
import { expect, test as base } from './fixtures.ts'

/** No user is signed in, and a client made by hand is there. */
const test = base.extend<{ readonly home: string }>({
  home: async ({ page, stopAfterTest }, use) => {
    const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    await page.goto(`${dashboardUrl}/machines`)
    await expectState(page, 'puppet', 'Folding')
    await use(dashboardUrl)
  },
})

function title(page: Page): Locator {
  return page.getByRole('heading', { level: 1 })
}
function pathOf(page: Page): string {
  return page.url().replace(/^https?:\/\/[^/]+/, '')
}

test('the menu leads to each screen and marks the current one; the way back leads to where the page was scrolled to; the first address leaves no entry behind that only leads on; the first Tab offers to skip to the content [2.9, 13.12]', async ({
  page,
  home,
}) => {
  const menu = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Work Units', 'Stats', 'Projects', 'News', 'Machines']) {
    await menu.getByRole('link', { name }).click()
    await expect(title(page)).toHaveText(name)
    await expect(menu.locator('[aria-current=page]')).toHaveText(name)
  }
  await page.goBack()
  await expect(title(page)).toHaveText('News')

  await page.goto(`${home}/news`)
  await page.goto(home)
  await expect(page).toHaveURL(`${home}/machines`)
  await page.goBack()
  await expect(page).toHaveURL(`${home}/news`)
  await page.goForward()
  const skip = page.getByRole('link', { name: 'Skip to the content' })
  await expect(skip).toBeAttached()
  await page.keyboard.press('Tab')
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await page.setViewportSize({ width: 800, height: 300 })
  await page.goto(`${home}/about`)
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  const scrolled = (): Promise<number> => page.evaluate(() => scrollY)
  await page.mouse.wheel(0, 250)
  await expect.poll(scrolled).toBe(250)
  await page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/news"]')?.click())
  await expect(title(page)).toHaveText('News')
  expect(await scrolled()).toBe(0)
  await page.goBack()
  await expect.poll(scrolled).toBe(250)
  // The code of the screen is loaded again, so its content comes late.
  await page.reload()
  await expect(title(page)).toBeVisible()
  await expect.poll(scrolled).toBe(250)
})

test('dialogs open by key, hold the focus, and give it back to where it was; a menu is opened, walked through and left by keys [13.12]', async ({
  page,
  home: _,
}) => {
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const connect = page.getByRole('dialog', { name: 'Connect to a client' })
  const button = page.getByRole('button', { name: 'Pause puppet', exact: true })
  await button.focus()
  await page.keyboard.press('?')
  await expect(list).toContainText('Connect to a client')
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(button).toBeFocused()

  await page.keyboard.press('Control+Shift+L')
  await expect(connect.getByRole('textbox', { name: 'Address' })).toBeFocused()
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab')
    await expect(connect.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(connect).toHaveCount(0)
  await expect(button).toBeFocused()

  await page.getByRole('combobox', { name: 'Find machines' }).focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('combobox', { name: 'Find machines' })).toHaveValue('?')
  await expect(list).toHaveCount(0)
  await page.keyboard.press('Escape')

  const trigger = page.getByRole('button', { name: 'Actions for puppet' })
  await trigger.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(trigger).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('[role=menu]:focus, [role=menu] :focus')).toHaveCount(1)
  await page.keyboard.type('hard')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('puppet')
  await expect(page.getByRole('main')).toContainText('A processor')
})

test.describe('connecting by address', () => {
  const second = clientData({ info: { mach_name: 'second', hostname: 'second', id: 'second-id' } })

  test('a link that names a client asks, and connects to nothing before one agrees', async ({
    page,
    home,
    stopAfterTest,
  }) => {
    const other = stopAfterTest(await startScriptedClient(second))
    const address = `127.0.0.1:${other.address.port}`
    const question = page.getByRole('alertdialog', { name: 'Connect to this client?' })
    await page.goto(`${home}/machines?connect=${address}`)
    await expect(question.getByRole('textbox')).toHaveValue(address)
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expect(machineCalled(page, 'puppet')).toBeAttached()
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    expect(other.readers()).toBe(0)
    expect(pathOf(page)).toBe('/machines')

    await page.goto(`${home}/machines?connect=${address}`)
    await question.getByRole('button', { name: 'Connect' }).click()
    await expectState(page, 'second', 'Folding')
  })
})

test('an appearance is applied when it is chosen, and kept', async ({ page, home: _ }) => {
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await ink()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await ink()
  expect(dark).not.toBe(light)
  const choose = async (...names: readonly string[]): Promise<void> => {
    await chooseFromHeader(page, 'Appearance', ...names)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await choose('Light')
  await expect.poll(ink).toBe(light)
  await choose('Dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(ink).toBe(dark)

  await page.setViewportSize({ width: 1920, height: 900 })
  const panel = machineCalled(page, 'puppet')
  const before = await panel.boundingBox()
  await choose('Compact', 'Wide')
  await expect.poll(async () => (await panel.boundingBox())?.width).toBeGreaterThan(before?.width ?? Infinity)
  await expect.poll(async () => (await panel.boundingBox())?.height).toBeLessThan(before?.height ?? 0)
  const after = await panel.boundingBox()
  await page.reload()
  await expectState(page, 'puppet', 'Folding')
  await expect.poll(ink).toBe(dark)
  await expect.poll(() => panel.boundingBox()).toEqual(after)
  await choose('System')
  await expect.poll(ink).toBe(light)
})

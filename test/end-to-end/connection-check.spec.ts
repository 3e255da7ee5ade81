import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { badgesOf, chooseFromHeader, expectState, machineCalled } from './machines-view.ts'
import { expect, test } from './signed-in.ts'
import { closedAddress, serveFrom, silenceUsualAddress, tellBrowser } from './troubled-clients.ts'

const BOARD = 'https://board.example.org'
function dialogOf(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Connection check' })
}

function expectDiagnosis(page: Page, title: string): Promise<void> {
  return expect(dialogOf(page).getByRole('heading', { level: 3 })).toHaveText(title, { timeout: 30_000 })
}

/** Adds a client by its address, and asks why it cannot be reached. */
async function checkAddress(page: Page, address: string): Promise<void> {
  await chooseFromHeader(page, 'Connect to a client')
  const connect = page.getByRole('dialog', { name: 'Connect to a client' })
  await connect.getByRole('textbox', { name: 'Address' }).fill(address)
  await connect.getByRole('button', { name: 'Connect' }).click()
  await machineCalled(page, `Direct client at ${address}`).getByRole('button', { name: 'Find out why' }).click()
}

test.beforeEach(async ({ page, pageErrors }) => {
  // Chromium logs failed probes.
  pageErrors.expect(/blocked by CORS policy|violates the following Content Security Policy|Failed to load resource/)
  pageErrors.expect(/Mixed Content|Permission was denied|local.?network|loopback/i)
  await silenceUsualAddress(page)
})

test('a client that refuses this page: the lines that let it in can be copied; on a phone, and in the dark, everything fits and can be read', async ({
  page,
  startTestNetwork,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { dashboardUrl, directAddress } = await startTestNetwork({ machines: 0, directOrigins: [] })
  await page.goto(dashboardUrl)
  await checkAddress(page, directAddress)
  await expectDiagnosis(page, 'The client does not trust this page')
  const dialog = dialogOf(page)
  await expect(dialog).toContainText('Sends browsers elsewhere, as clients do')
  const line = `fah-client --allowed-origins "${new URL(dashboardUrl).origin}"`
  await expect(dialog.getByText(line, { exact: true })).toBeVisible()
  await expect(dialog.getByText(/^<allowed-origins v="http:\/\/localhost:\d+"\/>$/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Copy: Or on the command line' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(line)
  await dialog.getByRole('button', { name: 'Copy result' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('The client does not trust this page')

  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await dialogOf(page).getByText('What was tried').click()
  expect(await violations(page)).toEqual([])
  const widths = await page.evaluate(() =>
    ['html', '[role=dialog]', '[role=dialog] pre, [role=dialog] code', '[role=dialog] footer'].map(
      selector => (document.querySelector(selector)?.scrollWidth ?? 0) <= 360,
    ),
  )
  expect(widths).toEqual([true, true, true, true])
  for (const button of await dialogOf(page).getByRole('button').all()) {
    const box = await button.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  }

  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('a page that came over HTTPS, and a browser that does not allow it to reach this computer [11.10]', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0, allowedOrigins: [BOARD] })
  await tellBrowser(page, { permission: 'denied' })
  await serveFrom(page, BOARD, dashboardUrl, await closedAddress())
  await page.goto(`${BOARD}/machines`)
  await page.getByRole('button', { name: 'Find the client' }).click()
  await expectDiagnosis(page, 'The browser does not allow it')
})

test('without a client there is one first screen, by keyboard as well; a client that starts replaces it; when it ends, the next check finds it again [2.13, 6.1]', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, direct } = await startTestNetwork({ machines: 0 })
  await direct.stop()
  await page.goto(dashboardUrl)
  const first = page.getByRole('region', { name: 'No machines found' })
  await expect(first.getByRole('heading', { level: 3 })).toHaveText([
    'Find the client on this computer',
    'Your account',
    'See a demo',
  ])
  await expect(page.getByText(/disconnected/i)).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'All machines' })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await first.getByRole('button', { name: 'Find the client' }).focus()
  await page.keyboard.press('Enter')
  await expectDiagnosis(page, 'No folding client is running')
  await page.keyboard.press('Escape')
  await expect(first.getByRole('button', { name: 'Find the client' })).toBeFocused()
  await direct.start()
  await expectState(page, 'this-computer', 'Folding')
  await expect(first).toHaveCount(0)

  await direct.stop()
  await expect(badgesOf(page, 'this-computer')).toHaveText(['Disconnected'])
  await machineCalled(page, 'this-computer').getByRole('button', { name: 'Find out why' }).click()
  await expectDiagnosis(page, 'No folding client is running')
  await direct.start()
  await dialogOf(page).getByRole('button', { name: 'Check again' }).click()
  await expectDiagnosis(page, 'The connection works')
  await dialogOf(page).getByRole('button', { name: 'Close' }).click()
  await expect(badgesOf(page, 'this-computer')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Find out why' })).toHaveCount(0)
})

test('a button signs in to the demo that the page’s server offers [2.13]', async ({ page, startTestNetwork }) => {
  const network = await startTestNetwork({ machines: 1 })
  await network.direct.stop()
  await Promise.all([network.online(), page.goto(network.dashboardUrl)])
  await page.getByRole('button', { name: 'Show the demo' }).click()
  await expectState(page, 'atlas', 'Folding')
})

test('a link to an account page leads to the machines, asks to log in, and then continues there', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, account } = await startTestNetwork({ machines: 0 })
  await page.goto(`${dashboardUrl}/account/teams`)
  const login = page.getByRole('dialog', { name: 'Login' })
  await expect(login).toBeVisible()
  await expect(page).toHaveURL(`${dashboardUrl}/machines`)
  await login.getByRole('textbox', { name: /^e-?mail/i }).fill(account.email)
  await login.getByLabel('Passphrase', { exact: true }).fill(account.passphrase)
  await login.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('tab', { name: 'Teams', selected: true })).toBeVisible()
  await expect(page).toHaveURL(`${dashboardUrl}/account/teams`)
})

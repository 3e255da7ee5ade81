import { readFile } from 'node:fs/promises'
import type { Locator, Page, Route } from '@playwright/test'
import { expectState, openHeaderMenu } from './machines-view.ts'
import { hideLocalClient, passTimeUntil } from './page-state.ts'
import { submitLogin } from './sign-in.ts'
import { expect, test } from './fixtures.ts'

function banner(page: Page) {
  return page.getByRole('banner')
}
const away = 'The server of this page does not respond.'
function tryAgain(page: Page | Locator) {
  return page.getByRole('button', { name: 'Try again' })
}

/** As it was before. */
function startServer(page: Page, dashboardUrl: string): Promise<void> {
  return page.unroute(`${dashboardUrl}/**`)
}

/** What the page's own server does with everything that is asked of it from now on. */
async function setServer(page: Page, dashboardUrl: string, meet: (route: Route) => Promise<void>): Promise<void> {
  await startServer(page, dashboardUrl)
  await page.route(`${dashboardUrl}/**`, meet)
}

function stopServer(page: Page, dashboardUrl: string): Promise<void> {
  return setServer(page, dashboardUrl, route => route.abort())
}

/** Opens the page with its first screen loaded; nothing else is loaded before it is wanted. */
async function openPage(page: Page, dashboardUrl: string): Promise<void> {
  await hideLocalClient(page)
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await openAgain(page, dashboardUrl)
}

async function openAgain(page: Page, dashboardUrl: string): Promise<void> {
  await page.goto(dashboardUrl)
  await expect(page.getByRole('heading', { name: 'No machines found' })).toBeVisible()
  // The code of the notices comes a moment later; without it the page reports that as well.
  await expect(page.locator('main > [aria-live]')).toBeAttached()
}

async function expectShell(page: Page): Promise<void> {
  await expect(banner(page)).toBeVisible()
  await expect(page.getByText('This is an error in Foldboard')).toHaveCount(0)
}

test("what is said while a menu is loaded stands at its button; when the page's server is away, that is reported in its place, and the menu is there after another attempt", async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await openPage(page, dashboardUrl)
  await page.route('**/assets/header-menu-popover-*.js', () => undefined)
  const button = banner(page).getByRole('button', { name: 'Menu' })
  await button.click()
  const loading = page.getByRole('status').filter({ hasText: /^Loading…$/ })
  await expect(loading).toBeVisible()
  const [above, below] = [await button.boundingBox(), await loading.boundingBox()]
  if (above === null || below === null) throw new Error('Both are visible.')
  expect(Math.abs(below.y - (above.y + above.height))).toBeLessThan(1)
  expect(Math.abs(below.x + below.width - (above.x + above.width))).toBeLessThan(1)

  await page.unroute('**/assets/header-menu-popover-*.js')
  await openAgain(page, dashboardUrl)
  await stopServer(page, dashboardUrl)
  await openHeaderMenu(page)
  const notice = page.getByRole('dialog', { name: 'The menu cannot be shown right now' })
  await expect(notice).toContainText(away)
  await expectShell(page)
  await tryAgain(notice).click()
  await expect(tryAgain(notice)).toBeVisible()
  await expect(notice).toContainText(away)
  await startServer(page, dashboardUrl)
  await tryAgain(notice).click()
  await expect(page.getByRole('menuitem', { name: 'Recordings' })).toBeVisible()
  await expectShell(page)
})

test('a file that is missing, with the page in its place, is distinguished from a server that is away; a new version, whose server answers for old files with its page, asks for a reload', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  pageErrors.expect(/Expected a JavaScript-or-Wasm module script|MIME type/)
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await openPage(page, dashboardUrl)
  const html = await (await page.request.get(dashboardUrl)).text()
  await setServer(page, dashboardUrl, route => route.fulfill({ contentType: 'text/html', body: html }))
  await page.getByRole('link', { name: 'News' }).first().click()
  const notice = page.getByRole('main').getByRole('alert')
  await expect(notice).toContainText('The server of this page sent unusable data.')
  await expectShell(page)
  await startServer(page, dashboardUrl)
  await tryAgain(page).click()
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()

  await openAgain(page, dashboardUrl)
  const newer = (await readFile('dist/index.html', 'utf8')).replace(/index-[\w-]+\.js/, 'index-newer.js')
  await setServer(page, dashboardUrl, route =>
    route.fulfill({
      contentType: new URL(route.request().url()).pathname === '/' ? 'text/html' : 'text/javascript',
      body: newer,
    }),
  )
  await page.getByRole('link', { name: 'News' }).first().click()
  await expect(notice).toContainText('A new version of Foldboard is available. Reload the page to use it.')
  await expectShell(page)
  await expect(tryAgain(page)).toHaveCount(0)
  await startServer(page, dashboardUrl)
  await notice.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
})

test('a worker whose script does not load is reported on the screen, and the machines come when it does', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, account } = await startTestNetwork({ machines: 2 })
  await hideLocalClient(page)
  const script = /\/wire\.worker-[\w-]+\.js$/
  await page.route(script, route => route.abort())
  await page.goto(dashboardUrl)
  await submitLogin(page, account)
  const notice = page.getByText('The part of Foldboard that connects to your machines is not running.')
  await expect(notice).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute(script)
  await expect(notice).toHaveCount(0, { timeout: 40_000 })
  await expectState(page, 'atlas', 'Folding')
})

test('a browser that opens its databases ten seconds late shows the page at once and restores the session, and is not said to store nothing', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, account: credentials } = await startTestNetwork({ machines: 1 })
  await hideLocalClient(page)
  await page.goto(dashboardUrl)
  await submitLogin(page, credentials)
  const account = banner(page).getByRole('link', { name: /^Account of / })
  await expect(account).toBeVisible()
  await page.clock.install()
  await page.addInitScript({
    content: `IDBOpenDBRequest.prototype.addEventListener = function (type, listener, options) {
      const late = event => setTimeout(() => listener.call(this, event), 10_000)
      EventTarget.prototype.addEventListener.call(this, type, type === 'success' ? late : listener, options)
    }`,
  })
  await page.reload()
  await page.getByRole('link', { name: 'News' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'News' })).toBeAttached()
  await expect(banner(page).getByText('Loading the account…')).toBeAttached()
  await passTimeUntil(page, () => expect(account).toBeVisible({ timeout: 200 }))
  await expect(page.getByText('does not let Foldboard store data')).toHaveCount(0)
  await page.getByRole('link', { name: 'Machines' }).first().click()
  await expectState(page, 'atlas', 'Folding')
})

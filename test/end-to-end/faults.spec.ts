import type { Page, Route } from '@playwright/test'
import { expectState } from './machines-view.ts'
import { hideLocalClient, moveClock, passTimeUntil } from './page-state.ts'
import { expect, test } from './signed-in.ts'
import { signIn, submitLogin } from './sign-in.ts'
import { test as baseTest } from './fixtures.ts'

const banner = (page: Page) => page.getByRole('banner')
const login = (page: Page) => page.getByRole('dialog', { name: 'Login' })
const logIn = (page: Page) => login(page).getByRole('button', { name: 'Login' }).last()
const user = (page: Page) => page.getByRole('textbox', { name: 'User name' })
const save = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save' })

const readable = (page: Page) => ({
  'access-control-allow-origin': new URL(page.url()).origin,
  'access-control-allow-credentials': 'true',
})

/** What stands between a page and a server on its way through a hotel. */
const hotel = (page: Page) => (route: Route) =>
  route.fulfill({
    contentType: 'text/html',
    headers: readable(page),
    body: '<!doctype html><script>document.title = "taken"</script><h1>Welcome to the hotel</h1>',
  })

const openSettings = async (page: Page): Promise<void> => {
  await banner(page).getByRole('link', { name: 'Account of Demo_Donor' }).click()
  await expect(user(page)).toHaveValue('Demo_Donor')
}

const logInPage = async (page: Page, dashboardUrl: string): Promise<void> => {
  await hideLocalClient(page)
  await page.goto(dashboardUrl)
}

baseTest.describe('signing in', () => {
  baseTest(
    'fails while the server is down, says why, and keeps what was typed for another try',
    async ({ page, startTestNetwork }) => {
      const { dashboardUrl, apiUrl, account } = await startTestNetwork({ machines: 0 })
      await logInPage(page, dashboardUrl)
      await page.route(`${apiUrl}/login?*`, route => route.abort())
      await submitLogin(page, account)
      await expect(login(page)).toContainText(
        'Login failed API error: the server cannot be reached. Check the connection and try again.',
      )
      await expect(login(page).getByLabel('Passphrase', { exact: true })).toHaveValue(account.passphrase)
      await page.unroute(`${apiUrl}/login?*`)
      await logIn(page).click()
      await expect(banner(page).getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
      expect(await page.title()).toBe('Machines · Foldboard')
    },
  )

  baseTest(
    'can be called off while the server takes its time, and no user is signed in when it answers at last',
    async ({ page, startTestNetwork }) => {
      const { dashboardUrl, apiUrl, account } = await startTestNetwork({ machines: 0 })
      await logInPage(page, dashboardUrl)
      const { answer } = await holdBack(page, `${apiUrl}/login?*`)
      await submitLogin(page, account)
      await expect(login(page).getByRole('status').filter({ hasText: 'Contacting the account server…' })).toBeVisible()
      await login(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(logIn(page)).toBeVisible()
      await answer()
      await expect(login(page).getByRole('textbox', { name: 'Email' })).toHaveValue(account.email)
      await expect(banner(page).getByRole('link', { name: /^Account/ })).toHaveCount(0)
      await logIn(page).click()
      await expect(banner(page).getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
    },
  )
})

/** Answers of this address come only when the test lets them. */
const holdBack = async (page: Page, address: string) => {
  const held: Route[] = []
  await page.route(address, route => void held.push(route))
  return {
    /** Lets through what was held back, unless the request was aborted, and all later ones. */
    answer: async (): Promise<void> => {
      await page.unroute(address)
      for (const route of held) await route.continue().catch(() => undefined)
    },
  }
}

test('while the server takes its time with a kept session, its place is kept, then a message appears', async ({
  page,
  enter,
}) => {
  await page.clock.install()
  const { apiUrl } = await enter({ machines: 0 })
  await openSettings(page)
  const { answer } = await holdBack(page, `${apiUrl}/account`)
  await page.reload()
  await expect(banner(page).getByRole('status')).toHaveText('Loading the account…')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Settings')
  await expect(page.getByRole('main').getByText('Loading the account…')).toBeAttached()
  await expect(banner(page).getByRole('button', { name: 'Login' })).toHaveCount(0)
  const slow = page.getByText('The account server is slow to respond.')
  await passTimeUntil(page, () => expect(slow).toBeVisible({ timeout: 200 }))
  await answer()
  await expect(user(page)).toHaveValue('Demo_Donor')
  await expect(slow).toHaveCount(0)
})

test('a page that comes instead of the account is distinguished from a server that is down, and one can log out here all the same', async ({
  page,
  enter,
}) => {
  const { apiUrl, dashboardUrl } = await enter({ machines: 1 })
  await openSettings(page)
  await page.route(`${apiUrl}/account`, hotel(page))
  await page.reload()
  await expect(page.getByText('The account server’s response cannot be read')).toContainText(
    'A login page or proxy of your network may be interfering.',
  )
  await expect(page.getByRole('heading', { name: 'The account cannot be shown right now' })).toBeVisible()
  await expect(banner(page).getByRole('link', { name: 'Account (cannot be reached)' })).toBeVisible()
  await page.goto(`${dashboardUrl}/machines`)
  await expect(page.getByRole('main')).toContainText(
    'Your account’s machines appear here as soon as the account server can be reached.',
  )
  const left = page.waitForRequest(`${apiUrl}/logout`)
  await page.getByRole('button', { name: 'Logout' }).click()
  expect((await left).headers()['authorization']).toMatch(/.{10}/)
  await expect(banner(page).getByRole('button', { name: 'Login' })).toBeVisible()
  await page.reload()
  await expect(banner(page).getByRole('button', { name: 'Login' })).toBeVisible()
})

test('saving fails for a server that is down, reports it, and keeps what was typed', async ({ page, enter }) => {
  const { apiUrl } = await enter({ machines: 0 })
  await openSettings(page)
  await user(page).fill('Grace')
  await page.route(`${apiUrl}/account`, route => route.abort())
  await save(page).click()
  const notice = page.getByRole('dialog', { name: 'Save Failed' })
  await expect(notice).toContainText('Failed to save account settings: API error: the server cannot be reached')
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(user(page)).toHaveValue('Grace')
  await page.unroute(`${apiUrl}/account`)
  await save(page).click()
  await expect(banner(page).getByRole('link', { name: 'Account of Grace' })).toBeVisible()
})

test('one may go on typing while a slow server saves, and nothing of it is lost', async ({ page, enter }) => {
  const { apiUrl } = await enter({ machines: 0 })
  await openSettings(page)
  await user(page).fill('Grace')
  const { answer } = await holdBack(page, `${apiUrl}/account`)
  await save(page).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Saving…' })).toBeVisible()
  await user(page).fill('Grace H')
  await answer()
  await expect(banner(page).getByRole('link', { name: 'Account of Grace', exact: true })).toBeVisible()
  await expect(user(page)).toHaveValue('Grace H')
  await save(page).click()
  await expect(banner(page).getByRole('link', { name: 'Account of Grace H', exact: true })).toBeVisible()
})

test('a session that ends in the middle of the work is shown, leaves nothing on the screen, and another can begin', async ({
  page,
  enter,
  pageErrors,
}) => {
  pageErrors.expect(/status of 401/)
  const { apiUrl, account } = await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  await openSettings(page)
  await user(page).fill('Grace')
  await page.route(`${apiUrl}/account`, route =>
    route.fulfill({ status: 401, json: { error: 'Not logged in' }, headers: readable(page) }),
  )
  await save(page).click()
  const notice = page.getByRole('dialog', { name: 'Logged out' })
  await expect(notice).toContainText('Your session has ended.')
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(/\/machines$/)
  await expect(page.getByRole('heading', { name: 'No machines found' })).toBeVisible()
  await expect(banner(page)).not.toContainText('Foldboard Friends')
  await page.unroute(`${apiUrl}/account`)
  await submitLogin(page, account)
  await expectState(page, 'atlas', 'Folding')
})

test('with a wrong clock, signing in and saving work, and the page reports that the machines were not notified', async ({
  page,
  enter,
}) => {
  await moveClock(page, 45 * 60_000)
  await enter({ machines: 1 })
  await expectState(page, 'atlas', 'Folding')
  await openSettings(page)
  await user(page).fill('Grace')
  await save(page).click()
  const notice = page.getByRole('dialog', { name: 'Machines were not notified' })
  await expect(notice).toContainText('This computer’s clock is wrong')
  await notice.getByRole('button', { name: 'OK' }).click()
  await expect(banner(page).getByRole('link', { name: 'Account of Grace' })).toBeVisible()
})

baseTest.describe('an account whose node is no address', () => {
  const node = '999.1'
  baseTest('keeps its page, which shows that, and can be left', async ({ page, startTestNetwork }) => {
    const { dashboardUrl, apiUrl, account } = await startTestNetwork({ machines: 1 })
    await page.route(`${apiUrl}/account`, async route => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      return route.fulfill({ response, json: { ...((await response.json()) as object), node } })
    })
    await page.goto(`${dashboardUrl}/machines`)
    await signIn(page, account)
    const notice = page.getByText(`Your account’s node “${node}” is not a valid address`)
    const direct = page.getByText(`Direct client at ${new URL(dashboardUrl).host}`)
    for (const time of ['at login', 'after a reload']) {
      await expect(notice, time).toBeVisible()
      await expect(direct, time).toBeVisible()
      await expect(page.getByRole('link', { name: 'Account settings' }), time).toBeVisible()
      await page.reload()
    }
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(notice).toHaveCount(0)
    await expect(direct).toBeVisible()
    await expect(banner(page).getByRole('button', { name: 'Login' })).toBeVisible()
  })
})

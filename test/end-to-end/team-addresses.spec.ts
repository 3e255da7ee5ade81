import { hideLocalClient } from './page-state.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './fixtures.ts'

test('the team’s site is opened in a tab of its own, after a warning, and cannot reach back', async ({
  page,
  context,
  startTestNetwork,
}) => {
  const { dashboardUrl, account } = await startTestNetwork({ machines: 0 })
  await context.route('https://foldboard.example/**', route =>
    route.fulfill({ contentType: 'text/html', body: '<title>Friends</title>' }),
  )
  await hideLocalClient(page)
  await page.goto(dashboardUrl)
  await signIn(page, account)
  await page.getByRole('button', { name: 'Visit the website of Foldboard Friends' }).click()
  const warning = page.getByRole('alertdialog', { name: 'Visit team website?' })
  await expect(warning).toContainText('We cannot vouch for its safety.')
  await warning.getByRole('button', { name: 'Cancel' }).click()
  expect(context.pages()).toHaveLength(1)
  await page.getByRole('button', { name: 'Visit the website of Foldboard Friends' }).click()
  const opening = context.waitForEvent('page')
  await warning.getByRole('link', { name: 'Proceed' }).click()
  const site = await opening
  await site.waitForURL('https://foldboard.example/')
  expect(await site.evaluate(() => [window.opener === null, document.referrer])).toEqual([true, ''])
  await expect(warning).toHaveCount(0)
})

test('an address that is none of the web is never a link, wherever it comes from', async ({
  page,
  context,
  startTestNetwork,
}) => {
  const { dashboardUrl, account, apiUrl } = await startTestNetwork({ machines: 0 })
  const hostile = 'javascript:document.title="taken"//'
  const headers = {
    'access-control-allow-origin': new URL(dashboardUrl).origin,
    'access-control-allow-credentials': 'true',
  }
  await page.route(`${apiUrl}/team/*`, route =>
    route.fulfill({ headers, json: { id: 1, name: 'Hostile', url: hostile, logo: hostile } }),
  )
  await page.route(`${apiUrl}/account`, async route => {
    const response = await route.fetch()
    const found = (await response.json()) as object
    await route.fulfill({
      response,
      json: { ...found, teams: [{ team: 7, name: 'Trap', url: hostile, logo: hostile, wus: 0, score: 0 }] },
    })
  })
  await hideLocalClient(page)
  await page.goto(dashboardUrl)
  await signIn(page, account)
  await expect(page.getByRole('banner')).toContainText('Hostile')
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Account of/ })
    .click()
  await page.getByRole('tab', { name: 'Teams' }).click()
  await expect(page.getByRole('table')).toContainText('Trap')
  await page.getByRole('table').getByText('Trap').click()
  await page.getByRole('banner').getByText('Hostile').click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  expect(await page.locator('[href^="javascript" i], [src^="javascript" i]').count()).toBe(0)
  expect([await page.title(), context.pages().length]).toEqual(['Account Settings · Foldboard', 1])
})

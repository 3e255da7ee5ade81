import { hideLocalClient } from './page-state.ts'
import { signIn } from './sign-in.ts'
import { expect, test } from './fixtures.ts'

test('under the other name of this computer the dashboard is the same; the team’s site is opened in a tab of its own, after a warning, and cannot reach back [2.9, 8.8]', async ({
  page,
  context,
  startTestNetwork,
}) => {
  const { dashboardUrl, account } = await startTestNetwork({ machines: 0 })
  await context.route('https://foldboard.example/**', route =>
    route.fulfill({ contentType: 'text/html', body: '<title>Friends</title>' }),
  )
  await hideLocalClient(page)
  await page.goto(dashboardUrl.replace('localhost', '127.0.0.1'))
  await signIn(page, account)
  await expect(page.getByRole('link', { name: 'Account of Demo_Donor' })).toBeVisible()
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

import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

function articles(page: Page) {
  return page.getByRole('main').getByRole('article')
}

// What the browser reports of handlers in what it only parsed: they would not have run.
const parsed = /^Executing inline event handler violates/

test('HTML of news runs no script, and adds no form and no heading', async ({ page, startTestNetwork, pageErrors }) => {
  pageErrors.expect(parsed)
  const network = await startTestNetwork({ machines: 0 })
  const attack =
    '<img src=x onerror="window.harmed = true"><script>window.harmed = true</script><a href="javascript:window.harmed = true">press</a><form><input></form><h1>MAIN</h1>'
  await page.route(`${network.apiUrl}/article`, route =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: [
        {
          slug: '"><script>',
          title: `Hostile ${attack}`,
          author: attack,
          published: 'soon',
          excerpt: `${attack}<p>calm</p>`,
          hero: '../../account',
        },
      ],
    }),
  )
  await page.goto(`${network.dashboardUrl}/news`)
  await expect(articles(page)).toContainText('calm')
  await articles(page).getByText('press').last().click()
  expect(await page.evaluate(() => Reflect.get(window, 'harmed') as unknown)).toBeUndefined()
  await expect(articles(page).locator('script, form, input, h1')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('News')
  await expect(page).toHaveURL(/\/news$/)
})

test('news that cannot be fetched are reported missing, are tried when asked, and old ones are shown meanwhile; they have pictures, authors and days, and lead away in new tabs [2.33]', async ({
  page,
  startTestNetwork,
  pageErrors,
}) => {
  pageErrors.expect(/status of 503/)
  const network = await startTestNetwork({ machines: 0 })
  const path = `${network.apiUrl}/article`
  await page.route(path, route =>
    route.fulfill({ status: 503, headers: { 'access-control-allow-origin': '*' }, json: { error: 'Busy' } }),
  )
  await page.goto(`${network.dashboardUrl}/news`)
  await expect(page.getByRole('main')).toContainText('Retrying in an hour.')
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(articles(page)).toHaveCount(4)
  const coffee = articles(page).filter({ hasText: 'coffee' })
  await expect(coffee.getByRole('heading', { level: 2 })).toHaveText('Five proteins, one weekend & a lot of coffee')
  await expect(coffee).toContainText('By Mira Lindqvist on November 14, 2026.')
  await expect(coffee.locator('em')).toHaveText('best-known')
  const link = coffee.getByRole('link')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(coffee.locator('img')).toHaveAttribute('loading', 'lazy')
  await expect(coffee.locator('img')).toHaveAttribute('referrerpolicy', 'no-referrer')
  // Kept: neither another visit nor a reload asks again within the hour.
  await page.route(path, route => route.abort())
  await page.reload()
  await expect(articles(page)).toHaveCount(4)
})

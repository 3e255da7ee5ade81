import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { hideLocalClient } from './page-state.ts'
import { expect, test } from './signed-in.ts'
import { clientData, startScriptedClient } from './scripted-client.ts'

const donorOf = (page: Page) => page.getByRole('region', { name: 'Donor' })
const chartOf = (page: Page) => page.getByRole('region', { name: 'Over time' })

test('points over time are drawn, can be chosen, and read by keyboard and as a table', async ({ page, enter }) => {
  const network = await enter({ machines: 1 })
  await page.goto(`${network.dashboardUrl}/stats`)
  const chart = chartOf(page)
  const line = chart.getByRole('slider', { name: 'PPD of the donor' })
  await expect(line.locator('canvas')).toBeVisible()
  const newest = await line.getAttribute('aria-valuetext')
  expect(newest).toMatch(/^[\d,]{7,}, .+ UTC\)$/)
  await line.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(line).not.toHaveAttribute('aria-valuetext', newest ?? '')
  await page.keyboard.press('ArrowRight')
  await expect(line).toHaveAttribute('aria-valuetext', newest ?? '')
  await line.hover({ position: { x: 200, y: 60 } })
  await expect(line).not.toHaveAttribute('aria-valuetext', newest ?? '')

  await chart.getByRole('radiogroup', { name: 'Donor or team' }).getByText('Team', { exact: true }).click()
  await chart.getByRole('radiogroup', { name: 'Measure' }).getByText('Points').click()
  await chart.getByRole('radiogroup', { name: 'Time range' }).getByText('Week').click()
  await expect(page).toHaveURL(/\?chart=team&measure=score&range=week$/)
  await expect(chart.getByRole('slider', { name: 'Points of the team' }).locator('canvas')).toBeVisible()
  await chart.getByText('Show as table').click()
  const rows = chart.getByRole('table').getByRole('row')
  await expect(rows.first()).toHaveText('DayPPDPointsWork units')
  expect(await rows.count()).toBeGreaterThanOrEqual(7)
  await expect(rows.nth(1)).toHaveText(/^\w+ \d+, \d{4}[\d,]{6,}[\d,]{9,}[\d,]+$/)
  expect(await violations(page)).toEqual([])
  await page.reload()
  await expect(chart.getByRole('slider', { name: 'Points of the team' }).locator('canvas')).toBeVisible()
})

test('the line goes on by the hour, is resumed where it ended, and nothing is subscribed while no chart is shown', async ({
  page,
  enter,
}) => {
  const said: { readonly type: string; readonly $ref: string; readonly since?: string }[] = []
  page.on('websocket', socket => {
    if (!socket.url().endsWith('/statistics')) return
    socket.on('framesent', ({ payload }) => said.push(JSON.parse(String(payload)) as (typeof said)[number]))
  })
  const network = await enter({ machines: 1 })
  await page.goto(`${network.dashboardUrl}/stats`)
  const line = chartOf(page).getByRole('slider')
  await expect(line.locator('canvas')).toBeVisible()
  const before = await line.getAttribute('aria-valuetext')
  await network.statistics.announce()
  await expect(line).not.toHaveAttribute('aria-valuetext', before ?? '')
  expect(said.filter(({ type, since }) => type === 'subscribe' && since === undefined)).not.toEqual([])
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click()
  await expect.poll(() => said.at(-1)).toMatchObject({ type: 'unsubscribe', $ref: said[0]?.$ref })
  await page.goto(`${network.dashboardUrl}/stats`)
  await expect(line.locator('canvas')).toBeVisible()
  await expect
    .poll(() => said.at(-1))
    .toMatchObject({ type: 'subscribe', $ref: said[0]?.$ref, since: expect.stringMatching(/Z$/) })
})

test('the machines view shows what was credited, and leads to the statistics', async ({ page, enter }) => {
  await enter({ machines: 1 })
  const spark = page.getByRole('main').getByRole('link', { name: /^Credited, 24 h [\d,]{7,} points/ })
  await expect(spark).toBeVisible()
  expect(await violations(page)).toEqual([])
  await spark.click()
  await expect(donorOf(page)).toContainText('Demo_Donor')
})

test('a team’s owner edits it where its statistics are', async ({ page, enter }) => {
  const network = await enter({ machines: 1 })
  await page.goto(`${network.dashboardUrl}/stats`)
  const team = page.getByRole('region', { name: 'Team' })
  await team.getByRole('button', { name: 'Edit team 4242' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Team 4242' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Foldboard Fellows')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(team.getByRole('heading', { level: 2 })).toContainText('Foldboard Fellows')
})

test('without an account, those of the client on this computer are shown', async ({
  page,
  startTestNetwork,
  stopAfterTest,
}) => {
  const client = stopAfterTest(await startScriptedClient(clientData({ config: { user: 'Demo_Donor', team: 4242 } })))
  const network = await startTestNetwork({ machines: 0, client: client.address })
  await page.goto(`${network.dashboardUrl}/stats`)
  await expect(donorOf(page)).toContainText('Demo_Donor')
  await expect(donorOf(page)).toContainText(/Top [\d,]+/)
  await expect(page.getByRole('region', { name: 'Team' })).toContainText('Foldboard Friends')
})

test('an answer that is slow leaves the shape of what comes, and old numbers are shown with their age when none comes', async ({
  page,
  enter,
}) => {
  const network = await enter({ machines: 1 })
  await page.goto(`${network.dashboardUrl}/stats`)
  await expect(donorOf(page)).toContainText(/Top [\d,]+/)
  let release: () => void = () => undefined
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route(`${network.apiUrl}/user/**`, async route => {
    await held
    await route.abort()
  })
  await page.evaluate(forget)
  await page.reload()
  await expect(donorOf(page).getByRole('status')).toContainText('Loading...')
  release()
  await expect(donorOf(page)).toContainText('Could not load the statistics')
  expect(await violations(page)).toEqual([])
})

test('axe finds no violation on the statistics of a signed-out user', async ({ page, startTestNetwork }) => {
  const network = await startTestNetwork({ machines: 0 })
  await hideLocalClient(page)
  await page.goto(`${network.dashboardUrl}/stats`)
  await expect(donorOf(page)).toContainText('Folding anonymously')
  await expect(chartOf(page)).toHaveCount(0)
  expect(await violations(page)).toEqual([])
})

/** Runs in the page: it keeps no statistics any more. */
const forget = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('foldboard.cache')
    opening.onerror = () => reject(new Error('It cannot be opened.'))
    opening.onsuccess = () => {
      const clearing = opening.result.transaction('personal', 'readwrite').objectStore('personal').clear()
      clearing.onsuccess = () => resolve()
    }
  })

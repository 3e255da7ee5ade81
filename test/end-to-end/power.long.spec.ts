import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { machineCalled } from './machines-view.ts'
import { expect, signIn, test } from './server-program.ts'

const HOUR = 3_600_000

/** What a program, or another page, sends to the server. */
async function send(page: Page, url: string, path: string, data: unknown): Promise<void> {
  const response = await page.request.post(`${url}/api/server/${path}`, {
    headers: { Origin: url, 'Content-Type': 'application/json' },
    data: JSON.stringify(data),
  })
  expect(response.status()).toBe(200)
}

async function enterPower(page: Page, url: string): Promise<void> {
  const watts = (value: number) => ({ watts: value, origin: 'entered' })
  const profile = { idle: watts(50), cpu: watts(100), gpus: {} }
  await send(page, url, 'shared', { type: 'power.profile', machine: 'puppet-id', profile })
  const price = { kind: 'list', input: 'spot' }
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const tariffs = { currency: 'EUR', timeZone, price, co2: null }
  await send(page, url, 'shared', { type: 'power.tariffs', tariffs })
  const begin = Math.floor(Date.now() / HOUR) * HOUR
  const prices = Array.from({ length: 48 }, (_, hour) => ({
    begin: begin + hour * HOUR,
    end: begin + (hour + 1) * HOUR,
    price: 0.5,
  }))
  await send(page, url, 'inputs/spot/prices', prices)
}

test('the house meter and tags are on the screen of power, whose figures are saved as a CSV file; rules of power are made in a form that says what follows, and a machine says which one pauses it [11.6]', async ({
  page,
  startServer,
}) => {
  const { url } = await startServer('[[meters]]\nname = "house"\n')
  await page.goto(`${url}/stats/power`)
  await signIn(page, 'administrator')
  await expect(page.getByRole('heading', { name: 'Power', exact: true })).toBeVisible()
  await enterPower(page, url)
  await send(page, url, 'meters/house', 400)
  await send(page, url, 'shared', { type: 'tags.add', tag: 'attic', machines: ['puppet-id'] })
  await page.reload()
  const house = page.getByRole('region', { name: 'House meter' })
  await expect(house).toContainText('400 W machines: 25%')
  const users = page.getByRole('region', { name: 'Points for energy' })
  await users.getByText('Tag', { exact: true }).first().click()
  await expect(users).toContainText('attic')
  expect(await violations(page)).toEqual([])
  const saving = page.waitForEvent('download')
  await users.getByRole('button', { name: 'Export CSV' }).click()
  const text = await readFile(await (await saving).path(), 'utf8')
  expect(text).toMatch(/^\uFEFFTag,Watts now,.*\r\nattic,100,entered,/)

  await page.goto(`${url}/schedules`)
  await page.getByRole('button', { name: 'New schedule' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Power')
  await page.getByRole('checkbox', { name: 'All machines' }).check({ force: true })
  for (const kind of ['Budget', 'Cheap hours', 'Surplus of power', 'Heat'])
    await page.getByRole('button', { name: kind, exact: true }).click()
  await page.getByLabel('At most a month').fill('2')
  await expect(page.getByText(/^This month €0\.0\d of €2\.00 are used\./)).toBeVisible()
  await expect(page.getByText(/^About .+ kWh in the next seven days; .+ kWh with known prices cost €/)).toBeVisible()
  await expect(page.getByRole('img', { name: 'If surplus of solar: Fold' }).first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'If room kept at 21: Fold' }).first()).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save schedule' }).click()
  const list = page.getByRole('region', { name: 'Schedules', exact: true })
  await expect(list).toContainText('Finish: 2 spent on energy this month')
  await expect(list).toContainText('Fold: the 6 cheapest hours; 6:00 PM–7:00 AM')
  await expect(list).toContainText('The budget will be reached about')
  await page.getByRole('button', { name: 'Edit Power' }).click()
  await page.getByLabel('At most a month').fill('0')
  await page.getByRole('button', { name: 'Save schedule' }).click()
  await expect(list).toContainText('Finish: 0 spent on energy this month (applies now)')
  await page.goto(`${url}/machines`)
  await expect(machineCalled(page, 'puppet')).toContainText('Schedule “Power”: 0 spent on energy this month')
})

import type { Locator, Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { controlsOf, expectState, machineCalled, press, unitsOf } from './machines-view.ts'
import { clientData, groupConfig, startScriptedClient, unitData } from './scripted-client.ts'

test.use({ showsTable: false })

const HOUR = 3_600_000
function ago(hours: number): string {
  return new Date(Date.now() - hours * HOUR).toISOString()
}

/** Twelve units of six hours, one after another, that were credited with 6,000 points each. */
const ended = Array.from({ length: 12 }, (_, index) =>
  unitData({
    id: `ended-${index}`,
    number: 100 + index,
    state: 'UPLOAD',
    result: 'credited',
    ppd: 24_000,
    run_time: 6 * 3600,
    end_time: ago(1 + 6 * index),
  }),
)

async function top(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN
}
async function bottom(locator: Locator): Promise<number> {
  const box = await locator.boundingBox()
  return (box?.y ?? Number.NaN) + (box?.height ?? 0)
}

async function start(stop: <Started extends { stop(): unknown }>(started: Started) => Started) {
  const units = [unitData(), unitData({ id: 'unit-2', number: 2, wu_progress: 0.5, eta: '1h 5m' })]
  const client = stop(await startScriptedClient(clientData({ groups: { '': { config: groupConfig() } }, units })))
  const host = stop(await serveAlone({ port: 0, client: client.address }))
  return { client, url: `${host.dashboardUrl}/machines` }
}

function machineTabs(page: Page): Locator {
  return page.getByRole('navigation', { name: 'puppet' })
}

test('a single machine is the first screen: units beside each other, points, actions; its table, history, log, settings and hardware are tabs [13.10]', async ({
  page,
  stopAfterTest,
}) => {
  const { client, url } = await start(stopAfterTest)
  await page.goto(url)
  const machine = machineCalled(page, 'puppet')
  const units = machine.getByRole('list', { name: 'puppet', exact: true }).getByRole('listitem')
  await expect(units).toHaveText([/Project 18201.*3h 5m ETA.*25\.0%.*Ready: .*Running/, /1h 5m ETA.*50\.0%/])
  expect(await top(units.nth(1))).toBe(await top(units.nth(0)))
  const points = machine.getByRole('region', { name: 'Points' })
  // Nothing is said of a day of which the client has yet to report the ended units.
  await expect.poll(() => client.untakenCommands().map(({ cmd }) => cmd)).toContain('wus')
  await expect(points.getByRole('definition')).toHaveText(['???', '???'])
  client.say(['wus', ended])
  await expect(points.getByRole('definition').nth(1)).toHaveText(/^7\d,\d{3}$/)
  await expect(points.getByRole('listitem')).toHaveCount(7)
  for (const forMany of ['View', 'More']) await expect(page.getByRole('button', { name: forMany })).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'All machines' })).toHaveCount(0)
  await press(page, 'Pause', 'puppet')
  await expectState(page, 'puppet', 'pausing…')
  expect(await violations(page)).toEqual([])
  const openTab = async (name: string): Promise<void> => {
    await machineTabs(page).getByRole('link', { name }).press('Enter')
    await expect(machineTabs(page).locator('[aria-current]')).toHaveText(name)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('puppet')
  }
  await openTab('Units')
  await expect(unitsOf(page, 'puppet')).toHaveCount(2)
  await expect(page.getByRole('table', { name: 'Recent Work Unit History' })).toHaveAttribute('aria-rowcount', '13')
  await expect(page.getByRole('region', { name: 'PPD over time' })).toBeVisible()
  await openTab('Log')
  await expect(page.getByRole('search')).toBeVisible()
  await openTab('Settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 2 })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(units).toHaveCount(2)
  await openTab('Hardware')
  await expect(page.getByText('A processor')).toBeVisible()
  await machineTabs(page).getByRole('link', { name: 'Overview' }).click()
  await expect(page).toHaveURL(url)
})

test('on a phone what folds comes first, and the actions are below on every tab, covering nothing [13.11]', async ({
  page,
  stopAfterTest,
}) => {
  const { url } = await start(stopAfterTest)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(url)
  const machine = machineCalled(page, 'puppet')
  const units = machine.getByRole('list', { name: 'puppet', exact: true }).getByRole('listitem')
  await expect(machine.getByRole('region', { name: 'Points' })).toBeAttached()
  expect(await top(units.first())).toBeLessThan(250)
  const actions = controlsOf(page, 'puppet')
  const isAbove = async (lower: Locator, upper: Locator) =>
    expect(await bottom(upper)).toBeLessThanOrEqual(await top(lower))
  await isAbove(page.getByRole('navigation', { name: 'Main' }), actions)
  expect(await violations(page)).toEqual([])
  const last = units.last().getByRole('button', { name: /^Actions for/ })
  await last.focus()
  await isAbove(actions, last)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await isAbove(actions, machine)
  await machineTabs(page).getByRole('link', { name: 'Log' }).click()
  await isAbove(actions, page.getByRole('log'))
})

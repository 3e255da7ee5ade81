import type { Locator } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { expectState, machineCalled, openTools, press, unitsOf } from './machines-view.ts'
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

test('a single machine is shown in full: units beside each other, points, actions; its table is one press away and is kept [13.10]', async ({
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
  await expect(points).toBeVisible()
  client.say(['wus', ended])
  await expect(points.getByRole('definition').nth(1)).toHaveText(/^7\d,\d{3}$/)
  await expect(points.getByRole('listitem')).toHaveCount(7)
  await press(page, 'Pause', 'puppet')
  await expectState(page, 'puppet', 'pausing…')
  expect(await violations(page)).toEqual([])
  const choice = (name: string): Locator => page.getByRole('group', { name: 'View' }).getByRole('button', { name })
  await choice('Panels').click()
  await expect(unitsOf(page, 'puppet')).toHaveCount(2)
  await page.goto(url)
  await expect(unitsOf(page, 'puppet')).toHaveCount(2)
  await choice('Machine').press('Enter')
  await expect(units).toHaveCount(2)
})

test('on a phone what folds comes first: totals and tools open when asked, and the actions are below, covering nothing [13.11]', async ({
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
  const actions = page.getByRole('group', { name: 'All machines' })
  const menu = page.getByRole('navigation')
  expect(await bottom(actions)).toBeLessThanOrEqual(await top(menu))
  expect(await violations(page)).toEqual([])
  await expect(page.getByRole('table', { name: 'All machines' })).toBeHidden()
  await page.getByRole('button', { name: /^[\d,]+ PPD$/ }).click()
  await expect(page.getByRole('table', { name: 'All machines' })).toBeVisible()
  await openTools(page)
  await page.getByRole('button', { name: 'Panels', exact: true }).click()
  await expect(unitsOf(page, 'puppet').first()).toContainText('ETA 3h 5m')
  await openTools(page)
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Find machines' })).toBeFocused()
  await page.getByRole('button', { name: 'Machine', exact: true }).click()
  const last = units.last().getByRole('button', { name: /^Actions for/ })
  await last.focus()
  expect(await bottom(last)).toBeLessThanOrEqual(await top(actions))
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await bottom(machine)).toBeLessThanOrEqual(await top(actions))
})

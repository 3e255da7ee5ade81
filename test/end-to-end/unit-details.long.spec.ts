import type { Locator } from '@playwright/test'
import { unitData } from './scripted-client.ts'
import { expect, test as base } from './fixtures.ts'
import { grid, test } from './work-units-view.ts'

test('a work unit’s details are live, and it moves to the history when it ends [2.34]', async ({ page, home }) => {
  await page.goto(`${home.url}/unit/running`)
  const value = (id: string): Locator => page.locator(`[data-column="${id}"] dd`)
  await expect(value('status-text')).toHaveText('Running')
  await expect(page.locator('[data-column] dt')).toHaveText([
    'Status Text',
    'OS Text',
    'TPF',
    'PPD',
    'CPUs',
    'GPUs Text',
    'Run Time',
    'ETA',
    'Assign Time',
    'Deadline',
    'Timeout',
    'Core',
    'RCG',
    // Not known, and folded.
    'Work Server',
  ])
  const main = page.getByRole('main')
  await expect(main.getByText('25.0%')).toBeVisible()
  home.say(['units', 0, 'wu_progress', 0.5], ['units', 0, 'eta', '1h 1m'], ['units', 0, 'ppd', 999])
  await expect(main.getByText('50.0%')).toBeVisible()
  await expect(value('eta')).toHaveText('1h 1m')
  await expect(value('ppd')).toHaveText(/^999/)
  await expect(page.getByRole('link', { name: 'Log' })).toHaveAttribute('href', /^\/__direct__\/log\?q=WU21%3A/)
  await expect(page.getByRole('link', { name: '3D view', exact: true })).toHaveAttribute(
    'href',
    '/__direct__/view/running',
  )
  await expect(page.getByRole('main').getByRole('link', { name: 'Machine', exact: true })).toHaveAttribute(
    'href',
    '/__direct__',
  )
  home.say(
    [
      'wus',
      -2,
      [
        {
          ...unitData({ id: 'running', number: 21, wu_progress: 1 }),
          result: 'credited',
          end_time: new Date().toISOString(),
        },
      ],
    ],
    ['units', 0, null],
  )
  await expect(value('status-text')).toHaveText('Credited')
  await expect(page.getByRole('link', { name: '3D view', exact: true })).toHaveCount(0)
  await page.goto(`${home.url}/unit/nobody`)
  await expect(page.getByRole('heading', { name: 'Work unit not found' })).toBeVisible()
})

test('a unit’s page begins with its molecule, its project, what it earns, and what was seen of it [2.35, 2.36]', async ({
  page,
  home,
}) => {
  const main = page.getByRole('main')
  await page.goto(`${home.url}/unit/running`)
  await expect(main.getByText('No frames yet')).toBeVisible()
  await expect(main.getByText('Points if it ends then')).toBeVisible()
  await expect(main.getByText('The chart begins within two minutes.')).toBeVisible()
  // Two moments make a chart: the first look, and a change of state.
  home.say(['units', 0, 'pause_reason', 'Paused'])
  await expect(main.getByRole('slider', { name: 'Progress' })).toHaveAttribute('aria-valuetext', /^25%/, {
    timeout: 20_000,
  })
  await main.getByText('Show as table').click()
  await expect(main.getByRole('region', { name: 'History' }).getByRole('row').nth(1)).toContainText('Paused')
  const events = main.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(events.filter({ hasText: /Deadline|Timeout/ })).toHaveCount(2)
  await expect(events.filter({ hasText: 'Paused' })).toBeVisible()
  await main.getByRole('button', { name: 'Dump…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(main.getByRole('button', { name: /^Pause / })).toBeVisible()
  await page.reload()
  await expect(main.getByRole('slider', { name: 'Points per day' })).toBeVisible({ timeout: 20_000 })
})

base(
  'credits of a unit are shown as loading, logged, missing and failed',
  async ({ page, startTestNetwork, pageErrors }) => {
    pageErrors.expect(/status of (?:404|500)/)
    const { dashboardUrl, apiUrl } = await startTestNetwork({ machines: 0 })
    await page.goto(`${dashboardUrl}/wus`)
    await grid(page).getByRole('row').filter({ hasText: 'Credited' }).getByRole('link').first().waitFor()
    const address =
      (await grid(page)
        .getByRole('row')
        .filter({ hasText: 'Credited' })
        .getByRole('link')
        .first()
        .getAttribute('href')) ?? ''
    const main = page.getByRole('main')
    const table = main.getByRole('table', { name: /logged credit/ })
    const headers = {
      'access-control-allow-origin': new URL(dashboardUrl).origin,
      'access-control-allow-credentials': 'true',
    }
    const calls = `${apiUrl}/project/*/run/**`

    let release = (): void => undefined
    const held = new Promise<void>(resolve => (release = resolve))
    await page.route(calls, async route => {
      await held
      await route.continue()
    })
    await page.goto(`${dashboardUrl}${address}`)
    await expect(main).toContainText('Loading...')
    await expect(main).toContainText('May include credits awarded to other users.')
    release()
    await expect(table.getByRole('columnheader')).toHaveText(['Code', 'User', 'Team', 'Credit', 'Assigned', 'Credited'])
    await expect(table.getByRole('row').last().getByRole('cell').nth(0)).toHaveText('Ok')
    await expect(main.getByRole('heading', { name: /^Project \d+$/ })).toBeVisible()
    await expect(main).toContainText('atoms, on')

    await page.unroute(calls)
    const other = await page.context().newPage()
    await pageErrors.watch(other)
    await other.route(calls, route => route.fulfill({ status: 500, headers, json: { error: 'Later.' } }))
    await other.goto(`${dashboardUrl}/wus`)
    // The newest were asked for already, while the history was shown.
    await grid(other).getByRole('row').filter({ hasText: 'Credited' }).last().getByRole('link').first().click()
    await expect(other.getByRole('main')).toContainText('Could not load the credits.')
    await other.unroute(calls)
    await other.route(calls, route => route.fulfill({ status: 404, headers, json: { error: 'None.' } }))
    await other.getByRole('button', { name: 'Try again' }).click()
    await expect(other.getByRole('main')).toContainText('No credits logged')
  },
)

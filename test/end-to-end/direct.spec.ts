import type { Page } from '@playwright/test'
import {
  badgesOf,
  chooseFromMenu,
  controlsOf,
  expectState,
  expectStates,
  expectTotals,
  expectUnits,
  machineCalled,
  press,
  unitsOf,
} from './machines-view.ts'
import { expect, test } from './fixtures.ts'

/** The simulated client that stands in where no real one listens. */
const NAME = 'this-computer'

const statesOf = (page: Page) => unitsOf(page, NAME).locator('[data-column=status]')

test('the client on this computer: its panel, its units, and what they add up to', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  const panel = machineCalled(page, NAME)
  await expect(panel).toContainText('15 CPUs, GA106 [GeForce RTX 3060]')
  await expect(panel).toContainText('v8.5.7')
  await expect(panel).toContainText(`Direct client at ${new URL(dashboardUrl).host}`)
  await expectState(page, NAME, 'Folding')
  await expect(badgesOf(page, NAME)).toHaveCount(0)
  await expectUnits(page, NAME, [
    ['18420', 'CPU', 'Running', /^30\.\d%$/, /^[\d,]+$/, ''],
    ['18615', 'GPU', 'Running', /^70\.\d%$/, /^[\d,]+$/, ''],
  ])
  await expectStates(page, ['2 running'])
  await expectTotals(page, ['1', '15', '1', /^[\d,]+$/])
  await expect(async () => {
    const points = await page.locator('[data-column=ppd]').allTextContents()
    const sum = points
      .map(text => Number(text.replaceAll(',', '')))
      .reduce((a, b) => a + b)
      .toLocaleString('en-US')
    await expect(panel).toContainText(`${sum} PPD`, { timeout: 500 })
    await expect(page.getByRole('table', { name: 'All machines' }).getByRole('cell').last()).toHaveText(sum, {
      timeout: 500,
    })
  }).toPass()
})

test('the pause dialog asks what is meant, and Escape means nothing', async ({ page, startTestNetwork }) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  const dialog = page.getByRole('dialog', { name: `Fold, pause or finish ${NAME}?` })
  await chooseFromMenu(page, `Actions for ${NAME}`, 'Pause, resume or finish…')
  await expect(dialog.getByRole('button', { name: 'Pause' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await chooseFromMenu(page, `Actions for ${NAME}`, 'Pause, resume or finish…')
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await expectState(page, NAME, 'Paused')
  await chooseFromMenu(page, `Actions for ${NAME}`, 'Pause, resume or finish…')
  await dialog.getByRole('button', { name: 'Resume' }).click()
  await expectState(page, NAME, 'Folding')
})

test('only a paused unit can be dumped, and only after a question', async ({ page, startTestNetwork }) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  const menu = /^Actions for unit \d+, project 18615$/
  await page.getByRole('button', { name: menu }).click()
  const dump = page.getByRole('menuitem', { name: 'Dump…' })
  await expect(dump).toBeDisabled()
  await expect(dump).toContainText('Only a paused work unit can be dumped. Pause it first.')
  await page.keyboard.press('Escape')
  await press(page, 'Pause', NAME)
  await expect(statesOf(page)).toHaveText(['Paused', 'Paused'])

  const question = page.getByRole('alertdialog', { name: 'Dump WU?' })
  await chooseFromMenu(page, menu, 'Dump…')
  await expect(question).toContainText(
    'Dumped Work Units receive no points. Are you sure you want to dump this Work Unit?',
  )
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(statesOf(page)).toHaveText(['Paused', 'Paused'])

  await chooseFromMenu(page, menu, 'Dump…')
  await question.getByRole('button', { name: 'Dump' }).click()
  await expect(unitsOf(page, NAME)).toHaveCount(1)
  await expect(statesOf(page)).toHaveText(['Paused'])
})

test('a command to a group uses the exact name of the group', async ({ page, startTestNetwork }) => {
  const { dashboardUrl, local } = await startTestNetwork({ machines: 0 })
  local.client.attach(() => undefined).receive({ cmd: 'config', config: { groups: { '': {}, 'my-gpu': { cpus: 1 } } } })
  await page.goto(dashboardUrl)
  const mine = `my-gpu on ${NAME}`
  await expectState(page, mine, 'Paused')
  await expectState(page, NAME, 'Groups in different states')
  await press(page, 'Fold', mine)
  await expectState(page, mine, 'Folding')
  await press(page, 'Pause', `Default on ${NAME}`)
  await expectState(page, `Default on ${NAME}`, 'Paused')
  await expectState(page, mine, 'Folding')
  await expect(page.getByRole('region', { name: NAME }).getByRole('heading', { level: 3 })).toHaveText([
    'Default',
    'my-gpu',
  ])
})

test('a client that goes away leaves what it said, marked as old, and is found again by itself', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl, direct } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  const panel = machineCalled(page, NAME)
  await expect(statesOf(page)).toHaveText(['Running', 'Running'])
  await direct.stop()
  await expect(badgesOf(page, NAME)).toHaveText(['Disconnected'])
  await expect(panel).toContainText('as of just now')
  await expect(panel).toContainText('??? PPD')
  await expect(panel).toHaveAttribute('data-stale', 'true')
  await expect(statesOf(page)).toHaveText(['Running', 'Running'])
  await expectStates(page, ['1 disconnected'])
  await expectTotals(page, ['1', '0', '0', '0'])
  for (const button of await controlsOf(page, NAME).getByRole('button').all()) await expect(button).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Pause All' })).toBeDisabled()

  await direct.start()
  await expect(badgesOf(page, NAME)).toHaveCount(0)
  await expect(panel).toHaveAttribute('data-stale', 'false')
  await expect(panel).not.toContainText('as of')
  await expectStates(page, ['2 running'])
  await press(page, 'Pause', NAME)
  await expectState(page, NAME, 'Paused')
})

test('a connection that is only dropped is made again', async ({ page, startTestNetwork }) => {
  const { dashboardUrl, direct, local } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  await expectStates(page, ['2 running'])
  direct.dropAll()
  local.client.attach(() => undefined).receive({ cmd: 'state', state: 'pause' })
  await expectStates(page, ['2 paused'])
})

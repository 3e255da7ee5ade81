import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { expect, test } from './fixtures.ts'
import {
  chooseFromMenu,
  controlsOf,
  expectState,
  expectTotals,
  machineCalled,
  press,
  unitsOf,
} from './machines-view.ts'

const GPU = 'GeForce RTX 3060'
const NAME = 'this-computer'

function cards(page: Page) {
  return machineCalled(page, NAME).getByRole('list', { name: NAME, exact: true }).getByRole('listitem')
}

async function chooseInMenu(page: Page, unit: number, entry: string): Promise<void> {
  await unitsOf(page, NAME)
    .nth(unit)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

test.describe('with one machine', () => {
  test.use({ showsTable: false })

  test('one press pauses its GPU while its CPUs go on; it is remembered, and folded by one press [11.12]', async ({
    page,
    startTestNetwork,
  }) => {
    const { dashboardUrl } = await startTestNetwork({ machines: 0 })
    await page.goto(dashboardUrl)
    const [cpuUnit, gpuUnit] = [cards(page).filter({ hasText: '14 CPUs' }), cards(page).filter({ hasText: '1 CPU, ' })]
    await press(page, 'Pause', GPU)
    await expectState(page, GPU, 'Paused')
    await expect(gpuUnit).toContainText('Press Fold at this work unit')
    await expect(cpuUnit).toContainText('Running')
    await expect(gpuUnit).toContainText(`${GPU}: paused since`)
    expect(await violations(page)).toEqual([])
    await page.reload()
    await expect(gpuUnit).toContainText(`${GPU}: paused since`)
    await press(page, 'Fold', GPU)
    await expectState(page, GPU, 'Folding')
    await expect(cpuUnit).toContainText('Running')
  })

  test('Fold of the machine folds what was paused by itself, after naming it; its undo pauses it again [11.12]', async ({
    page,
    startTestNetwork,
  }) => {
    const { dashboardUrl } = await startTestNetwork({ machines: 0 })
    await page.goto(dashboardUrl)
    await press(page, 'Pause', 'CPUs')
    await expectState(page, 'CPUs', 'Paused')
    await press(page, 'Fold', NAME)
    const preview = page.getByRole('dialog', { name: 'Fold: 1 machine' })
    await expect(preview).toContainText('CPUs: paused → folding')
    await preview.getByRole('button', { name: 'Fold (1)' }).click()
    await expectState(page, 'CPUs', 'Folding')
  })
})

test('in the table a GPU is paused from the menu of its unit, shown as paused in its group, and finished after a word of warning [11.12]', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  await expect(unitsOf(page, NAME)).toHaveCount(2)
  const paused = machineCalled(page, NAME).getByRole('list', { name: 'GPUs and CPUs' }).getByRole('listitem')
  await chooseInMenu(page, 1, `Pause ${GPU}`)
  await expect(paused).toHaveText(new RegExp(`^${GPU}: paused since`))
  await expect(controlsOf(page, NAME).getByRole('status')).toHaveText('Folding')
  await paused.getByRole('button', { name: `Fold ${GPU}` }).click()
  await expect(paused).toHaveCount(0)
  await chooseInMenu(page, 1, `Finish ${GPU}`)
  const preview = page.getByRole('dialog', { name: `Finish ${GPU}: 1 machine` })
  await expect(preview).toContainText('keep this page open until then')
  await preview.getByRole('button', { name: `Finish ${GPU} (1)` }).click()
  await expect(paused).toHaveText(new RegExp(`^${GPU}: finishing`))
  await expectTotals(page, ['1', '15', '1', /\d/])
})

test('all GPUs of a model are paused on the selected machines, and given back by the undo [11.12]', async ({
  page,
  startTestNetwork,
}) => {
  const { dashboardUrl } = await startTestNetwork({ machines: 0 })
  await page.goto(dashboardUrl)
  await expectTotals(page, ['1', '15', '1', /\d/])
  await chooseFromMenu(page, /^More$/, 'Select machines')
  await page.getByRole('button', { name: /^Select all/ }).click()
  await page.getByRole('button', { name: 'More actions for the selected machines' }).click()
  await page.getByRole('menuitem', { name: 'GPUs and CPUs…' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: /GPUs and CPUs/ }).click()
  await page.getByRole('option', { name: GPU }).click()
  await form.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog')).toContainText(`${GPU}: folding → paused`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Pause ${GPU} (1)` })
    .click()
  await expectTotals(page, ['1', '14', '0', /\d/])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectTotals(page, ['1', '15', '1', /\d/])
})

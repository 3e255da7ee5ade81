import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { layoutFaults } from './layout-faults.ts'
import { machineCalled, openTools } from './machines-view.ts'
import { expect, test } from './signed-in.ts'

function field(page: Page) {
  return page.getByRole('combobox', { name: 'Find machines' })
}
function names(page: Page) {
  return page.getByRole('heading', { level: 2 })
}
function suggestions(page: Page) {
  return page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
}
function states(page: Page) {
  return page.getByRole('list', { name: 'Work units by state' })
}
function terms(page: Page) {
  return page.getByRole('list', { name: 'What is searched for' })
}

test('the keyboard alone finds machines by what is suggested', async ({ page, enter }) => {
  await enter()
  await expect(machineCalled(page, 'atlas')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.press('ArrowDown')
  await expect(suggestions(page).first()).toContainText('state:')
  await page.keyboard.type('vers')
  await expect(suggestions(page)).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  const active = await field(page).getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${active ?? ''}"]`)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('version:')
  await expect(suggestions(page).first()).toContainText(/version:8\.\d\.\d.*machine/)
  await page.keyboard.type('>8.4 name:atlas')
  await page.keyboard.press('Enter')
  await expect(suggestions(page)).toHaveCount(0)
  await expect(names(page)).toHaveText(['atlas'])
  await expect(terms(page).getByRole('listitem')).toHaveText(['Version: >8.4', 'Name: atlas', 'Clear all'])
  expect(await violations(page)).toEqual([])
  await field(page).press('Escape')
  await expect(field(page)).toHaveValue('')
  await expect(terms(page)).toHaveCount(0)
})

test('a count shows the machines that it counts, and all of them again; tags are given by keyboard, searched for, and still there after a reload', async ({
  page,
  enter,
}) => {
  await enter()
  await expect(machineCalled(page, 'atlas')).toBeVisible()
  const all = await page.getByRole('table', { name: 'All machines' }).getByRole('cell').first().textContent()
  const count = states(page).getByRole('button', { name: /running/ })
  await expect(count).toHaveAttribute('aria-pressed', 'false')
  await count.click()
  await expect(count).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/filter=state/)
  await expect(page.getByText(`of ${all ?? ''} machines shown`)).toBeVisible()
  await page.reload()
  await expect(count).toHaveAttribute('aria-pressed', 'true')
  await count.click()
  await expect(count).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByText('machines shown')).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions for atlas' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Tags…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Tags of atlas' })
  await dialog.getByRole('textbox', { name: 'New tag' }).fill('top shelf')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('list', { name: 'Tags of atlas' })).toHaveText('top shelf')
  expect(await violations(page)).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).press('Enter'),
  ])
  const file = await download.path()
  await dialog.getByRole('button', { name: 'Remove top shelf' }).press('Enter')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'Import' }).press('Enter'),
  ])
  await chooser.setFiles(file)
  await expect(dialog.getByText('The file has tags of 1 machine.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add to mine' }).press('Enter')
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await machineCalled(page, 'atlas').getByRole('link', { name: 'top shelf' }).press('Enter')
  await expect(field(page)).toHaveValue('tag:"top shelf"')
  await expect(names(page)).toHaveText(['atlas'])
  await page.reload()
  await expect(names(page)).toHaveText(['atlas'])
  await expect(machineCalled(page, 'atlas').getByRole('link', { name: 'top shelf' })).toBeVisible()
})

test('on a phone it searches without scrolling sideways', async ({ page, enter }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await enter()
  await expect(machineCalled(page, 'atlas')).toBeVisible()
  await openTools(page)
  await field(page).click()
  await expect(suggestions(page).first()).toBeVisible()
  const box = await page.getByRole('listbox', { name: 'Suggestions' }).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  await field(page).fill('gpu:"NVIDIA GeForce" version:<9 tag:none,attic colour:red')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'What is not understood' })).toBeVisible()
  expect(await layoutFaults(page)).toEqual([])
  expect(await violations(page)).toEqual([])
})

import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { machineCalled, openTools } from './machines-view.ts'
import { expect, test } from './signed-in.ts'

test.use({ showsTable: false })

function gridOf(page: Page, name = 'Machines'): Locator {
  return page.getByRole('grid', { name, exact: true })
}

function rowsOf(grid: Locator): Locator {
  return grid.locator('[data-key]')
}

function focusedCell(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const cell = document.activeElement?.closest<HTMLElement>('[data-column]')
    return `${cell?.closest('[role=row]')?.getAttribute('aria-rowindex') ?? ''} ${cell?.dataset['column'] ?? ''}`
  })
}

/** How far the page itself can be scrolled sideways, in pixels. */
function sidewaysRoom(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

async function chooseView(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name })).click()
}

test('with forty machines a grid is shown, whose keys reach every cell; a row for each work unit shows when it is ready, and leads to it [11.1]', async ({
  page,
  enter,
}) => {
  await enter({ machines: 40, uniform: true })
  const grid = gridOf(page)
  await expect(grid).toHaveAttribute('aria-rowcount', '41')
  await expect(rowsOf(grid).first()).toBeVisible()
  expect(await rowsOf(grid).count()).toBeLessThan(40)
  await grid.getByRole('button', { name: 'Machine' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focusedCell(page)).toBe('2 name')
  await page.keyboard.press('Control+End')
  await expect.poll(() => focusedCell(page)).toBe('41 .menu')
  await expect(grid.locator('[aria-rowindex="41"]')).toBeInViewport()
  await page.keyboard.press('Control+Home')
  await expect.poll(() => focusedCell(page)).toBe('2 .select')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focusedCell(page)).toBe('2 state')
  await page.keyboard.press('Enter')
  const name = await rowsOf(grid).first().getByRole('link').innerText()
  await expect(machineCalled(page, name)).toBeVisible()
  await expect(grid).toHaveAttribute('aria-rowcount', '42')
  expect(await violations(page)).toEqual([])
  expect(await sidewaysRoom(page)).toBe(0)

  await chooseView(page, 'Grid of work units')
  const units = gridOf(page, 'Work units')
  await expect(units).toHaveAttribute('aria-rowcount', '81')
  await expect(rowsOf(units).first().locator('[data-column="eta"]')).toHaveText(/^\d+[dhms]/)
  await rowsOf(units).first().locator('[data-column="ppd"]').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Work Unit Details')
  await page.goBack()
  await expect(units).toBeVisible()
})

test('panels collapse to one line, one by one and all at once, and stay so; on a phone rows of units open to all columns, and nothing scrolls sideways', async ({
  page,
  enter,
}) => {
  await enter({ machines: 3, uniform: true })
  const tables = page.getByRole('main').getByRole('table').filter({ hasText: 'Project' })
  await expect(tables).toHaveCount(3)
  const toggle = page.getByRole('button', { name: /^Work units of/ })
  await toggle.first().click()
  await expect(tables).toHaveCount(2)
  await expect(toggle.first()).toHaveAttribute('aria-expanded', 'false')
  await expect(page.getByRole('region').first()).toContainText('2 running')
  await chooseView(page, 'Collapse all panels')
  await expect(tables).toHaveCount(0)
  await page.reload()
  await expect(toggle).toHaveCount(3)
  await expect(tables).toHaveCount(0)
  expect((await page.getByRole('region').first().boundingBox())?.height ?? 0).toBeLessThan(60)
  await chooseView(page, 'Expand all panels')
  await expect(tables).toHaveCount(3)

  await page.setViewportSize({ width: 360, height: 740 })
  await page
    .getByRole('button', { name: /^More about unit/ })
    .first()
    .click()
  const lines = page.locator('dl').first()
  for (const term of ['PPD', 'ETA', 'TPF', 'GPUs Text', 'Deadline'])
    await expect(lines.getByRole('term').filter({ hasText: new RegExp(`^${term}$`) })).toHaveCount(1)
  expect(await sidewaysRoom(page)).toBe(0)
  await openTools(page)
  await chooseView(page, 'Grid of machines')
  await expect(rowsOf(gridOf(page)).first()).toBeVisible()
  expect(await sidewaysRoom(page)).toBe(0)
  expect(await violations(page)).toEqual([])
  await chooseView(page, 'Grid of work units')
  const projects = gridOf(page, 'Work units').locator('[role=gridcell][data-column=project]')
  await expect(projects.first()).toBeVisible()
  const [starts, places] = await Promise.all([
    gridOf(page, 'Work units')
      .locator('[role=gridcell][data-column=machine]')
      .evaluateAll(cells => cells.map(cell => Math.round(cell.getBoundingClientRect().left))),
    projects.evaluateAll(cells => cells.map(cell => cell.getBoundingClientRect().left > window.innerWidth / 2)),
  ])
  expect(new Set(starts).size).toBe(1)
  expect(new Set(places)).toEqual(new Set([true]))
})

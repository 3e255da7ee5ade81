import type { Page } from '@playwright/test'
import { violations } from './axe.ts'
import { chooseFromMenu } from './machines-view.ts'
import { follow } from './screens.ts'
import { expect, test } from './signed-in.ts'

/** By how much the page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

test('points per day of the fleet are drawn over time, with the range and the open chart in the address', async ({
  page,
  enter,
}) => {
  await enter({ machines: 8 })
  await chooseFromMenu(page, /^More$/, 'PPD over time')
  const panel = page.getByRole('region', { name: 'PPD over time' })
  const line = panel.getByRole('slider', { name: 'PPD of the shown machines' })
  await expect(line.locator('canvas')).toBeVisible()
  await expect(panel.locator('dl')).toContainText(/Usual PPD[\d,]{5,}/)
  await panel.getByRole('radiogroup', { name: 'Time range' }).getByText('24 h').click()
  await expect(page).toHaveURL(/\?chart=ppd&range=day$/)
  await expect(line).toHaveAttribute('aria-valuetext', /^[\d,]{5,}, .+ UTC\)$/)
  const newest = (await line.getAttribute('aria-valuetext')) ?? ''
  await line.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(line).not.toHaveAttribute('aria-valuetext', newest)
  await panel.getByText('Show as table').click()
  await expect(panel.getByRole('row').nth(1)).toHaveText(/M[\d,]{5,}$/)
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => overflow(page)).toBe(0)
  await page.reload()
  await expect(line.locator('canvas')).toBeVisible()
  await panel.getByRole('button', { name: 'Close the chart' }).click()
  await expect(panel).toHaveCount(0)
  await expect(page).toHaveURL(/\/machines$/)
})

test('a large fleet is shown as a map that is used by keyboard and pointer, with a twin for screen readers, and leads to a machine', async ({
  page,
  enter,
}) => {
  await enter({ machines: 40 })
  await follow(page, '/machines?layout=map')
  const map = page.getByRole('region', { name: 'Map of the machines' })
  const grid = map.getByRole('grid')
  const activeLabel = async (): Promise<string> => {
    const id = await grid.getAttribute('aria-activedescendant')
    return (await map.locator(`[id="${id ?? ''}"]`).getAttribute('aria-label')) ?? ''
  }
  /** The machine's name: what follows in the label changes with its units. */
  const active = async (): Promise<string> => (await activeLabel()).split(',')[0] ?? ''
  await expect(map.getByRole('list', { name: 'Machines by state' })).toContainText(/Folding \d\d/)
  const columns = Number(await grid.getAttribute('aria-colcount'))
  expect(Number(await grid.getAttribute('aria-rowcount'))).toBe(Math.ceil(40 / columns))
  await grid.focus()
  expect(await activeLabel()).toMatch(/^.+, [A-Z][a-z]+/)
  const first = await active()
  await page.keyboard.press('ArrowRight')
  const second = await active()
  expect(second).not.toBe(first)
  await expect(map.getByRole('tooltip')).toContainText(second)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  expect(await active()).toBe(first)
  await page.keyboard.press('Control+End')
  expect(await active()).not.toBe(first)
  await page.keyboard.press('Space')
  await expect(map.locator('[role=gridcell][aria-selected=true]')).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(map.locator('[role=gridcell][aria-selected=true]')).toHaveCount(0)

  const groups = map.getByRole('radiogroup', { name: 'Group the machines by' })
  await groups.getByRole('radio', { name: 'Version' }).press('ArrowRight')
  await expect(groups.getByRole('radio', { name: 'OS' })).toBeFocused()
  await expect(map.getByRole('heading', { name: /^Linux \d+$/ })).toBeVisible()
  await map.getByText('Show as table').press('Enter')
  await expect(map.getByRole('table').getByRole('rowheader', { name: 'Linux' })).toBeVisible()
  await map.getByRole('button', { name: 'Larger cells' }).press('Enter')
  await expect(page).toHaveURL(/\?layout=map&group=os&cell=named$/)
  expect(await violations(page)).toEqual([])

  // Cells have a background and a mark in another color.
  const colors = await map.locator('canvas').evaluate(canvas => {
    if (!(canvas instanceof HTMLCanvasElement)) throw new Error('No canvas.')
    const pixels = canvas.getContext('2d')?.getImageData(0, 30, 60, 40).data ?? []
    const found = new Set<string>()
    for (let at = 0; at < pixels.length; at += 4) found.add([...pixels.slice(at, at + 3)].join())
    return found.size
  })
  expect(colors).toBeGreaterThan(3)

  await page.setViewportSize({ width: 360, height: 740 })
  await expect.poll(() => overflow(page)).toBe(0)
  await grid.focus()
  await page.keyboard.press('Control+Home')
  const name = await active()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/:\d+\/[^/]+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await page.getByRole('navigation', { name, exact: true }).getByRole('link', { name: 'Units' }).click()
  const chart = page.getByRole('region', { name: 'PPD over time' })
  await expect(chart.getByRole('slider', { name: 'PPD of this machine' }).locator('canvas')).toBeVisible()
  await expect.poll(() => overflow(page)).toBe(0)
  expect(await violations(page)).toEqual([])
})

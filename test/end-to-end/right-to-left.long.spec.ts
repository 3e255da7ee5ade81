import type { Locator, Page } from '@playwright/test'
import { machineCalled } from './machines-view.ts'
import { follow } from './screens.ts'
import { expect, test } from './signed-in.ts'

async function leftOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.x ?? Number.NaN
}

function focusedColumn(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-column]')?.dataset['column'])
}

test('from right to left, keys of grid and map and the time axes of charts are as on the screen [13.4]', async ({
  page,
  enter,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const network = await enter()
  await page.goto(`${network.dashboardUrl}/machines?locale=fa`)
  await expect(machineCalled(page, 'atlas')).toBeVisible()

  await test.step('the layout is mirrored', async () => {
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    const entries = page.getByRole('navigation').first().getByRole('link')
    expect(await leftOf(entries.first())).toBeGreaterThan(await leftOf(entries.last()))
    const bar = page.locator('.progress-bar-track').first()
    expect(await leftOf(page.locator('.progress-bar-fill').first())).toBeCloseTo(await leftOf(bar), 0)
  })

  await test.step('arrow keys follow the screen in the grid', async () => {
    await follow(page, '/machines?layout=grid')
    const name = page.locator('[data-key] > [data-column="name"]').first()
    await name.getByRole('link').focus()
    const from = await leftOf(name)
    await page.keyboard.press('ArrowLeft')
    const next = await focusedColumn(page)
    expect(next).not.toBe('name')
    expect(await leftOf(page.locator(`[data-key] > [data-column="${next}"]`).first())).toBeLessThan(from)
    await page.keyboard.press('ArrowRight')
    expect(await focusedColumn(page)).toBe('name')
    const heading = page.locator('[data-headings] > [data-column="name"]')
    const width = async (): Promise<number> => (await heading.boundingBox())?.width ?? 0
    const before = await width()
    await heading.getByRole('button').focus()
    await page.keyboard.press('Shift+ArrowLeft')
    await expect.poll(width).toBeGreaterThan(before)
  })

  await test.step('and in the map', async () => {
    await follow(page, '/machines?layout=map')
    const map = page.getByRole('grid')
    await map.focus()
    const active = async (): Promise<Locator> =>
      page.locator(`[id="${await map.getAttribute('aria-activedescendant')}"]`)
    const first = await active()
    await expect(first).toHaveAttribute('aria-colindex', '1')
    const from = await leftOf(first)
    await page.keyboard.press('ArrowLeft')
    await expect(await active()).toHaveAttribute('aria-colindex', '2')
    expect(await leftOf(await active())).toBeLessThan(from)
  })

  await test.step('the time axis of a chart stays from left to right', async () => {
    await follow(page, '/machines?chart=ppd')
    await follow(page, '/stats')
    const chart = page.getByRole('slider').first()
    await chart.focus()
    const last = Number(await chart.getAttribute('aria-valuenow'))
    const cursor = chart.locator('.u-cursor-pt').first()
    await page.keyboard.press('ArrowLeft')
    await expect(chart).toHaveAttribute('aria-valuenow', String(last - 1))
    const right = await leftOf(cursor)
    for (let press = 0; press < 5; press++) await page.keyboard.press('ArrowLeft')
    expect(await leftOf(cursor)).toBeLessThan(right)
    await follow(page, '/machines?chart=finishes')
    const hours = page.getByRole('main').locator('ol > li')
    expect(await leftOf(hours.first())).toBeLessThan(await leftOf(hours.nth(23)))
  })
})

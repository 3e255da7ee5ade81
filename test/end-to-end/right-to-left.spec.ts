import type { Locator, Page } from '@playwright/test'
import { violations } from './axe.ts'
import { layoutFaults } from './layout-faults.ts'
import { machineCalled } from './machines-view.ts'
import { follow, screensOf } from './screens.ts'
import { expect, test } from './signed-in.ts'
import { describeTextFaults, textFaults } from './text-faults.ts'

/** The verify page asks at once whether its token is good. */
const UNKNOWN_TOKEN = /status of 404|^Request to another host: https:\/\/api\.foldingathome\.org\/verify\//

/** Where a link leads, or nothing is found. */
function othersOf(id: string): readonly string[] {
  return [
    '/machines?filter=nobody+is+called+so',
    '/schedules',
    '/unit/any',
    '/verify/token',
    '/reset/token?email=a%40example.org',
    `/${id}/view/any`,
  ]
}

async function leftOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.x ?? Number.NaN
}

function focusedColumn(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-column]')?.dataset['column'])
}

test('from right to left, no screen is too wide, left in English or breaks a rule of axe, and keys and time axes are as on the screen [11.11, 13.4, 13.12]', async ({
  page,
  enter,
  pageErrors,
}) => {
  test.setTimeout(300_000)
  pageErrors.expect(UNKNOWN_TOKEN)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const network = await enter()
  const id = network.clients()[0]?.id ?? ''
  await page.goto(`${network.dashboardUrl}/machines?locale=fa`)
  await expect(machineCalled(page, 'atlas')).toBeVisible()

  await test.step('the layout is mirrored', async () => {
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    const entries = page.getByRole('navigation').first().getByRole('link')
    expect(await leftOf(entries.first())).toBeGreaterThan(await leftOf(entries.last()))
    const bar = page.locator('.progress-bar-track').first()
    expect(await leftOf(page.locator('.progress-bar-fill').first())).toBeCloseTo(await leftOf(bar), 0)
  })

  await test.step('screens', async () => {
    const faults: string[] = []
    for (const path of [...screensOf(id), ...othersOf(id)]) {
      await follow(page, path)
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        // A chart follows the window in the next frame.
        await expect.poll(() => layoutFaults(page), `${path} at ${width}`).toEqual([])
        faults.push(...describeTextFaults(await textFaults(page)).map(fault => `${path} at ${width}: ${fault}`))
      }
      faults.push(...(await violations(page)).map(fault => `${path}: ${fault}`))
    }
    expect(faults).toEqual([])
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

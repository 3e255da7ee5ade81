import type { Page } from '@playwright/test'
import { LOCALES } from '../../src/folding/text/locales.ts'
import { layoutFaults } from './layout-faults.ts'
import { machineCalled, openHeaderMenu } from './machines-view.ts'
import { follow, screensOf } from './screens.ts'
import { expect, test } from './signed-in.ts'
import { describeTextFaults, textFaults } from './text-faults.ts'

/** Opens the menu of the header, and each that opens from it. */
async function openEach(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  await openHeaderMenu(page)
  await look('header')
  const submenus = page.locator('[role=menuitem][aria-haspopup]')
  for (let at = 0; at < (await submenus.count()); at++) {
    await submenus.nth(at).click()
    await expect(page.getByRole('menu')).toHaveCount(2)
    await look(`header-${at}`)
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
}

// The pictures are beside the report of each test, in test-results/end-to-end.
for (const { code } of LOCALES)
  test(`every screen in ${code}, at 360 and 1280 pixels`, async ({ page, enter }, testInfo) => {
    test.setTimeout(600_000)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const network = await enter()
    await page.goto(`${network.dashboardUrl}/machines?locale=${code}`)
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    const faults: string[] = []
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      const look = async (name: string): Promise<void> => {
        const file = `${width}${name.replaceAll(/\W+/g, '-').slice(0, 60)}.png`
        await page.screenshot({ path: testInfo.outputPath(file), fullPage: name.startsWith('/') })
        faults.push(...describeTextFaults(await textFaults(page)).map(fault => `${name} at ${width}: ${fault}`))
      }
      for (const path of screensOf(network.clients()[0]?.id ?? '')) {
        await follow(page, path)
        await expect.poll(() => layoutFaults(page), `${path} at ${width}`).toEqual([])
        await look(path)
      }
      await follow(page, '/machines')
      await openEach(page, look)
    }
    expect(faults).toEqual([])
  })

import type { Page } from '@playwright/test'
import { LOCALES } from '../../src/folding/text/locales.ts'
import { serveAlone } from '../../programs/network/index.ts'
import { violations } from './axe.ts'
import { layoutFaults } from './layout-faults.ts'
import { chooseFromMenu, machineCalled, openHeaderMenu } from './machines-view.ts'
import { CLOSED_ADDRESS } from './fixtures.ts'
import { follow, screensOf } from './screens.ts'
import { expect, test } from './signed-in.ts'
import { describeTextFaults, textFaults } from './text-faults.ts'

/** Opens the menu of the header, and each that opens from it. */
async function openEach(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await openHeaderMenu(page)
  await look('header')
  const submenus = page.locator('[role=menuitem][aria-haspopup]')
  const count = await submenus.count()
  await close()
  // One that is open may cover the entries below.
  for (let at = 0; at < count; at++) {
    await openHeaderMenu(page)
    await submenus.nth(at).click()
    await expect(page.getByRole('menu')).toHaveCount(2)
    await look(`header-${at}`)
    await close()
  }
}

// The pictures are beside the report of each test, in test-results/end-to-end.
for (const { code } of LOCALES)
  test(`every screen in ${code}, at 360 and 1280 pixels`, async ({ page, enter }, testInfo) => {
    test.setTimeout(300_000)
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
        // In one language of each direction; colors are the same in all.
        if (width === 1280 && (code === 'en' || code === 'fa'))
          expect(await violations(page, { hasContrast: code === 'en' }), path).toEqual([])
      }
      await follow(page, '/machines')
      await openEach(page, look)
    }
    expect(faults).toEqual([])
  })

test('the first screen and the login offer the languages', async ({ page, stopAfterTest }) => {
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: CLOSED_ADDRESS }))
  await page.goto(`${dashboardUrl}/machines?locale=de`)
  const main = page.getByRole('main')
  await expect(main.getByText('Deutsch')).toBeVisible()
  await page.goto(`${dashboardUrl}/machines`)
  await main.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Language' })).toHaveText('English')
  await page.keyboard.press('Escape')
  await chooseFromMenu(page, /^Language/, 'Français')
  await expect(main.getByText('Français')).toBeVisible()
})

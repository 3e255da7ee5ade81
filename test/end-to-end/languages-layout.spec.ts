import { layoutFaults } from './layout-faults.ts'
import { machineCalled } from './machines-view.ts'
import { follow, screensOf } from './screens.ts'
import { expect, test } from './signed-in.ts'
import { describeTextFaults, textFaults } from './text-faults.ts'

// Persian: right-to-left.spec.ts
for (const [locale, why] of [
  ['de', 'which has the longest words'],
  ['ja', 'which has the tallest lines'],
])
  test(`nothing is cut, broken within a word, too wide, covered or left in English in ${locale}, ${why}`, async ({
    page,
    enter,
  }) => {
    const network = await enter()
    await page.goto(`${network.dashboardUrl}/machines?locale=${locale}`)
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    const faults: string[] = []
    for (const path of screensOf(network.clients()[0]?.id ?? '')) {
      await follow(page, path)
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        // A chart follows the window in the next frame.
        await expect.poll(() => layoutFaults(page), `${path} at ${width}`).toEqual([])
        faults.push(...describeTextFaults(await textFaults(page)).map(fault => `${path} at ${width}: ${fault}`))
      }
    }
    expect(faults).toEqual([])
  })

test('no sentence is left in English in Chinese, Korean and Russian', async ({ page, enter }) => {
  const network = await enter()
  const faults: string[] = []
  for (const locale of ['zh-Hans', 'ko', 'ru']) {
    await page.goto(`${network.dashboardUrl}/machines?locale=${locale}`)
    await expect(machineCalled(page, 'atlas')).toBeVisible()
    for (const path of screensOf(network.clients()[0]?.id ?? '')) {
      await follow(page, path)
      const found = (await textFaults(page)).filter(({ kind }) => kind === 'English')
      faults.push(...describeTextFaults(found).map(fault => `${locale} ${path}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
})

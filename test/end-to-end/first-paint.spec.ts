import type { Page } from '@playwright/test'
import { expectState } from './machines-view.ts'
import { serveAlone } from '../../network/index.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { expect, test as base } from './fixtures.ts'

/** A page whose main script arrives only when `release` is called. */
type Held = { readonly release: () => void }

const test = base.extend<{ readonly held: Held }>({
  held: async ({ page, stopAfterTest }, use) => {
    const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
    const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    let release = (): void => undefined
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(`${dashboardUrl}/assets/index-*.js`, async route => {
      await released
      await route.continue()
    })
    await page.addInitScript(() =>
      localStorage.setItem('foldboard.preferences', JSON.stringify({ theme: 'dark', compact: true, wide: true })),
    )
    await page.goto(`${dashboardUrl}/machines`, { waitUntil: 'commit' })
    await use({ release })
  },
})

function appearance(page: Page) {
  return page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)))
}

test('the chosen appearance is there before the script of the app', async ({ page, held }) => {
  const chosen = { theme: 'dark', density: 'compact', wide: 'true' }
  await expect.poll(() => appearance(page)).toEqual(chosen)
  held.release()
  await expectState(page, 'puppet', 'Folding')
  expect(await appearance(page)).toEqual(chosen)
})

import type { Locator, Page } from '@playwright/test'
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

const parts = (page: Page): readonly Locator[] => [
  page.getByRole('banner'),
  page.getByRole('banner').getByRole('link', { name: 'Foldboard' }),
  ...['Machines', 'Work Units', 'Stats', 'Projects', 'News'].map(name =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }),
  ),
]

const places = (page: Page) => Promise.all(parts(page).map(part => part.boundingBox()))

const appearance = (page: Page) =>
  page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset)))

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
])
  test(`${viewport.width} px wide, the header is there before the script, and stays where it is`, async ({
    page,
    held,
  }) => {
    await page.setViewportSize(viewport)
    for (const part of parts(page)) await expect(part).toBeVisible()
    const before = await places(page)
    expect(await appearance(page)).toEqual({ theme: 'dark', density: 'compact', wide: 'true' })
    held.release()
    await expectState(page, 'puppet', 'Folding')
    expect(await places(page)).toEqual(before)
    expect(await appearance(page)).toEqual({ theme: 'dark', density: 'compact', wide: 'true' })
  })

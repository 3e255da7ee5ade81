import type { Page } from '@playwright/test'
import { expectState } from './machines-view.ts'
import { serveAlone } from '../../network/index.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { expect, test as base } from './fixtures.ts'

/** A page whose main script arrives only when `release` is called. */
type Held = { readonly release: () => void; readonly readers: () => number }

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
    await use({ release, readers: client.readers })
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

test('the client has answered before the script of the app is there, and the first picture shows it', async ({
  page,
  held,
}) => {
  await expect.poll(held.readers).toBe(1)
  await page.evaluate(() => {
    const shown: string[] = []
    Object.assign(globalThis, { shown })
    new MutationObserver(() => {
      const main = document.querySelector('main')?.textContent
      if (main !== undefined) shown.push(main)
    }).observe(document, { subtree: true, childList: true })
  })
  held.release()
  await expectState(page, 'puppet', 'Folding')
  const first = await page.evaluate(() => (globalThis as unknown as { shown: readonly string[] }).shown[0])
  expect(first).toContain('puppet')
  expect(held.readers()).toBe(1)
})

test('the header and the menu are there before the script of the app, and stay where they are', async ({
  page,
  held,
}) => {
  const frame = page.locator('header :is(a, button, svg)')
  const places = () => frame.evaluateAll(parts => parts.map(part => JSON.stringify(part.getBoundingClientRect())))
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Machines' })).toHaveAttribute('aria-current', 'page')
  const before = await places()
  await page.getByRole('button', { name: 'Menu' }).click()
  held.release()
  // The press was not lost.
  await expect(page.getByRole('menuitem', { name: 'About Foldboard' })).toBeVisible()
  await expectState(page, 'puppet', 'Folding')
  expect((await places()).slice(0, before.length)).toEqual(before)
})

import type { Page } from '@playwright/test'
import { expectState } from './machines-view.ts'
import { serveAlone } from '../../programs/network/index.ts'
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

/** What the app renders first: the text of the page, and where the parts of the header are. */
async function watchFirstRender(page: Page) {
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const main = document.querySelector('main')
      if (main === null) return
      observer.disconnect()
      const parts = [...document.querySelectorAll('#root > header :is(a, button)')]
      const places = parts.map(part => JSON.stringify(part.getBoundingClientRect()))
      Object.assign(globalThis, { firstRender: { text: main.textContent, places } })
    }).observe(document, { subtree: true, childList: true })
  })
  return async () => {
    const found = await page.waitForFunction(
      () => (globalThis as unknown as { firstRender?: { text: string; places: readonly string[] } }).firstRender,
    )
    return (await found.jsonValue()) ?? { text: '', places: [] }
  }
}

test('the client has answered before the script of the app is there, and the first render has its data', async ({
  page,
  held,
}) => {
  const hasState = () => {
    const { foldboardWire } = window as { foldboardWire?: { readonly held: readonly { readonly data: unknown }[] } }
    return JSON.stringify((foldboardWire?.held ?? []).map(({ data }) => data)).includes('snapshot.received')
  }
  await expect.poll(() => page.evaluate(hasState)).toBe(true)
  const firstRender = await watchFirstRender(page)
  held.release()
  expect((await firstRender()).text).toContain('puppet')
  await expectState(page, 'puppet', 'Folding')
  expect(held.readers()).toBe(1)
})

test('the header and the menu are there before the script of the app, and stay where they are', async ({
  page,
  held,
}) => {
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Machines' })).toHaveAttribute('aria-current', 'page')
  const firstRender = await watchFirstRender(page)
  const before = await page
    .locator('#root > header :is(a, button)')
    .evaluateAll(parts => parts.map(part => JSON.stringify(part.getBoundingClientRect())))
  await page.getByRole('button', { name: 'Menu' }).click()
  held.release()
  expect((await firstRender()).places).toEqual(before)
  // The press was not lost.
  await expect(page.getByRole('menuitem', { name: 'About Foldboard' })).toBeVisible()
})

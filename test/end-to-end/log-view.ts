import type { Locator, Page } from '@playwright/test'
import { serveAlone } from '../../programs/network/index.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { expect, test as base } from './fixtures.ts'

export { expect } from './fixtures.ts'

export function logOf(page: Page): Locator {
  return page.getByRole('log', { name: 'Log of puppet' })
}
export function lineSaying(page: Page, text: string | RegExp): Locator {
  return logOf(page).locator('[data-line]').filter({ hasText: text })
}
export function search(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Search the log' })
}
export function status(page: Page): Locator {
  return page.getByRole('contentinfo').or(page.locator('footer'))
}

/** A client that the test scripts, and whose log is open. */
async function startReading(
  page: Page,
  stopAfterTest: <Started extends { stop(): unknown }>(started: Started) => Started,
  query = '',
) {
  const scriptedClient = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: scriptedClient.address }))
  await page.goto(`${dashboardUrl}/__direct__/log${query}`)
  expect(await scriptedClient.nextCommand()).toMatchObject({ cmd: 'log', enable: true })
  return {
    scriptedClient,
    sendLog: (lines: readonly string[]) => scriptedClient.say(['log', lines]),
    add: (lines: readonly string[]) => scriptedClient.say(['log', -2, lines]),
  }
}

type Reading = Awaited<ReturnType<typeof startReading>>

export const test = base.extend<{ readonly read: (query?: string) => Promise<Reading> }>({
  read: async ({ page, stopAfterTest }, use) => {
    await use(query => startReading(page, stopAfterTest, query))
  },
})

/** The first line that is not above the edge of the view, and where it is, once the lines of this place are there. */
export async function firstInSight(page: Page): Promise<{ readonly number: number; readonly top: number }> {
  const find = () =>
    logOf(page).evaluate(box => {
      const { top: edge, bottom } = box.getBoundingClientRect()
      const line = [...box.querySelectorAll<HTMLElement>('[data-line]:not([data-offscreen])')].find(
        one => one.getBoundingClientRect().top >= edge,
      )
      const top = line?.getBoundingClientRect().top ?? Number.NaN
      return top < bottom ? { number: Number(line?.dataset['line']), top: Math.round(top) } : undefined
    })
  await expect.poll(find).toBeDefined()
  return (await find()) ?? { number: Number.NaN, top: Number.NaN }
}

export function scrollTo(page: Page, share: number): Promise<void> {
  return logOf(page).evaluate((box, part) => {
    box.scrollTop = (box.scrollHeight - box.clientHeight) * part
  }, share)
}

/** All of the log is there, since only then it says that it follows its end. */
export async function expectEnd(page: Page, text: string): Promise<void> {
  await expect(lineSaying(page, text)).toBeInViewport()
  await expect(status(page)).toContainText('Following')
  await expect(status(page)).toContainText('100%')
}

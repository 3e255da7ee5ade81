import type { Page } from '@playwright/test'
import type { AnyStateMachine } from 'xstate'
import type { Network, NetworkOptions } from '../../../programs/network/index.ts'
import { simpleJourneysOf, walkJourney, type Driver } from '../../journey.ts'
import { hideLocalClient, shortenKeys } from '../page-state.ts'
import { test } from '../fixtures.ts'

export { expect } from '../fixtures.ts'

// Chromium itself writes these for every answer that is a refusal, which journeys meet on purpose.
const refusals = /^Failed to load resource: the server responded with a status of 4(?:01|04|09)/

/** Each simple path of a model, walked through the built page, which is emptied before each. */
export function walkInBrowser<Model extends AnyStateMachine>(
  title: string,
  model: Model,
  drive: (page: Page, network: Network) => Driver<Model> | Promise<Driver<Model>>,
): void {
  test(`${title}, in a browser`, async ({ page, startTestNetwork, pageErrors }) => {
    pageErrors.expect(refusals)
    const network = await startTestNetwork({ machines: 1 })
    await hideLocalClient(page)
    await shortenKeys(page)
    for (const journey of simpleJourneysOf(model))
      await test.step(journey.title, async () => {
        await page.goto(`${network.dashboardUrl}/machines`)
        await walkJourney(await drive(page, network), journey)
        await forgetPage(page)
      })
  })
}

/** The same for what changes the client on this computer: each path has a network, and so a client, of its own. */
export function walkBesideClient<Model extends AnyStateMachine>(
  title: string,
  model: Model,
  options: NetworkOptions,
  drive: (page: Page, network: Network) => Driver<Model> | Promise<Driver<Model>>,
): void {
  test(`${title}, in a browser`, async ({ page, startTestNetwork }) => {
    for (const journey of simpleJourneysOf(model))
      await test.step(journey.title, async () => {
        const network = await startTestNetwork({ machines: 0, ...options })
        await walkJourney(await drive(page, network), journey)
        await forgetPage(page)
        await network.stop()
      })
  })
}

/** The browser keeps nothing of what was on this page. */
async function forgetPage(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
}

/** A driver that can also make everything as it was in the beginning. */
type Repeatable<Model extends AnyStateMachine> = Driver<Model> & { readonly again: () => unknown }

/** The same for what takes longer to set up than to put back: all paths one after the other, on one page. */
export function walkOnOnePage<Model extends AnyStateMachine>(
  title: string,
  model: Model,
  { hasLocalClient = false, ...options }: NetworkOptions & { readonly hasLocalClient?: boolean },
  drive: (page: Page, network: Network) => Repeatable<Model> | Promise<Repeatable<Model>>,
): void {
  test(`${title}, in a browser`, async ({ page, startTestNetwork, pageErrors }) => {
    pageErrors.expect(refusals)
    const network = await startTestNetwork({ uniform: true, reconnectMs: 50, ...options })
    if (!hasLocalClient) await hideLocalClient(page)
    await Promise.all([network.online(), page.goto(`${network.dashboardUrl}/machines`)])
    const driver = await drive(page, network)
    for (const journey of simpleJourneysOf(model)) {
      await test.step(journey.title, async () => {
        await walkJourney(driver, journey)
        await driver.again()
      })
    }
  })
}

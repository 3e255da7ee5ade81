import type { Page } from '@playwright/test'
import type { AnyStateMachine } from 'xstate'
import { startNetwork, type Network, type NetworkOptions } from '../../../network/index.ts'
import { shortestJourneysOf, walkJourney, type Driver } from '../../journey.ts'
import { hideLocalClient, shortenKeys } from '../page-state.ts'
import { CLOSED_ADDRESS, test as base } from '../fixtures.ts'

export { expect } from '../fixtures.ts'

/** One network for all journeys of a worker: each journey has an account of its own. */
const test = base.extend<object, { readonly network: Network }>({
  network: [
    async ({}, use) => {
      const network = await startNetwork({
        port: 0,
        data: undefined,
        seed: 7,
        machines: 1,
        keyBits: 1024,
        accountKeyBits: 1024,
        client: CLOSED_ADDRESS,
      })
      await use(network)
      await network.stop()
    },
    { scope: 'worker' },
  ],
})

// Chromium itself writes these for every answer that is a refusal, which journeys meet on purpose.
const refusals = /^Failed to load resource: the server responded with a status of 4(?:01|04|09)/

/** Each shortest path of a model, walked through the built page. */
export const walkInBrowser = <Model extends AnyStateMachine>(
  title: string,
  model: Model,
  drive: (page: Page, network: Network) => Driver<Model> | Promise<Driver<Model>>,
): void => {
  test.describe(`${title}, in a browser`, () => {
    for (const journey of shortestJourneysOf(model)) {
      test(journey.title, async ({ page, network, pageErrors }) => {
        pageErrors.expect(refusals)
        await hideLocalClient(page)
        await shortenKeys(page)
        await page.goto(`${network.dashboardUrl}/machines`)
        await walkJourney('journey in a browser', await drive(page, network), journey)
      })
    }
  })
}

/** The same for what changes the client on this computer: each path has a network, and so a client, of its own. */
export const walkBesideClient = <Model extends AnyStateMachine>(
  title: string,
  model: Model,
  drive: (page: Page, network: Network) => Driver<Model> | Promise<Driver<Model>>,
): void => {
  base.describe(`${title}, in a browser`, () => {
    for (const journey of shortestJourneysOf(model)) {
      base(journey.title, async ({ page, startTestNetwork }) => {
        await walkJourney('journey in a browser', await drive(page, await startTestNetwork({ machines: 0 })), journey)
      })
    }
  })
}

/** A driver that can also make everything as it was in the beginning. */
type Repeatable<Model extends AnyStateMachine> = Driver<Model> & { readonly again: () => unknown }

/** The same for what takes longer to set up than to put back: all paths one after the other, on one page. */
export const walkOnOnePage = <Model extends AnyStateMachine>(
  title: string,
  model: Model,
  { hasLocalClient = false, ...options }: NetworkOptions & { readonly hasLocalClient?: boolean },
  drive: (page: Page, network: Network) => Repeatable<Model> | Promise<Repeatable<Model>>,
): void => {
  base(`${title}, in a browser`, async ({ page, startTestNetwork, pageErrors }) => {
    pageErrors.expect(refusals)
    const network = await startTestNetwork({ uniform: true, reconnectMs: 50, ...options })
    if (!hasLocalClient) await hideLocalClient(page)
    await Promise.all([network.online(), page.goto(`${network.dashboardUrl}/machines`)])
    const driver = await drive(page, network)
    for (const journey of shortestJourneysOf(model)) {
      await base.step(journey.title, async () => {
        await walkJourney('journey in a browser', driver, journey)
        await driver.again()
      })
    }
  })
}

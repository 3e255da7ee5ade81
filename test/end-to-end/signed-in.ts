import type { Page } from '@playwright/test'
import type { Network, NetworkOptions } from '../../network/index.ts'
import { signIn } from './sign-in.ts'
import { test as base } from './stage.ts'

export { expect } from './stage.ts'

/** The page looks for no client on this computer: only the account's machines are there. */
export const hideLocalClient = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    // The setting stands in the page itself, which is read before any module runs.
    const hide = (): void => document.querySelector('meta[name="foldboard:direct-address"]')?.setAttribute('content', '')
    new MutationObserver(hide).observe(document, { childList: true, subtree: true })
  })
}

type Entrance = {
  /** Starts a network and, when all its machines are there, signs in to the demo account. */
  readonly enter: (options?: NetworkOptions) => Promise<Network>
}

export const test = base.extend<Entrance>({
  enter: async ({ page, startWorld }, use) => {
    await use(async options => {
      const network = await startWorld(options)
      await hideLocalClient(page)
      await Promise.all([network.online(), page.goto(`${network.dashboardUrl}/machines`)])
      await signIn(page, network.account)
      return network
    })
  },
})

import type { Network, NetworkOptions } from '../../programs/network/index.ts'
import { hideLocalClient } from './page-state.ts'
import { signIn } from './sign-in.ts'
import { test as base } from './fixtures.ts'

export { expect } from './fixtures.ts'

type Entrance = {
  /** Starts a network and, when all its machines are there, signs in to the demo account. */
  readonly enter: (options?: NetworkOptions) => Promise<Network>
}

export const test = base.extend<Entrance>({
  enter: async ({ page, startTestNetwork }, use) => {
    await use(async options => {
      const network = await startTestNetwork(options)
      await hideLocalClient(page)
      await Promise.all([network.online(), page.goto(`${network.dashboardUrl}/machines`)])
      await signIn(page, network.account)
      return network
    })
  },
})

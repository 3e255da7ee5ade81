import type { Network, NetworkOptions } from '../../network/index.ts'
import { hideLocalClient } from './page-state.ts'
import { signIn } from './sign-in.ts'
import { test as base } from './stage.ts'

export { expect } from './stage.ts'

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

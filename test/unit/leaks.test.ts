import { expect, it } from 'vitest'
import { startNetwork } from '../../network/index.ts'
import { isConnected } from '../../src/machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../src/machines/connection/fleet/fleet.selectors.ts'
import { QUICK_NETWORK, startHeadlessApp } from '../headless-app.ts'
import { watchBrowser } from '../walk/browser.ts'
import { createTimerWatch } from '../walk/leaks.ts'
import { dialogOf } from './journeys/dialog-of.ts'

it('a page that is closed leaves no listener, socket or timer behind', async () => {
  const timers = createTimerWatch()
  const network = await timers.outside(() => startNetwork({ ...QUICK_NETWORK, machines: 1 }))
  const browser = watchBrowser(network.dashboardUrl)
  try {
    await timers.within(async () => {
      const app = startHeadlessApp(network, { browser, directAddress: network.directAddress })
      await dialogOf(app).logIn(network.account)
      const { fleet } = app.system()
      const id = network.clients()[0]?.id ?? ''
      await app.until(fleet, snapshot => selectClientRef(id)(snapshot) !== undefined)
      const client = selectClientRef(id)(fleet.getSnapshot())
      if (client === undefined) throw new Error('The account has no machine.')
      await app.until(client, isConnected)
      expect([browser.listeners().length > 0, browser.sockets().length > 0]).toEqual([true, true])
      app.leave()
    })
    await expect.poll(() => [browser.listeners(), browser.sockets(), timers.running()]).toEqual([[], [], []])
  } finally {
    await network.stop()
  }
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type Network } from '../../programs/network/index.ts'
import { selectRelayCondition } from '../../src/machines/connection/relay/relay.selectors.ts'
import { createDevice } from '../fakes/device.ts'
import { makeAccount } from '../new-account.ts'
import { startHeadlessApp, type HeadlessApp } from '../headless-app.ts'
import { logIn } from '../log-in.ts'

describe('two tabs of one browser', () => {
  let network: Network
  beforeAll(async () => {
    network = await startNetwork({
      port: 0,
      data: undefined,
      machines: 0,
      accountKeyBits: 1024,
      client: { host: '127.0.0.1', port: 9 },
    })
  })
  afterAll(() => network.stop())

  const withTabs = async (name: string, act: (one: HeadlessApp, two: HeadlessApp) => Promise<void>): Promise<void> => {
    const device = createDevice()
    const tabs = [0, 1].map(() => startHeadlessApp(network, { device, channel: name }))
    try {
      const [one, two] = tabs
      if (one !== undefined && two !== undefined) await act(one, two)
    } finally {
      for (const tab of tabs) tab.leave()
    }
  }

  it('sign in and out together, and leave nothing on the device', () =>
    withTabs('together', async (one, two) => {
      await logIn(one, await makeAccount(network))
      await one.until(one.system().account, snapshot => snapshot.hasTag('signedIn'))
      await two.until(two.system().account, snapshot => snapshot.hasTag('signedIn'))
      await two.until(two.system().relay, snapshot => selectRelayCondition(snapshot) === 'connected')
      one.system().account.send({ type: 'account.signOut' })
      for (const { system, until } of [one, two]) {
        await until(system().account, snapshot => snapshot.matches('signedOut'))
        expect(system().account.getSnapshot().context.signedIn).toBeUndefined()
        expect(selectRelayCondition(system().relay.getSnapshot())).toBe('inactive')
      }
      expect(one.device.locked()).toEqual([])
      expect(one.device.readable()).toEqual(expect.not.stringMatching(/session|secret/))
    }))

  it('are the same account, whichever of them signed in last', () =>
    withTabs('last', async (one, two) => {
      await logIn(one, await makeAccount(network))
      await two.until(two.system().account, snapshot => snapshot.hasTag('signedIn'))
      const first = two.system().account.getSnapshot().context.signedIn?.keys.id
      await logIn(one, await makeAccount(network))
      await two.until(
        two.system().account,
        ({ context }) => context.signedIn !== undefined && context.signedIn.keys.id !== first,
      )
      expect(two.system().account.getSnapshot().context.signedIn?.keys.id).toBe(
        one.system().account.getSnapshot().context.signedIn?.keys.id,
      )
    }))

  it('look the same', () =>
    withTabs('looks', async (one, two) => {
      one.system().preferences.send({ type: 'preferences.change', change: { theme: 'dark' } })
      await two.until(two.system().preferences, snapshot => snapshot.context.shown.theme === 'dark')
    }))
})

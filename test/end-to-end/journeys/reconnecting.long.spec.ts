import { reconnectingModel } from '../../../models/reconnecting.model.ts'
import { badgesOf, controlsOf, expectState, expectTotals, machineCalled } from '../machines-view.ts'
import { signIn } from '../sign-in.ts'
import { expect, walkOnOnePage } from './walk.ts'

const OF_ACCOUNT = 'folder-0001'
const BY_ADDRESS = 'this-computer'

walkOnOnePage('losing and regaining connections', reconnectingModel, { machines: 1 }, async (page, network) => {
  const { dashboardUrl, directAddress, direct, relay } = network
  await signIn(page, network.account)
  const [machine] = network.clients()
  if (machine === undefined) throw new Error('The account has a machine.')
  await page.addInitScript(known => localStorage.setItem('foldboard.addresses', JSON.stringify([known])), directAddress)
  await page.goto(`${dashboardUrl}/machines`)
  const relayNotice = page.getByText('The relay to your account’s machines cannot be reached.')
  const networkNotice = page.getByText('This computer is offline.')
  const expectConnected = (count: number): Promise<void> =>
    expectTotals(page, ['2', count === 0 ? '0' : /^[1-9]\d*$/, /^\d+$/, /^[1-9][\d,]*/])
  const expectThere = async (name: string): Promise<void> => {
    await expect(badgesOf(page, name).filter({ hasText: 'Disconnected' })).toHaveCount(0)
    await expect(machineCalled(page, name)).toHaveAttribute('data-stale', 'false')
    await expectState(page, name, 'Folding')
    await expect(controlsOf(page, name).getByRole('button').first()).toBeEnabled()
  }
  const expectGone = async (name: string): Promise<void> => {
    await expect(badgesOf(page, name).filter({ hasText: 'Disconnected' })).toHaveCount(1)
    await expect(machineCalled(page, name)).toHaveAttribute('data-stale', 'true')
    await expect(machineCalled(page, name)).toContainText('as of')
    await expect(controlsOf(page, name).getByRole('button').first()).toBeDisabled()
  }
  const expectAll = async (): Promise<void> => {
    await expectThere(OF_ACCOUNT)
    await expectThere(BY_ADDRESS)
    for (const notice of [relayNotice, networkNotice]) await expect(notice).toHaveCount(0)
    await expectConnected(2)
  }
  let isRelayUp = true
  const setRelay = async (isUp: boolean): Promise<void> => {
    if (isRelayUp !== isUp) await (isUp ? relay.start() : relay.stop())
    isRelayUp = isUp
  }
  return {
    again: async () => {
      await setRelay(true)
      if (!direct.isListening()) await direct.start()
      await expectAll()
    },
    does: {
      'the machine loses power': () => machine.kill(),
      'it has power again': () => machine.revive(),
      'the relay dies': () => setRelay(false),
      'the relay lives': () => setRelay(true),
      'the client by address ends': () => direct.stop(),
      'it is started': () => direct.start(),
      'the network goes': () => page.context().setOffline(true),
      'the network comes': () => page.context().setOffline(false),
    },
    sees: {
      there: expectAll,
      machineGone: async () => {
        await expectGone(OF_ACCOUNT)
        await expectThere(BY_ADDRESS)
        await expectConnected(1)
      },
      relayGone: async () => {
        await expect(relayNotice).toBeVisible()
        await expectGone(OF_ACCOUNT)
        await expectThere(BY_ADDRESS)
      },
      clientGone: async () => {
        await expectGone(BY_ADDRESS)
        await expectThere(OF_ACCOUNT)
        await expectConnected(1)
      },
      allGone: async () => {
        await expectGone(OF_ACCOUNT)
        await expectGone(BY_ADDRESS)
        await expectConnected(0)
        await expect(page.getByRole('button', { name: 'Pause All' })).toBeDisabled()
      },
      offline: expectAll,
      back: expectAll,
    },
  }
})

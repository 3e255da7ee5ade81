import { expect } from 'vitest'
import { reconnectingModel } from '../../../models/reconnecting.model.ts'
import { isOnline } from '../../../src/machines/app/app.selectors.ts'
import type { ClientRef, ClientSnapshot } from '../../../src/machines/connection/client/client.machine.ts'
import { hasData, selectBadges, selectAsOf } from '../../../src/machines/connection/client/client.selectors.ts'
import { idOfAddress } from '../../../src/machines/connection/fleet/fleet.context.ts'
import {
  selectClientRef,
  selectTotals,
  whyNotControllable,
} from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import { selectRelayCondition } from '../../../src/machines/connection/relay/relay.selectors.ts'
import { dialogOf } from './dialog-of.ts'
import { walkWithMachines } from './journeys.ts'

/** Milliseconds. */
const RECENT = 10_000

function ageOf(snapshot: ClientSnapshot): number {
  const now = Date.now()
  return now - (selectAsOf(snapshot) ?? now)
}

walkWithMachines('losing and regaining connections', reconnectingModel, 1, async (headlessApp, network) => {
  const { app, fleet, relay } = headlessApp.system()
  await dialogOf(headlessApp).logIn(network.account)
  await network.online()
  fleet.send({ type: 'fleet.connect', address: network.directAddress })
  const [machine] = network.clients()
  if (machine === undefined) throw new Error('The account has a machine.')
  const memberOf = async (id: string): Promise<ClientRef> => {
    await headlessApp.until(fleet, snapshot => selectClientRef(id)(snapshot) !== undefined)
    const ref = selectClientRef(id)(fleet.getSnapshot())
    if (ref === undefined) throw new Error(`There is no machine ${id}.`)
    return ref
  }
  const ofAccount = await memberOf(machine.id)
  const byAddress = await memberOf(idOfAddress(network.directAddress))
  const expectConnected = (count: number): Promise<void> =>
    headlessApp.until(
      fleet,
      snapshot => selectTotals(snapshot).connected === count && selectTotals(snapshot).clients === 2,
    )
  const expectGone = async (ref: ClientRef): Promise<void> => {
    await headlessApp.until(
      ref,
      snapshot => !snapshot.hasTag('connected') && selectBadges(snapshot).includes('disconnected'),
    )
    const snapshot = ref.getSnapshot()
    expect([
      hasData(snapshot),
      selectAsOf(snapshot) === undefined,
      snapshot.can({ type: 'client.setState', state: 'pause' }),
    ]).toEqual([true, false, false])
  }
  const expectThere = async (...refs: readonly ClientRef[]): Promise<void> => {
    for (const ref of refs) {
      // Where messages come late, as on a busy computer, states of a moment ago are shown, with their age.
      await headlessApp.until(ref, snapshot => snapshot.hasTag('connected') && ageOf(snapshot) < RECENT)
      expect(ref.getSnapshot().can({ type: 'client.setState', state: 'pause' })).toBe(true)
    }
  }
  const expectAll = async (): Promise<void> => {
    await expectThere(ofAccount, byAddress)
    await expectConnected(2)
    expect([
      selectRelayCondition(relay.getSnapshot()),
      isOnline(app.getSnapshot()),
      whyNotControllable(fleet.getSnapshot()),
    ]).toEqual(['connected', true, undefined])
  }
  return {
    does: {
      'the machine loses power': () => machine.kill(),
      'it has power again': () => machine.revive(),
      'the relay dies': () => network.relay.stop(),
      'the relay lives': () => network.relay.start(),
      'the client by address ends': () => network.direct.stop(),
      'it is started': () => network.direct.start(),
      'the network goes': () => app.send({ type: 'network.lost', at: Date.now() }),
      'the network comes': () => app.send({ type: 'network.regained', at: Date.now() }),
    },
    sees: {
      there: expectAll,
      machineGone: async () => {
        await expectGone(ofAccount)
        await expectThere(byAddress)
        await expectConnected(1)
      },
      relayGone: async () => {
        await headlessApp.until(relay, snapshot => selectRelayCondition(snapshot) === 'lost')
        await expectGone(ofAccount)
        await expectThere(byAddress)
      },
      clientGone: async () => {
        await expectGone(byAddress)
        await expectThere(ofAccount)
        await expectConnected(1)
      },
      allGone: async () => {
        await expectGone(ofAccount)
        await expectGone(byAddress)
        await expectConnected(0)
        expect(whyNotControllable(fleet.getSnapshot())).toBe('No machine is connected.')
      },
      offline: () => expect(isOnline(app.getSnapshot())).toBe(false),
      back: expectAll,
    },
  }
})

import { expect } from 'vitest'
import { connectingModel } from '../../../models/connecting.model.ts'
import { takeConnectAddress } from '../../../src/app/address-bar.ts'
import { isPartThere } from '../../../src/machines/app/app.selectors.ts'
import type { ConnectEvent } from '../../../src/machines/screens/connect/connect.events.ts'
import { selectBadges, selectUnits } from '../../../src/machines/connection/client/client.selectors.ts'
import { idOfAddress } from '../../../src/machines/connection/fleet/fleet.context.ts'
import {
  selectClientRef,
  selectShownIds,
  whyNotControllable,
} from '../../../src/machines/connection/fleet/fleet.selectors.ts'
import {
  selectConnectAddress,
  selectConnectError,
  wasAskedByLink,
} from '../../../src/machines/screens/connect/connect.selectors.ts'
import { walkInProcess } from './journeys.ts'

const CLOSED_ADDRESS = '127.0.0.1:9'
const NO_ADDRESS = 'http://attic/'

walkInProcess('connecting by address', connectingModel, (app, { directAddress }) => {
  const connect = () => app.system().connect
  const fleet = () => app.system().fleet
  const shown = () => selectShownIds('usual')(fleet().getSnapshot())
  const asks = () => {
    if (!isPartThere('connections')(app.system().app.getSnapshot())) return { isOpen: false }
    const snapshot = connect().getSnapshot()
    return {
      isOpen: snapshot.hasTag('open'),
      address: selectConnectAddress(snapshot),
      error: selectConnectError(snapshot),
      isForeign: wasAskedByLink(snapshot),
    }
  }
  const open = async (event: ConnectEvent): Promise<void> => {
    const { app: running } = app.system()
    running.send({ type: 'app.want', part: 'connections', first: { to: 'connect', event } })
    await app.until(running, isPartThere('connections'))
  }
  const follow = (address: string) => async () => {
    const asked = takeConnectAddress(
      { href: `http://localhost/machines?connect=${encodeURIComponent(address)}` },
      { state: undefined, replaceState: () => undefined },
    )
    if (asked !== undefined) await open({ type: 'connect.ask', address: asked, isForeign: true })
  }
  const type = (address: string) => () => {
    connect().send({ type: 'connect.edit', address })
    connect().send({ type: 'connect.submit' })
  }
  const memberAt = (address: string) => {
    const ref = selectClientRef(idOfAddress(address))(fleet().getSnapshot())
    if (ref === undefined) throw new Error(`There is no machine at ${address}.`)
    return ref
  }
  const expectNothing = (): void =>
    expect([asks().isOpen, shown(), app.device.readable().includes(directAddress)]).toEqual([false, [], false])
  const expectConnected = async (): Promise<void> => {
    await app.until(memberAt(directAddress), snapshot => snapshot.hasTag('connected'))
    expect([asks().isOpen, selectUnits(memberAt(directAddress).getSnapshot()).length > 0]).toEqual([false, true])
  }
  return {
    does: {
      'ask to connect': () => open({ type: 'connect.ask' }),
      'follow a link that names a client': follow(directAddress),
      'follow a link that names none': follow(NO_ADDRESS),
      'type what is no address': type(NO_ADDRESS),
      'type the address of a client': type(` ${directAddress} `),
      'type an address where no client is': type(CLOSED_ADDRESS),
      agree: () => connect().send({ type: 'connect.submit' }),
      cancel: () => connect().send({ type: 'connect.cancel' }),
      reload: app.reload,
      'stop connecting': () => fleet().send({ type: 'fleet.disconnect', id: shown()[0] ?? '' }),
    },
    sees: {
      alone: () => {
        expectNothing()
        expect(whyNotControllable(fleet().getSnapshot())).toBe('No machine is connected.')
      },
      asked: () => expect(asks()).toEqual({ isOpen: true, address: '', error: undefined, isForeign: false }),
      proposed: () =>
        expect([asks(), shown()]).toEqual([
          { isOpen: true, address: directAddress, error: undefined, isForeign: true },
          [],
        ]),
      proposedBadly: () =>
        expect(asks()).toEqual({ isOpen: true, address: NO_ADDRESS, error: undefined, isForeign: true }),
      refused: () =>
        expect([asks(), shown()]).toMatchObject([
          { isOpen: true, error: 'Enter a host name or IP address, optionally with :port' },
          [],
        ]),
      corrected: expectConnected,
      connected: expectConnected,
      stillConnected: expectConnected,
      unreachable: () =>
        app.until(memberAt(CLOSED_ADDRESS), snapshot => selectBadges(snapshot).includes('disconnected')),
      forgotten: () => {
        expect(shown()).toEqual([])
        app.reload()
        expect(shown()).toEqual([])
      },
      declined: expectNothing,
    },
  }
})

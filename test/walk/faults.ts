import { CALL_FAULTS, SOCKET_FAULTS, SOCKET_WAYS } from '../../network/faults/kinds.ts'
import type { Dice } from './random.ts'
import { LONGEST_PAUSE, pause, SHORTEST_PAUSE, type Scene } from './scene.ts'

const CLOCKS = [-3 * 3_600_000, -20 * 60_000, -60_000, 60_000, 20 * 60_000, 3 * 3_600_000] as const

/** What goes wrong. */
export const mishaps: Readonly<Record<string, (scene: Scene) => unknown>> = {
  'a connection goes wrong': ({ faults, dice }) => {
    const [way, fault] = [dice.oneOf(SOCKET_WAYS), dice.oneOf(SOCKET_FAULTS)]
    faults.begin(way, fault, dice.between(0.05, 0.5))
    return `${way} ${fault}`
  },
  'calls go wrong': ({ faults, dice }) => {
    const fault = dice.oneOf(CALL_FAULTS)
    faults.begin('api', fault, dice.between(0.2, 1))
    return fault
  },
  'the servers’ clocks are wrong': ({ faults, dice }) => faults.setClock(dice.oneOf(CLOCKS)),
  'this clock is wrong': ({ surroundings, dice }) => surroundings.setClock(dice.oneOf(CLOCKS)),
  'the network is gone': ({ surroundings }) => surroundings.setOnline(false),
  'the network is back': ({ surroundings }) => surroundings.setOnline(true),
  'pages are dropped': ({ network }) => network.relay.dropPages(),
  'the relay starts anew': async ({ network, dice }) => {
    await network.relay.stop()
    await pause(dice.between(SHORTEST_PAUSE, LONGEST_PAUSE))
    await network.relay.start()
  },
  'a machine dies': ({ network, dice }) => dice.anyOf(network.clients())?.kill(),
  'machines come back': ({ network }) => network.clients().forEach(client => client.revive()),
  'the local client drops its readers': ({ network }) => network.direct.dropAll(),
  'garbage comes': ({ network, dice }) =>
    dice.oneOf([
      () => network.relay.sendToPages('{"garb'),
      () => network.direct.sendToAll('["units", 99, "ppd", {}]'),
      () => network.direct.sendToAll('nonsense'),
    ])(),
  'a unit fails': ({ network, dice }) => dice.anyOf(network.clients())?.client.faults.failNextUnit(),
  'somebody tells a machine': ({ network, dice }) => {
    const machine = dice.oneOf([network.local, ...network.clients()])
    machine.client.attach(() => undefined).receive({ cmd: 'state', state: dice.oneOf(['fold', 'pause']) })
    return machine.client.name()
  },
  'all is well': scene => calm(scene),
}

export const calm = ({ faults, surroundings }: Scene): void => {
  faults.end()
  surroundings.setClock(0)
}

/** Most of what goes wrong goes wrong between the parts. */
export const anyMishap = (dice: Dice): string | undefined =>
  dice.roll() < 0.4 ? 'a connection goes wrong' : dice.anyOf(Object.keys(mishaps))

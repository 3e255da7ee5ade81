import { CALL_FAULTS, SOCKET_FAULTS, SOCKET_CHANNELS } from '../../network/faults/kinds.ts'
import type { RandomSource } from './random.ts'
import { LONGEST_PAUSE, pause, SHORTEST_PAUSE, type WalkSetup } from './setup.ts'

const CLOCKS = [-3 * 3_600_000, -20 * 60_000, -60_000, 60_000, 20 * 60_000, 3 * 3_600_000] as const

/** Faults by name. */
export const faultActions: Readonly<Record<string, (setup: WalkSetup) => unknown>> = {
  'a connection goes wrong': ({ faults, random }) => {
    const [way, fault] = [random.oneOf(SOCKET_CHANNELS), random.oneOf(SOCKET_FAULTS)]
    faults.begin(way, fault, random.between(0.05, 0.5))
    return `${way} ${fault}`
  },
  'calls go wrong': ({ faults, random }) => {
    const fault = random.oneOf(CALL_FAULTS)
    faults.begin('api', fault, random.between(0.2, 1))
    return fault
  },
  'the servers’ clocks are wrong': ({ faults, random }) => faults.setClock(random.oneOf(CLOCKS)),
  'this clock is wrong': ({ browser, random }) => browser.setClock(random.oneOf(CLOCKS)),
  'the network is gone': ({ browser }) => browser.setOnline(false),
  'the network is back': ({ browser }) => browser.setOnline(true),
  'pages are dropped': ({ network }) => network.relay.dropPages(),
  'the relay starts again': async ({ network, random }) => {
    await network.relay.stop()
    await pause(random.between(SHORTEST_PAUSE, LONGEST_PAUSE))
    await network.relay.start()
  },
  'a machine dies': ({ network, random }) => random.anyOf(network.clients())?.kill(),
  'machines come back': ({ network }) => network.clients().forEach(client => client.revive()),
  'the local client drops its readers': ({ network }) => network.direct.dropAll(),
  'garbage comes': ({ network, random }) =>
    random.oneOf([
      () => network.relay.sendToPages('{"garb'),
      () => network.direct.sendToAll('["units", 99, "ppd", {}]'),
      () => network.direct.sendToAll('nonsense'),
    ])(),
  'a unit fails': ({ network, random }) => random.anyOf(network.clients())?.client.faults.failNextUnit(),
  'another program commands a machine': ({ network, random }) => {
    const client = random.oneOf([network.local, ...network.clients()])
    client.client.attach(() => undefined).receive({ cmd: 'state', state: random.oneOf(['fold', 'pause']) })
    return client.client.name()
  },
  'all is well': setup => calm(setup),
}

export const calm = ({ faults, browser }: WalkSetup): void => {
  faults.end()
  browser.setClock(0)
}

/** Most faults are those of connections. */
export const anyFaultAction = (random: RandomSource): string | undefined =>
  random.roll() < 0.4 ? 'a connection goes wrong' : random.anyOf(Object.keys(faultActions))

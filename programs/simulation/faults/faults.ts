import { CALL_FAULTS, type Route } from '../internet/conditions.ts'
import { HOUR, MINUTE, SECOND } from '../time/durations.ts'
import { browserFaults } from './browser-faults.ts'
import { forgettingFaults } from './forgetting-faults.ts'
import { homeFaults } from './home-faults.ts'
import { pageFaults } from './page-faults.ts'
import { serverFaults } from './server-faults.ts'
import { frameFaults } from './frame-faults.ts'
import { machineFaults } from './machine-faults.ts'
import { nothing, type Fault } from './fault.ts'

function isOfPage({ to }: Route): boolean {
  return to === 'relay/ws/account'
}
function isOfMachine({ to }: Route): boolean {
  return to === 'relay/ws/client'
}
function isOfApi({ to }: Route): boolean {
  return to.startsWith('api/')
}

/** Everything that may go wrong. */
export const faults: readonly Fault[] = [
  {
    name: 'page cut off',
    what: 'nothing arrives between pages and their node or API',
    lasts: [10 * SECOND, 20 * MINUTE],
    begin: ({ world }) =>
      world.internet.conditions.add({ concerns: route => isOfPage(route) || isOfApi(route), isCut: true }),
  },
  {
    name: 'machines cut off',
    what: 'nothing arrives between machines and the node',
    lasts: [10 * SECOND, 2 * HOUR],
    begin: ({ world }) => world.internet.conditions.add({ concerns: isOfMachine, isCut: true }),
  },
  {
    name: 'slow network',
    what: 'all messages are seconds late',
    lasts: [MINUTE, HOUR],
    begin: ({ world, chance }) => {
      const most = chance.whole(200, 6000)
      return world.internet.conditions.add({ concerns: () => true, delay: () => chance.whole(0, most) })
    },
  },
  {
    name: 'API fails',
    what: 'calls of the API fail before or after their effect, arrive twice, are refused, or are answered by something else',
    lasts: [10 * SECOND, 10 * MINUTE],
    begin: ({ world, chance }) =>
      world.internet.conditions.add({
        concerns: isOfApi,
        call: () => (chance.isTrue(0.5) ? chance.oneOf(CALL_FAULTS) : undefined),
      }),
  },
  {
    name: 'connections break',
    what: 'all connections of pages and machines break at once',
    lasts: [1, 1],
    begin: ({ world }) => {
      world.internet.breakUp(route => isOfPage(route) || isOfMachine(route))
      return nothing
    },
  },
  {
    name: 'node restarts',
    what: 'the relay node is down',
    lasts: [SECOND, 5 * MINUTE],
    begin: ({ world }) => {
      void world.network.relay.stop()
      return () => void world.network.relay.start()
    },
  },
  {
    name: 'machine off',
    what: 'a machine loses its power',
    lasts: [SECOND, 12 * HOUR],
    begin: ({ world, chance }) => {
      const client = chance.oneOf(world.network.clients().filter(one => one.isOnline()))
      client?.kill()
      return client === undefined ? undefined : () => client.revive()
    },
  },
  {
    name: 'API late',
    what: 'calls of the API are answered after seconds',
    lasts: [MINUTE, HOUR],
    begin: ({ world, chance }) =>
      world.internet.conditions.add({ concerns: isOfApi, delay: () => chance.whole(0, 40 * SECOND) }),
  },
  {
    name: 'relay drops',
    what: 'the relay ends the connections of pages, and of one machine',
    lasts: [1, 1],
    begin: ({ world, chance }) => {
      world.network.relay.dropPages()
      const client = chance.oneOf(world.network.clients())
      if (client !== undefined) world.network.relay.dropClient(client.id)
      return nothing
    },
  },
  {
    name: 'machine comes back unnoticed',
    what: 'a machine connects again, and the node does not tell pages that it was away',
    lasts: [20 * SECOND, MINUTE],
    begin: ({ world, chance }) => {
      const client = chance.oneOf(world.network.clients())
      if (client === undefined) return undefined
      const end = world.internet.conditions.add({
        concerns: isOfPage,
        loses: text => text.includes(`"type":"disconnect","id":"${client.id}"`),
      })
      world.network.relay.dropClient(client.id)
      return end
    },
  },
  ...browserFaults,
  ...machineFaults,
  ...serverFaults,
  ...frameFaults,
  ...homeFaults,
  ...forgettingFaults,
  ...pageFaults,
]

import { FRAME_FAULTS, SOCKET_CHANNELS } from '../../network/faults/kinds.ts'
import { HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Fault } from './fault.ts'

/** What the network of `programs/network/` itself does wrong. */
export const frameFaults: readonly Fault[] = [
  {
    name: 'frames go wrong',
    what: 'some messages of a node or a client are lost, late, cut off, garbled, forged, in another order, or come twice or again later',
    lasts: [10 * SECOND, 10 * MINUTE],
    begin: ({ world, chance }) => {
      const { networkFaults, faultyChannels } = world
      const [channel = 'page', kind = 'drop'] = [chance.oneOf(SOCKET_CHANNELS), chance.oneOf(FRAME_FAULTS)]
      networkFaults.begin(channel, kind, chance.between(0.05, 0.5))
      faultyChannels.set(channel, kind)
      return () => {
        networkFaults.end()
        faultyChannels.clear()
      }
    },
  },
  {
    name: 'connections flap',
    what: 'the connections of pages, of machines or of clients to their readers end five times a second',
    lasts: [SECOND, 40 * SECOND],
    begin: ({ world, chance }) => {
      const { networkFaults, faultyChannels } = world
      networkFaults.begin(chance.oneOf(SOCKET_CHANNELS) ?? 'page', 'flap')
      return () => {
        networkFaults.end()
        faultyChannels.clear()
      }
    },
  },
  {
    name: 'messages come twice',
    what: 'a node repeats messages to and from pages',
    lasts: [10 * MINUTE, 2 * HOUR],
    begin: ({ world, chance }) => {
      const { networkFaults } = world
      networkFaults.begin('page', chance.isTrue(0.5) ? 'duplicate' : 'replay', chance.between(0.3, 1))
      return () => networkFaults.end()
    },
  },
  {
    name: 'servers with a wrong clock',
    what: 'the clocks of API and node are wrong',
    // Machines that the node refuses log in again every two seconds.
    lasts: [MINUTE, 20 * MINUTE],
    begin: ({ world, chance }) => {
      world.networkFaults.setClock(chance.whole(-3 * HOUR, 3 * HOUR))
      return () => world.networkFaults.setClock(0)
    },
  },
]

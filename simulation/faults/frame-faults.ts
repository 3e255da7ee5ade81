import { FRAME_FAULTS } from '../../network/faults/kinds.ts'
import { HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Fault } from './faults.ts'

/** A command that comes twice is the fault, not what a page does about it. */
const KINDS = FRAME_FAULTS.filter(kind => kind !== 'duplicate' && kind !== 'replay')
const CHANNELS = ['page', 'machine', 'direct'] as const

/** What the network of `network/` itself does wrong. */
export const frameFaults: readonly Fault[] = [
  {
    name: 'frames go wrong',
    what: 'some messages of a node or a client are lost, late, cut off, garbled, forged or in another order',
    lasts: [10 * SECOND, 10 * MINUTE],
    begin: ({ world, chance }) => {
      const { networkFaults } = world
      const [channel = 'page', kind = 'drop'] = [chance.oneOf(CHANNELS), chance.oneOf(KINDS)]
      networkFaults.begin(channel, kind, chance.between(0.05, 0.5))
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

import { FRAME_FAULTS } from '../../network/faults/kinds.ts'
import { HOUR, MINUTE, SECOND } from '../time/durations.ts'
import type { Fault } from './faults.ts'

const CHANNELS = ['page', 'machine', 'direct'] as const
/** Nothing protects a direct connection from what comes twice: a command that does is the fault, not what a page does about it. */
const DIRECT_KINDS = FRAME_FAULTS.filter(kind => kind !== 'duplicate' && kind !== 'replay')

/** What the network of `network/` itself does wrong. */
export const frameFaults: readonly Fault[] = [
  {
    name: 'frames go wrong',
    what: 'some messages of a node or a client are lost, late, cut off, garbled, forged, repeated or in another order',
    lasts: [10 * SECOND, 10 * MINUTE],
    begin: ({ world, chance }) => {
      const { networkFaults } = world
      const channel = chance.oneOf(CHANNELS) ?? 'page'
      const kind = chance.oneOf(channel === 'direct' ? DIRECT_KINDS : FRAME_FAULTS) ?? 'drop'
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

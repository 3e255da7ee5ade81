import { matchRoutes } from 'react-router-dom'
import type { System } from '../../machines/app/system.ts'
import type { ClientRef } from '../../machines/connection/client/client.machine.ts'
import { selectClientRef, selectMemberId } from '../../machines/connection/fleet/fleet.selectors.ts'
import { isDirect } from '../../machines/connection/client/client.selectors.ts'
import { isNear } from '../../machines/screens/log/log.selectors.ts'
import type { Way } from './prefetch-code.ts'

const LOG = [{ path: '/:machID/log' }]

/**
 * A machine is asked for its log before the screen that shows it is there: when a hand comes to what opens it, or through a
 * relay, where everything has its price, when the hand stays (docs/protocol.md §11.6).
 */
export const expectLog =
  (shown: () => System) =>
  ({ path, isTaken }: Way): void => {
    const { log, fleet } = shown()
    const clientOf = (named: string): ClientRef | undefined => {
      const snapshot = fleet.getSnapshot()
      return selectClientRef(selectMemberId(named)(snapshot) ?? '')(snapshot)
    }
    const machine = path === undefined ? undefined : matchRoutes(LOG, path)?.[0]?.params['machID']
    const client = machine === undefined ? undefined : clientOf(machine)
    if (client !== undefined)
      log.send({ type: 'log.expect', client, isSure: isTaken || isDirect(client.getSnapshot()) })
    else if (!isTaken && isNear(log.getSnapshot())) log.send({ type: 'log.turnAway' })
  }

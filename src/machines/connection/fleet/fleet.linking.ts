import { isLoopback, parseAddress } from '../../../folding/shared/address.ts'
import { DIRECT_ID, linkName } from '../../../folding/machine/client.ts'
import { onShelf } from '../../../folding/shared/sharded-map.ts'
import type { FleetNotice } from './fleet.events.ts'
import type { FleetContext } from './fleet.context.ts'

/**
 * Whether the client on this computer is one to be linked after a login: it has no account yet, or another one, about
 * which a person must be asked. Nothing is said of a client that is out of reach or linked already.
 */
export const linkNotice = ({ reports, surroundings, localAddress }: FleetContext): FleetNotice | undefined => {
  const report = onShelf(reports, DIRECT_ID)
  const address = parseAddress(localAddress)
  if (report?.account === undefined || !report.isConnected || surroundings.account === undefined) return undefined
  if (report.account === surroundings.account || address === undefined || !isLoopback(address)) return undefined
  return {
    type: report.account === '' ? 'fleet.clientIsUnlinked' : 'fleet.clientIsForeign',
    id: DIRECT_ID,
    name: linkName(report.name),
  }
}

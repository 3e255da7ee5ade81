import { useSelector } from '../../../hooks/use-selector.ts'
import { selectDirectDisconnected, selectTotals } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useIsRelayPending } from '../../../hooks/use-relay-pending.ts'
import { useSystem } from '../../../hooks/system-context.ts'

/** Numbers of clients that are not connected: those whose first connection is being made, and the others. */
export function useNotConnected(): { readonly loading: number; readonly disconnected: number } {
  const { fleet } = useSystem()
  const isRelayPending = useIsRelayPending()
  const loading = useSelector(fleet, snapshot => selectTotals(snapshot).loading)
  const lost = useSelector(fleet, snapshot => {
    const { clients, connected, loading: opening } = selectTotals(snapshot)
    return clients - connected - opening
  })
  const direct = useSelector(fleet, selectDirectDisconnected)
  const disconnected = isRelayPending ? Math.min(direct, lost) : lost
  return { loading: loading + lost - disconnected, disconnected }
}

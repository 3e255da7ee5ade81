import { useSelector } from '../../../hooks/use-selector.ts'
import { isAccountLoading } from '../../../../machines/account/account/account.selectors.ts'
import { selectDirectDisconnected, selectTotals } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { isRelayListing, selectRelayCondition } from '../../../../machines/connection/relay/relay.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'

/** Whether the account or its relay is still loading, or lists its clients, so that it is unknown which are connected. */
export function useIsRelayPending(): boolean {
  const { account, relay } = useSystem()
  const isAccountPending = useSelector(account, isAccountLoading)
  const isRelayLoading = useSelector(
    relay,
    snapshot => selectRelayCondition(snapshot) === 'loading' || isRelayListing(snapshot),
  )
  return isAccountPending || isRelayLoading
}

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

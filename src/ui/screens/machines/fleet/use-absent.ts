import { useSelector } from '@xstate/react'
import { isAccountLoading } from '../../../../machines/account/account/account.selectors.ts'
import { selectDirectAway, selectTotals } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { selectRelayCondition } from '../../../../machines/connection/relay/relay.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'

/** Whether it is not known yet which of the account's machines are there: who is signed in, or their relay, is awaited. */
export const useAwaitsRelay = (): boolean => {
  const { account, relay } = useSystem()
  const awaitsAccount = useSelector(account, isAccountLoading)
  const awaitsRelay = useSelector(relay, snapshot => selectRelayCondition(snapshot) === 'loading')
  return awaitsAccount || awaitsRelay
}

/** Machines that are not connected: those whose first connection is being made, and the others. */
export const useAbsent = (): { readonly loading: number; readonly away: number } => {
  const { fleet } = useSystem()
  const awaitsRelay = useAwaitsRelay()
  const loading = useSelector(fleet, snapshot => selectTotals(snapshot).loading)
  const away = useSelector(fleet, snapshot => {
    const { clients, connected, loading: opening } = selectTotals(snapshot)
    return clients - connected - opening
  })
  const direct = useSelector(fleet, selectDirectAway)
  const known = awaitsRelay ? Math.min(direct, away) : away
  return { loading: loading + away - known, away: known }
}

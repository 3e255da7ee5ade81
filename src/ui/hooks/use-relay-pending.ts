import type { AccountSnapshot } from '../../machines/account/account/account.machine.ts'
import { isAccountLoading } from '../../machines/account/account/account.selectors.ts'
import { isAwaited, selectViewNow } from '../../machines/connection/client/client.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import type { RelaySnapshot } from '../../machines/connection/relay/relay.machine.ts'
import { selectRelayCondition } from '../../machines/connection/relay/relay.selectors.ts'
import { useClientSelector } from './client-context.ts'
import { useSystem } from './system-context.ts'
import { useSelector } from './use-selector.ts'

/** Whether the account or its relay is still loading, or lists its clients, so that it is unknown which are connected. */
export function isRelayPending(account: AccountSnapshot, relay: RelaySnapshot): boolean {
  return isAccountLoading(account) || selectRelayCondition(relay) === 'loading' || relay.context.isListing
}

export function useIsRelayPending(): boolean {
  const { account, relay } = useSystem()
  const isAccountPending = useSelector(account, isAccountLoading)
  return useSelector(relay, snapshot => isRelayPending(account.getSnapshot(), snapshot)) || isAccountPending
}

/** The client as it is to be shown now: one that the relay may still list is loading. */
export function viewNowOf({ account, relay }: Pick<System, 'account' | 'relay'>): ReturnType<typeof selectViewNow> {
  return selectViewNow(isRelayPending(account.getSnapshot(), relay.getSnapshot()))
}

/** Whether the client is loading, not disconnected: its first connection is being made, or its relay may still list it. */
export function useIsAwaited(): boolean {
  const isPending = useIsRelayPending()
  return useClientSelector(isAwaited(isPending))
}

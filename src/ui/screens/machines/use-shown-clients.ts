import { useSelector } from '../../hooks/use-selector.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ListingOrder } from '../../../folding/client/order.ts'
import { shardedGet } from '../../../folding/shared/sharded-map.ts'
import type { FleetSnapshot } from '../../../machines/connection/fleet/fleet.machine.ts'
import { haveNeverConnected, selectRoster, selectShownIds } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useIsRelayPending } from '../../hooks/use-relay-pending.ts'
import { usePowerCode } from '../../power/power-code.ts'
import { useFindCode } from './top/find-code.ts'
import { AT_ONCE, filterOf, matchesFilter, orderOf, withFilter } from './view-params.ts'

let last:
  | {
      readonly roster: ReturnType<typeof selectRoster>
      readonly order: ListingOrder
      readonly filter: string
      readonly ids: readonly string[]
    }
  | undefined

/** The clients whose names have the words, in order. Computed again only when the roster, the order or the filter changes. */
function selectFiltered(order: ListingOrder, filter: string) {
  return (snapshot: FleetSnapshot): readonly string[] => {
    const all = selectShownIds(order)(snapshot)
    if (filter.trim() === '') return all
    const roster = selectRoster(snapshot)
    if (last?.roster === roster && last.order === order && last.filter === filter) return last.ids
    const ids = all.filter(id => matchesFilter(filter.trim(), id, shardedGet(roster, id)?.name ?? ''))
    last = { roster, order, filter, ids }
    return ids
  }
}

function never() {
  return () => undefined
}

/** The clients that match the query: by their names until the code that reads queries is loaded. */
function useMatching(order: ListingOrder, filter: string): readonly string[] {
  const system = useSystem()
  const isFiltered = filter.trim() !== ''
  const matches = useFindCode(isFiltered)?.matchesOf(system)
  usePowerCode(/\b(?:watts|ppkwh):/i.test(filter))
  const isRead = isFiltered && matches !== undefined
  const ids = useSelector(system.fleet, selectFiltered(order, isRead ? '' : filter))
  const read = useCallback(() => (isRead ? matches.read(ids, filter) : ids), [isRead, matches, ids, filter])
  return useSyncExternalStore(isRead ? matches.subscribe : never, read)
}

type ShownClients = {
  readonly ids: readonly string[]
  readonly filter: string
  readonly isFiltered: boolean
  /** There is no filter, and no client but the one on this computer, which has never answered. */
  readonly isEmpty: boolean
  readonly setFilter: (filter: string) => void
}

export function useShownClients(): ShownClients {
  const { fleet, preferences } = useSystem()
  const preferred = useSelector(preferences, ({ context }) => context.shown.order)
  const [params, setParams] = useSearchParams()
  const isPending = useIsRelayPending()
  const chosen = orderOf(params) ?? preferred
  const order = chosen === 'problems' && isPending ? 'listing' : chosen
  const filter = filterOf(params)
  const ids = useMatching(order, filter)
  const isFiltered = filter.trim() !== ''
  const isUnreached = useSelector(fleet, haveNeverConnected(ids))
  return {
    ids,
    filter,
    isFiltered,
    isEmpty: isUnreached && !isFiltered,
    setFilter: next => setParams(now => withFilter(now, next), AT_ONCE),
  }
}

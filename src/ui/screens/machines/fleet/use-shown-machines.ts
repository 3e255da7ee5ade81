import { useSelector } from '@xstate/react'
import { useSearchParams } from 'react-router-dom'
import type { MachineOrder } from '../../../../folding/machine/order.ts'
import { shardedGet } from '../../../../folding/shared/sharded-map.ts'
import { selectMachineOrder } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { FleetSnapshot } from '../../../../machines/connection/fleet/fleet.machine.ts'
import {
  haveNeverConnected,
  selectRoster,
  selectShownIds,
} from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { filterOf, matchesFilter, withFilter } from '../view-params.ts'

let last:
  | {
      readonly roster: ReturnType<typeof selectRoster>
      readonly order: MachineOrder
      readonly filter: string
      readonly ids: readonly string[]
    }
  | undefined

/** The machines that match the filter, in order. Computed again only when the roster, the order or the filter changes. */
const selectFiltered =
  (order: MachineOrder, filter: string) =>
  (snapshot: FleetSnapshot): readonly string[] => {
    const all = selectShownIds(order)(snapshot)
    if (filter.trim() === '') return all
    const roster = selectRoster(snapshot)
    if (last?.roster === roster && last.order === order && last.filter === filter) return last.ids
    const ids = all.filter(id => matchesFilter(filter.trim(), id, shardedGet(roster, id)?.name ?? ''))
    last = { roster, order, filter, ids }
    return ids
  }

type ShownMachines = {
  readonly ids: readonly string[]
  readonly isFiltered: boolean
  /** There is no filter, and no machine but the client on this computer, which has never answered. */
  readonly isEmpty: boolean
  readonly resetFilter: () => void
}

export const useShownMachines = (): ShownMachines => {
  const { fleet, preferences } = useSystem()
  const order = useSelector(preferences, selectMachineOrder)
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const ids = useSelector(fleet, selectFiltered(order, filter))
  const isFiltered = filter.trim() !== ''
  const isUnreached = useSelector(fleet, haveNeverConnected(ids))
  return {
    ids,
    isFiltered,
    isEmpty: isUnreached && !isFiltered,
    resetFilter: () => setParams(now => withFilter(now, ''), { replace: true }),
  }
}

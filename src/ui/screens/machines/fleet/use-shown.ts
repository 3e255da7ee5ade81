import { useSelector } from '@xstate/react'
import { useSearchParams } from 'react-router-dom'
import { DIRECT_ID } from '../../../../folding/machine/client.ts'
import type { MachineOrder } from '../../../../folding/machine/order.ts'
import { onShelf } from '../../../../folding/shared/sharded-map.ts'
import { selectMachineOrder } from '../../../../machines/app/preferences/preferences.selectors.ts'
import type { FleetSnapshot } from '../../../../machines/connection/fleet/fleet.machine.ts'
import { selectShownIds } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { filterOf, matchesFilter, withFilter } from '../view-params.ts'

type Roster = FleetSnapshot['context']['roster']

let last:
  | { readonly roster: Roster; readonly order: MachineOrder; readonly filter: string; readonly ids: readonly string[] }
  | undefined

/** The machines that the filter lets through, in their order: counted anew only when names or places have changed. */
const selectFiltered =
  (order: MachineOrder, filter: string) =>
  (snapshot: FleetSnapshot): readonly string[] => {
    const all = selectShownIds(order)(snapshot)
    if (filter.trim() === '') return all
    const { roster } = snapshot.context
    if (last?.roster === roster && last.order === order && last.filter === filter) return last.ids
    const ids = all.filter(id => matchesFilter(filter.trim(), id, onShelf(roster, id)?.name ?? ''))
    last = { roster, order, filter, ids }
    return ids
  }

/** Whether nothing is shown but the client on this computer, which has never answered. */
const selectIsNobodyThere =
  (ids: readonly string[]) =>
  ({ context }: FleetSnapshot): boolean =>
    ids.every(id => {
      const report = onShelf(context.reports, id)
      return id === DIRECT_ID && report?.isConnected !== true && report?.machine === undefined
    })

type Shown = {
  readonly ids: readonly string[]
  readonly isFiltered: boolean
  readonly isNobodyThere: boolean
  readonly resetFilter: () => void
}

export const useShown = (): Shown => {
  const { fleet, preferences } = useSystem()
  const order = useSelector(preferences, selectMachineOrder)
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const ids = useSelector(fleet, selectFiltered(order, filter))
  const isFiltered = filter.trim() !== ''
  const isNobodyThere = useSelector(fleet, selectIsNobodyThere(ids))
  return {
    ids,
    isFiltered,
    isNobodyThere: isNobodyThere && !isFiltered,
    resetFilter: () => setParams(now => withFilter(now, ''), { replace: true }),
  }
}

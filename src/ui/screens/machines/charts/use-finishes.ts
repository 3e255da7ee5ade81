import { useMemo } from 'react'
import { finishesOf, inOrderOfFinish, type Finish } from '../../../../folding/fleet/finishes.ts'
import { selectView } from '../../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useClock, useSystem } from '../../../hooks/system-context.ts'

/** Milliseconds between updates: the times are whole minutes. */
const REFRESH = 10_000

export type FleetFinishes = { readonly finishes: readonly Finish[]; readonly now: number }

/** When the running units of these clients finish, updated every ten seconds. */
export function useFinishes(ids: readonly string[]): FleetFinishes {
  const { fleet } = useSystem()
  const now = useClock(at => Math.floor(at / REFRESH)) * REFRESH
  return useMemo(() => {
    const snapshot = fleet.getSnapshot()
    const found = ids.flatMap(id => {
      const client = selectClientRef(id)(snapshot)
      return client === undefined ? [] : finishesOf(selectView(client.getSnapshot()), now)
    })
    return { finishes: inOrderOfFinish(found), now }
  }, [fleet, ids, now])
}

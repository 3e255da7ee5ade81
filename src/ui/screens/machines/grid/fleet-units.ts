import { useState, useSyncExternalStore } from 'react'
import { isSameList } from '../../../../folding/shared/equal.ts'
import type { System } from '../../../../machines/app/system.ts'
import type { ClientRef } from '../../../../machines/connection/client/client.machine.ts'
import { selectUnits } from '../../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import type { Unit } from '../../../../protocol/client/client-data.ts'
import { fleetFactsOf } from '../../../hooks/use-fleet-facts.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { unitKey } from '../units/unit-access.ts'

/** One unit of a client, from which what it shows is read. */
export type FleetUnit = {
  /** Unique among all clients. */
  readonly key: string
  readonly client: ClientRef
  /** Identifies it within its client. */
  readonly unit: string
}

export type FleetUnits = { readonly rows: readonly FleetUnit[]; readonly keys: readonly string[] }

type Known = { readonly client: ClientRef; readonly units: readonly Unit[]; readonly rows: readonly FleetUnit[] }

function rowsOf(id: string, client: ClientRef, units: readonly Unit[], before: Known | undefined): Known {
  const rows = units.map((unit, index): FleetUnit => {
    const ownKey = unitKey(unit, index)
    const previous = before?.client === client ? before.rows[index] : undefined
    return previous?.unit === ownKey ? previous : { key: `${id} ${ownKey}`, client, unit: ownKey }
  })
  return { client, units, rows: before !== undefined && isSameList(before.rows, rows) ? before.rows : rows }
}

function createReader({ fleet }: System) {
  let clients = new Map<string, Known>()
  let last: FleetUnits | undefined
  return (ids: readonly string[]): FleetUnits => {
    const next = new Map<string, Known>()
    const snapshot = fleet.getSnapshot()
    for (const id of ids) {
      const client = selectClientRef(id)(snapshot)
      if (client === undefined) continue
      const units = selectUnits(client.getSnapshot())
      const previous = clients.get(id)
      next.set(
        id,
        previous?.client === client && previous.units === units ? previous : rowsOf(id, client, units, previous),
      )
    }
    clients = next
    const rows = [...next.values()].flatMap(client => client.rows)
    if (last === undefined || !isSameList(last.rows, rows)) last = { rows, keys: rows.map(({ key }) => key) }
    return last
  }
}

/** The units of these clients, client by client. The same lists while no unit begins or ends. */
export function useFleetUnits(ids: readonly string[]): FleetUnits {
  const system = useSystem()
  const [read] = useState(() => createReader(system))
  return useSyncExternalStore(fleetFactsOf(system).subscribe, () => read(ids))
}

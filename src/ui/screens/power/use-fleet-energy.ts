import { useMemo } from 'react'
import type { Unit } from '../../../protocol/client/client-data.ts'
import { clientKeyOf } from '../../../folding/client/client.ts'
import {
  energyDays,
  fleetEnergy,
  machineEnergy,
  type EnergyDay,
  type FleetEnergy,
  type MachineEnergy,
  type PoweredMachine,
} from '../../../folding/power/fleet-energy.ts'
import { houseEnergy, type HouseEnergy } from '../../../folding/power/house.ts'
import { ownZone } from '../../../folding/schedule/time-zone.ts'
import type { PowerSettings } from '../../../folding/power/power.ts'
import type { History } from '../../../folding/unit/history.ts'
import { selectView } from '../../../machines/connection/client/client.selectors.ts'
import type { FleetSnapshot } from '../../../machines/connection/fleet/fleet.machine.ts'
import { selectClientRef, selectReport, selectShownIds } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { selectPower, selectPowerReport } from '../../../machines/fleet/power/power.selectors.ts'
import { useClock, useSystem } from '../../hooks/system-context.ts'
import { useHistoryOf } from '../../hooks/use-ppd-history.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { profileOfView } from '../../power/power-facts.ts'

/** Figures of a fleet follow from thousands of units: they are computed again this often, milliseconds. */
const INTERVAL = 10_000

function unitsByClient(units: History['units']): ReadonlyMap<string, readonly Unit[]> {
  const all = new Map<string, Unit[]>()
  for (const { machine: client, unit } of units.values()) {
    const clientUnits = all.get(client)
    if (clientUnits === undefined) all.set(client, [unit])
    else clientUnits.push(unit)
  }
  return all
}

function machinesOf(
  ids: readonly string[],
  fleet: FleetSnapshot,
  power: PowerSettings,
  ended: ReadonlyMap<string, readonly Unit[]>,
): readonly PoweredMachine[] {
  return ids.flatMap(id => {
    const client = selectClientRef(id)(fleet)?.getSnapshot()
    if (client === undefined) return []
    const view = selectView(client)
    const key = clientKeyOf(view)
    const name = selectReport(id)(fleet)?.name ?? id
    return [{ id, key, name, view, profile: profileOfView(power, view), ended: ended.get(key ?? id) ?? [] }]
  })
}

export type ShownEnergy = {
  readonly machines: readonly PoweredMachine[]
  readonly energies: readonly MachineEnergy[]
  readonly fleet: FleetEnergy
  /** Undefined without a meter of the house. */
  readonly house: HouseEnergy | undefined
  readonly days: readonly EnergyDay[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** What all machines draw and used, from their states, the history and what the server of the page measured. */
export function useFleetEnergy(): ShownEnergy {
  const { fleet, history, power: powerRef } = useSystem()
  useHistoryOf('power', 'all')
  const ids = useSelector(fleet, selectShownIds('name'))
  const units = useSelector(history, ({ context }) => context.history.units)
  const power = useSelector(powerRef, selectPower)
  const report = useSelector(powerRef, selectPowerReport)
  const now = useClock(at => Math.floor(at / INTERVAL)) * INTERVAL
  const ended = useMemo(() => unitsByClient(units), [units])
  return useMemo(() => {
    const timeZone = power.tariffs?.timeZone ?? ownZone()
    const machines = machinesOf(ids, fleet.getSnapshot(), power, ended)
    const days = energyDays(now, power.tariffs, timeZone, report)
    const energies = machines.map(machine => machineEnergy(machine, days, report, now))
    const connected = new Set(machines.flatMap(({ id, view }) => (view.isConnected ? [id] : [])))
    const sums = fleetEnergy(energies, connected, days, now)
    return { machines, energies, fleet: sums, house: houseEnergy(report, sums, days, now), days, now }
  }, [fleet, ids, power, report, ended, now])
}

import { useMemo } from 'react'
import { clientKeyOf } from '../../folding/client/client.ts'
import { benchmarkEfficiencies, type BenchmarkEfficiency } from '../../folding/power/benchmark-power.ts'
import { drawOfUnit } from '../../folding/power/draw.ts'
import { guessProfile } from '../../folding/power/hardware-power.ts'
import { completedProfile, profileOfClient } from '../../folding/power/power.ts'
import type { UnitRow } from '../../folding/unit/unit-rows.ts'
import { selectView } from '../../machines/connection/client/client.selectors.ts'
import { selectPower } from '../../machines/fleet/power/power.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useSelector } from '../hooks/use-selector.ts'

/** Points per kilowatt hour of benchmarks, by their keys. What machines are is known from those in the fleet, else from the history. */
export function useBenchmarkPower(rows: readonly UnitRow[]): ReadonlyMap<string, BenchmarkEfficiency> {
  const { fleet, history, power: powerRef } = useSystem()
  const power = useSelector(powerRef, selectPower)
  return useMemo(() => {
    const { members } = fleet.getSnapshot().context
    const { machines } = history.getSnapshot().context.history
    const views = Object.values(members).map(({ ref }) => selectView(ref.getSnapshot()))
    const infos = new Map(views.map(view => [clientKeyOf(view), view.data?.info]))
    return benchmarkEfficiencies(rows, ({ clientKey, unit }) => {
      const info = infos.get(clientKey) ?? machines.get(clientKey)?.info
      const guess = guessProfile(info)
      return {
        ...drawOfUnit(unit, info, completedProfile(profileOfClient(power, clientKey), guess)),
        most: drawOfUnit(unit, info, guess).watts,
      }
    })
  }, [rows, power, fleet, history])
}

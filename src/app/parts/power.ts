import { keptValue, POWER_KEY, type KeptValueDeps } from '../../actors/storage/kept-value.ts'
import { powerReports } from '../../actors/server/power-reports.ts'
import type { CallDeps } from '../../actors/server/server-call.ts'
import { parsePower, type PowerSettings } from '../../folding/power/power.ts'
import type { PowerFact } from '../../machines/fleet/power/power.events.ts'
import { powerMachine } from '../../machines/fleet/power/power.machine.ts'

/** The machine of what machines draw and energy costs, with its store. */
export function powerMachines(deps: Pick<KeptValueDeps<PowerSettings, PowerFact>, 'window' | 'storage'> & CallDeps) {
  return {
    power: powerMachine.provide({
      actors: {
        powerStore: keptValue({
          ...deps,
          key: POWER_KEY,
          parse: parsePower,
          toFact: (power): PowerFact => ({ type: 'power.restored', power }),
        }),
        powerReports: powerReports(deps),
      },
    }),
  }
}

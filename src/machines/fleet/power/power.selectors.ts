import type { PowerSettings } from '../../../folding/power/power.ts'
import type { PowerReport } from '../../../folding/power/report.ts'
import type { PowerSnapshot } from './power.machine.ts'

export function selectPower({ context }: PowerSnapshot): PowerSettings {
  return context.power
}

/** What the server of this page measured, and the prices that it knows; empty without one. */
export function selectPowerReport({ context }: PowerSnapshot): PowerReport {
  return context.report
}

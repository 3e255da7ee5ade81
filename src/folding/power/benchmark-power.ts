import { benchmarkKey } from '../unit/statistics.ts'
import type { UnitRow } from '../unit/unit-rows.ts'
import type { Draw } from './draw.ts'
import { worseOrigin, type Origin } from './power.ts'
import { efficiencyOf, type Efficiency } from './unit-energy.ts'

/**
 * Points per kilowatt hour of each benchmark, by its key: of units alone, without what their machines draw idle. Units of
 * which watts or points are not known do not count.
 */
export const benchmarkEfficiencies = (
  rows: readonly UnitRow[],
  drawOfRow: (row: UnitRow) => Draw,
): ReadonlyMap<string, Efficiency> => {
  const sums = new Map<string, { ppd: number; watts: number; origin: Origin | undefined }>()
  for (const row of rows) {
    const { watts, origin } = drawOfRow(row)
    if (row.ppd === undefined || watts === undefined || watts === 0) continue
    const key = benchmarkKey(row)
    const sum = sums.get(key) ?? { ppd: 0, watts: 0, origin: undefined }
    sums.set(key, {
      ppd: sum.ppd + row.ppd,
      watts: sum.watts + watts,
      origin: worseOrigin(sum.origin, origin),
    })
  }
  return new Map(
    [...sums].flatMap(([key, { ppd, ...draw }]) => {
      const efficiency = efficiencyOf(ppd, draw)
      return efficiency === undefined ? [] : [[key, efficiency] as const]
    }),
  )
}

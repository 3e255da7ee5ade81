import { benchmarkKey } from '../unit/statistics.ts'
import type { UnitRow } from '../unit/unit-rows.ts'
import type { Draw } from './draw.ts'
import { worseOrigin, type Origin } from './power.ts'
import { efficiencyOf, type Efficiency } from './unit-energy.ts'

/** `share`: of the watts that makers name, for hardware that is said or measured to draw others. */
export type BenchmarkEfficiency = Efficiency & { readonly share?: number }

/** `most`: what makers name; undefined where that is not known. */
export type BenchmarkDraw = Draw & { readonly most: number | undefined }

/**
 * Points per kilowatt hour of each benchmark, by its key: of units alone, without what their machines draw idle. Units of
 * which watts or points are not known do not count.
 */
export function benchmarkEfficiencies(
  rows: readonly UnitRow[],
  drawOfRow: (row: UnitRow) => BenchmarkDraw,
): ReadonlyMap<string, BenchmarkEfficiency> {
  const sums = new Map<string, { ppd: number; watts: number; most: number; origin: Origin | undefined }>()
  for (const row of rows) {
    const { watts, origin, most = Number.NaN } = drawOfRow(row)
    if (row.leftOut !== undefined || row.ppd === undefined || watts === undefined || watts === 0) continue
    const key = benchmarkKey(row)
    const sum = sums.get(key) ?? { ppd: 0, watts: 0, most: 0, origin: undefined }
    sums.set(key, {
      ppd: sum.ppd + row.ppd,
      watts: sum.watts + watts,
      most: sum.most + most,
      origin: worseOrigin(sum.origin, origin),
    })
  }
  return new Map(
    [...sums].flatMap(([key, { ppd, most, ...draw }]) => {
      const efficiency = efficiencyOf(ppd, draw)
      const isKnown = draw.origin !== 'guess' && most > 0
      return efficiency === undefined
        ? []
        : [[key, { ...efficiency, ...(isKnown ? { share: draw.watts / most } : {}) }] as const]
    }),
  )
}

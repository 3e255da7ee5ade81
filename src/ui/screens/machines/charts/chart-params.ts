import type { PpdRange } from '../../../../folding/fleet/ppd-history.ts'

/** The charts of the machines screen: points per day over time, or when work units finish. */
export const FLEET_CHARTS = ['ppd', 'finishes'] as const
export type FleetChart = (typeof FLEET_CHARTS)[number]

const CHART = 'chart'
const RANGE = 'range'
const RANGES: readonly PpdRange[] = ['day', 'week', 'month', 'quarter', 'all']
const DEFAULT_RANGE: PpdRange = 'week'

/** The chart that is open, from `?chart=ppd`; undefined when none is. */
export function chartOf(params: URLSearchParams): FleetChart | undefined {
  return FLEET_CHARTS.find(chart => chart === params.get(CHART))
}

/** The parameters with a chart open, or with none. */
export function withChart(params: URLSearchParams, chart: FleetChart | undefined): URLSearchParams {
  const next = new URLSearchParams(params)
  if (chart === undefined) next.delete(CHART)
  else next.set(CHART, chart)
  if (chart !== 'ppd') next.delete(RANGE)
  return next
}

/** The range of a chart of points per day, from `?range=month`. */
export function rangeOf(params: URLSearchParams): PpdRange {
  return RANGES.find(range => range === params.get(RANGE)) ?? DEFAULT_RANGE
}

/** The parameters with a range; the default is left out. */
export function withRange(params: URLSearchParams, range: PpdRange): URLSearchParams {
  const next = new URLSearchParams(params)
  if (range === DEFAULT_RANGE) next.delete(RANGE)
  else next.set(RANGE, range)
  return next
}

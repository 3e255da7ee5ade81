import { CELL_SIZES, MAP_GROUPINGS, type CellSize, type MapGrouping } from '../../../../folding/fleet/fleet-map.ts'
import { MAP_CELL, MAP_GROUP } from '../view-params.ts'

export type MapChoice = {
  readonly grouping: MapGrouping
  /** Undefined: as large as fits. */
  readonly size: CellSize | undefined
}

/** What the map is grouped by and the size of its cells, from `?group=tag&cell=large`. */
export function mapChoiceOf(params: URLSearchParams): MapChoice {
  return {
    grouping: MAP_GROUPINGS.find(grouping => grouping === params.get(MAP_GROUP)) ?? 'none',
    size: CELL_SIZES.find(size => size === params.get(MAP_CELL)),
  }
}

/** The parameters with a choice; defaults are left out. */
export function withMapChoice(params: URLSearchParams, { grouping, size }: MapChoice): URLSearchParams {
  const next = new URLSearchParams(params)
  if (grouping === 'none') next.delete(MAP_GROUP)
  else next.set(MAP_GROUP, grouping)
  if (size === undefined) next.delete(MAP_CELL)
  else next.set(MAP_CELL, size)
  return next
}

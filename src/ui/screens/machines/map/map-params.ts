import { CELL_SIZES, MAP_GROUPINGS, type CellSize, type MapGrouping } from '../../../../folding/fleet/fleet-map.ts'

const GROUP = 'group'
const CELL = 'cell'

export type MapChoice = {
  readonly grouping: MapGrouping
  /** Undefined: as large as fits. */
  readonly size: CellSize | undefined
}

/** What the map is grouped by and the size of its cells, from `?group=tag&cell=large`. */
export const mapChoiceOf = (params: URLSearchParams): MapChoice => ({
  grouping: MAP_GROUPINGS.find(grouping => grouping === params.get(GROUP)) ?? 'none',
  size: CELL_SIZES.find(size => size === params.get(CELL)),
})

/** The parameters with a choice; defaults are left out. */
export const withMapChoice = (params: URLSearchParams, { grouping, size }: MapChoice): URLSearchParams => {
  const next = new URLSearchParams(params)
  if (grouping === 'none') next.delete(GROUP)
  else next.set(GROUP, grouping)
  if (size === undefined) next.delete(CELL)
  else next.set(CELL, size)
  return next
}

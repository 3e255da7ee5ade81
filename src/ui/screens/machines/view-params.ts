import {
  isFleetLayout,
  isGridDensity,
  MAX_COLUMNS,
  type FleetLayout,
  type GridDensity,
} from '../../../folding/fleet/fleet-view.ts'
import { MAX_SORTS, type ColumnSort } from '../../../folding/fleet/grid-order.ts'
import type { ClientOrder } from '../../../folding/client/order.ts'
import type { SortValue } from '../../../folding/unit/unit-column.ts'
import { compareValues } from '../../../folding/unit/unit-columns.ts'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'

const FILTER = 'filter'
const SORT = 'sort'
const LAYOUT = 'layout'
/** Only the map has these. */
export const MAP_GROUP = 'group'
export const MAP_CELL = 'cell'
const COLUMNS = 'columns'
const DENSITY = 'density'
const ORDER = 'order'

/** Answers a press or a key at once: in a transition, reports of thousands of clients would delay it. */
export const AT_ONCE = { replace: true, preventScrollReset: true, flushSync: true } as const

/** How the machines view is set is in the address, so that it survives a reload and can be shared. */
export function filterOf(params: URLSearchParams): string {
  return params.get(FILTER) ?? ''
}

export function withFilter(params: URLSearchParams, filter: string): URLSearchParams {
  return withParam(params, FILTER, filter)
}

/** The first column that sorts: `sort=ppd` is ascending, `sort=-ppd` descending. */
export function sortOf(params: URLSearchParams): UnitSort | undefined {
  return sortsOf(params)[0]
}

export function withSort(params: URLSearchParams, sort: UnitSort | undefined): URLSearchParams {
  return withSorts(params, sort === undefined ? [] : [sort])
}

/** Several columns: `sort=-ppd,name`. */
export function sortsOf(params: URLSearchParams): readonly ColumnSort[] {
  return listOf(params, SORT)
    .map(value => ({ column: value.replace(/^-/, ''), isDescending: value.startsWith('-') }))
    .filter(({ column }, at, all) => column !== '' && all.findIndex(other => other.column === column) === at)
    .slice(0, MAX_SORTS)
}

export function withSorts(params: URLSearchParams, sorts: readonly ColumnSort[]): URLSearchParams {
  return withParam(
    params,
    SORT,
    sorts.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`).join(','),
  )
}

/** `layout=grid`; undefined when the address has none that is known. */
export function layoutOf(params: URLSearchParams): FleetLayout | undefined {
  const layout = params.get(LAYOUT)
  return isFleetLayout(layout) ? layout : undefined
}

/** Another layout has other columns, and only the map has groups and sizes of cells. */
export function withLayout(params: URLSearchParams, layout: FleetLayout): URLSearchParams {
  return [MAP_GROUP, MAP_CELL].reduce(
    (changed, name) => withParam(changed, name, ''),
    withColumns(withParam(params, LAYOUT, layout), undefined),
  )
}

/** Ids of the grid's columns in their order: `columns=name,ppd`; undefined when the address has none. */
export function columnsOf(params: URLSearchParams): readonly string[] | undefined {
  const ids = listOf(params, COLUMNS)
  return ids.length === 0 ? undefined : ids.slice(0, MAX_COLUMNS)
}

export function withColumns(params: URLSearchParams, ids: readonly string[] | undefined): URLSearchParams {
  return withParam(params, COLUMNS, ids?.join(',') ?? '')
}

export function densityOf(params: URLSearchParams): GridDensity | undefined {
  const density = params.get(DENSITY)
  return isGridDensity(density) ? density : undefined
}

export function withDensity(params: URLSearchParams, density: GridDensity): URLSearchParams {
  return withParam(params, DENSITY, density)
}

function listOf(params: URLSearchParams, name: string): readonly string[] {
  return (params.get(name) ?? '').split(',').filter(item => item !== '')
}

const ORDERS: ReadonlySet<string> = new Set<ClientOrder>(['usual', 'problems', 'ppd', 'name'])

export function isClientOrder(id: string): id is ClientOrder {
  return ORDERS.has(id)
}

/** The order of clients, if the address has one; else the person's preference holds. */
export function orderOf(params: URLSearchParams): ClientOrder | undefined {
  const order = params.get(ORDER) ?? ''
  return isClientOrder(order) ? order : undefined
}

export function withOrder(params: URLSearchParams, order: ClientOrder): URLSearchParams {
  return withParam(params, ORDER, order)
}

function withParam(params: URLSearchParams, name: string, value: string): URLSearchParams {
  const changed = new URLSearchParams(params)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}

/**
 * Whether every word of the filter occurs in one of the client's names, in any case. Terms such as `state:paused` are left
 * out: only the code of queries, which is loaded on demand, can read them.
 */
export function matchesFilter(filter: string, ...names: readonly string[]): boolean {
  const text = names.join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word) || /^-?[a-z]+:/.test(word))
}

/** Keys sorted by value. The sort is stable, and unknown values come last. */
export function sortKeys(
  rows: readonly { readonly key: string; readonly value: SortValue }[],
  isDescending: boolean,
): readonly string[] {
  return [...rows]
    .sort((a, b) => compareValues(a.value, b.value, isDescending ? 'descending' : 'ascending'))
    .map(({ key }) => key)
}

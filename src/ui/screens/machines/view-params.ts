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
export const filterOf = (params: URLSearchParams): string => params.get(FILTER) ?? ''

export const withFilter = (params: URLSearchParams, filter: string): URLSearchParams =>
  withParam(params, FILTER, filter)

/** The first column that sorts: `sort=ppd` is ascending, `sort=-ppd` descending. */
export const sortOf = (params: URLSearchParams): UnitSort | undefined => sortsOf(params)[0]

export const withSort = (params: URLSearchParams, sort: UnitSort | undefined): URLSearchParams =>
  withSorts(params, sort === undefined ? [] : [sort])

/** Several columns: `sort=-ppd,name`. */
export const sortsOf = (params: URLSearchParams): readonly ColumnSort[] =>
  listOf(params, SORT)
    .map(value => ({ column: value.replace(/^-/, ''), isDescending: value.startsWith('-') }))
    .filter(({ column }, at, all) => column !== '' && all.findIndex(other => other.column === column) === at)
    .slice(0, MAX_SORTS)

export const withSorts = (params: URLSearchParams, sorts: readonly ColumnSort[]): URLSearchParams =>
  withParam(params, SORT, sorts.map(({ column, isDescending }) => `${isDescending ? '-' : ''}${column}`).join(','))

/** `layout=grid`; undefined when the address has none that is known. */
export const layoutOf = (params: URLSearchParams): FleetLayout | undefined => {
  const layout = params.get(LAYOUT)
  return isFleetLayout(layout) ? layout : undefined
}

/** Another layout has other columns, and only the map has groups and sizes of cells. */
export const withLayout = (params: URLSearchParams, layout: FleetLayout): URLSearchParams =>
  [MAP_GROUP, MAP_CELL].reduce(
    (changed, name) => withParam(changed, name, ''),
    withColumns(withParam(params, LAYOUT, layout), undefined),
  )

/** Ids of the grid's columns in their order: `columns=name,ppd`; undefined when the address has none. */
export const columnsOf = (params: URLSearchParams): readonly string[] | undefined => {
  const ids = listOf(params, COLUMNS)
  return ids.length === 0 ? undefined : ids.slice(0, MAX_COLUMNS)
}

export const withColumns = (params: URLSearchParams, ids: readonly string[] | undefined): URLSearchParams =>
  withParam(params, COLUMNS, ids?.join(',') ?? '')

export const densityOf = (params: URLSearchParams): GridDensity | undefined => {
  const density = params.get(DENSITY)
  return isGridDensity(density) ? density : undefined
}

export const withDensity = (params: URLSearchParams, density: GridDensity): URLSearchParams =>
  withParam(params, DENSITY, density)

const listOf = (params: URLSearchParams, name: string): readonly string[] =>
  (params.get(name) ?? '').split(',').filter(item => item !== '')

const ORDERS: ReadonlySet<string> = new Set<ClientOrder>(['usual', 'problems', 'ppd', 'name'])

export const isClientOrder = (id: string): id is ClientOrder => ORDERS.has(id)

/** The order of clients, if the address has one; else the person's preference holds. */
export const orderOf = (params: URLSearchParams): ClientOrder | undefined => {
  const order = params.get(ORDER) ?? ''
  return isClientOrder(order) ? order : undefined
}

export const withOrder = (params: URLSearchParams, order: ClientOrder): URLSearchParams =>
  withParam(params, ORDER, order)

const withParam = (params: URLSearchParams, name: string, value: string): URLSearchParams => {
  const changed = new URLSearchParams(params)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}

/**
 * Whether every word of the filter occurs in one of the client's names, in any case. Terms such as `state:paused` are left
 * out: only the code of queries, which is loaded on demand, can read them.
 */
export const matchesFilter = (filter: string, ...names: readonly string[]): boolean => {
  const text = names.join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word) || /^-?[a-z]+:/.test(word))
}

/** Keys sorted by value. The sort is stable, and unknown values come last. */
export const sortKeys = (
  rows: readonly { readonly key: string; readonly value: SortValue }[],
  isDescending: boolean,
): readonly string[] =>
  [...rows]
    .sort((a, b) => compareValues(a.value, b.value, isDescending ? 'descending' : 'ascending'))
    .map(({ key }) => key)

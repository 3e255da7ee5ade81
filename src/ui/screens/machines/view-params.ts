import type { MachineOrder } from '../../../folding/machine/order.ts'
import type { SortValue } from '../../../folding/unit/unit-column.ts'
import { compareValues } from '../../../folding/unit/unit-columns.ts'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'

const FILTER = 'filter'
const SORT = 'sort'
const ORDER = 'order'

/** Filter and sorting of the machines view are in the address, so that they survive a reload and can be shared. */
export const filterOf = (params: URLSearchParams): string => params.get(FILTER) ?? ''

export const withFilter = (params: URLSearchParams, filter: string): URLSearchParams =>
  withParam(params, FILTER, filter)

/** `sort=ppd` is ascending, `sort=-ppd` descending. */
export const sortOf = (params: URLSearchParams): UnitSort | undefined => {
  const value = params.get(SORT) ?? ''
  const isDescending = value.startsWith('-')
  const column = isDescending ? value.slice(1) : value
  return column === '' ? undefined : { column, isDescending }
}

export const withSort = (params: URLSearchParams, sort: UnitSort | undefined): URLSearchParams =>
  withParam(params, SORT, sort === undefined ? '' : `${sort.isDescending ? '-' : ''}${sort.column}`)

const ORDERS: ReadonlySet<string> = new Set<MachineOrder>(['usual', 'problems', 'ppd', 'name'])

export const isMachineOrder = (id: string): id is MachineOrder => ORDERS.has(id)

/** The order of machines, if the address has one; else the person's preference holds. */
export const orderOf = (params: URLSearchParams): MachineOrder | undefined => {
  const order = params.get(ORDER) ?? ''
  return isMachineOrder(order) ? order : undefined
}

export const withOrder = (params: URLSearchParams, order: MachineOrder): URLSearchParams =>
  withParam(params, ORDER, order)

const withParam = (params: URLSearchParams, name: string, value: string): URLSearchParams => {
  const changed = new URLSearchParams(params)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}

/**
 * Whether every word of the filter occurs in one of the machine's names, in any case. Terms such as `state:paused` are left
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

import type { SortValue } from '../../../folding/unit/unit-column.ts'
import { compareValues } from '../../../folding/unit/unit-columns.ts'
import type { UnitSort } from '../../../folding/unit/unit-rows.ts'

const FILTER = 'filter'
const SORT = 'sort'

/** What the machines view is narrowed to and sorted by stands in its address, so that it survives a reload and can be shared. */
export const filterOf = (params: URLSearchParams): string => params.get(FILTER) ?? ''

export const withFilter = (params: URLSearchParams, filter: string): URLSearchParams =>
  withParam(params, FILTER, filter)

/** `sort=ppd`, or `sort=-ppd` from the highest to the lowest. */
export const sortOf = (params: URLSearchParams): UnitSort | undefined => {
  const told = params.get(SORT) ?? ''
  const isDescending = told.startsWith('-')
  const column = isDescending ? told.slice(1) : told
  return column === '' ? undefined : { column, isDescending }
}

export const withSort = (params: URLSearchParams, sort: UnitSort | undefined): URLSearchParams =>
  withParam(params, SORT, sort === undefined ? '' : `${sort.isDescending ? '-' : ''}${sort.column}`)

const withParam = (params: URLSearchParams, name: string, value: string): URLSearchParams => {
  const changed = new URLSearchParams(params)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  return changed
}

/** Whether every word of the filter is somewhere in what the machine is called. */
export const matchesFilter = (filter: string, ...names: readonly string[]): boolean => {
  const text = names.join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

/** Keys in the order of their values; those of equal value keep theirs. */
export const sortKeys = (
  rows: readonly { readonly key: string; readonly value: SortValue }[],
  isDescending: boolean,
): readonly string[] =>
  [...rows]
    .sort((a, b) => compareValues(a.value, b.value, isDescending ? 'descending' : 'ascending'))
    .map(({ key }) => key)

import { describe, expect, it } from 'vitest'
import {
  columnsOf,
  densityOf,
  filterOf,
  layoutOf,
  matchesFilter,
  orderOf,
  sortKeys,
  sortOf,
  sortsOf,
  withColumns,
  withDensity,
  withFilter,
  withLayout,
  withOrder,
  withSort,
  withSorts,
} from './view-params.ts'

function params(text = ''): URLSearchParams {
  return new URLSearchParams(text)
}

describe('search parameters of the machines view', () => {
  it.each([
    ['', undefined],
    ['sort=ppd', { column: 'ppd', isDescending: false }],
    ['sort=-ppd', { column: 'ppd', isDescending: true }],
    ['sort=-', undefined],
    ['sort=base-credit', { column: 'base-credit', isDescending: false }],
  ])('hold the sorting of units: %s', (text, sort) => {
    expect(sortOf(params(text))).toEqual(sort)
  })

  it('keep other parameters when the sorting or the filter changes', () => {
    const changed = withFilter(withSort(params('x=1&sort=ppd'), { column: 'eta', isDescending: true }), 'node 1')
    expect(changed.toString()).toBe('x=1&sort=-eta&filter=node+1')
    expect(filterOf(changed)).toBe('node 1')
    expect(withFilter(withSort(changed, undefined), '').toString()).toBe('x=1')
  })
})

describe('search parameters of the grids', () => {
  it('sort by several columns, each once, at most five', () => {
    const sorts = [
      { column: 'ppd', isDescending: true },
      { column: 'name', isDescending: false },
    ]
    expect(withSorts(params(), sorts).get('sort')).toBe('-ppd,name')
    expect(sortsOf(params('sort=-ppd,name,ppd,-,'))).toEqual(sorts)
    expect(sortsOf(params('sort=a,b,c,d,e,f,g'))).toHaveLength(5)
    expect(withSorts(params('sort=ppd'), []).has('sort')).toBe(false)
  })

  it('hold layout, columns and density; unknown ones are none', () => {
    const changed = withDensity(withColumns(withLayout(params('filter=a'), 'grid'), ['name', 'ppd']), 'compact')
    expect(changed.toString()).toBe('filter=a&layout=grid&columns=name%2Cppd&density=compact')
    expect(layoutOf(changed)).toBe('grid')
    expect(columnsOf(changed)).toEqual(['name', 'ppd'])
    expect(densityOf(changed)).toBe('compact')
    const unknown = params('layout=spiral&density=tiny&columns=')
    expect(layoutOf(unknown)).toBeUndefined()
    expect(columnsOf(unknown)).toBeUndefined()
    expect(densityOf(unknown)).toBeUndefined()
  })

  it('drop the columns when the layout changes', () => {
    expect(withLayout(params('columns=name&sort=ppd'), 'units').toString()).toBe('sort=ppd&layout=units')
  })
})

describe('the order of clients', () => {
  it('is in the address once it was chosen, if it is one', () => {
    expect(orderOf(params())).toBeUndefined()
    expect(orderOf(params('order=toString'))).toBeUndefined()
    expect(orderOf(withOrder(params('filter=x'), 'problems'))).toBe('problems')
  })
})

describe('the client filter', () => {
  it('matches everything while it is empty', () => {
    expect(matchesFilter('', 'desk')).toBe(true)
  })

  it('requires every word, in any order and case, in any of the names', () => {
    expect(matchesFilter('LAB node', 'node-07', 'Lab west')).toBe(true)
    expect(matchesFilter('lab attic', 'node-07', 'Lab west')).toBe(false)
  })

  it('leaves out what only a query can mean', () => {
    expect(matchesFilter('lab state:paused -tag:attic', 'node-07', 'Lab west')).toBe(true)
    expect(matchesFilter('desk state:paused', 'node-07', 'Lab west')).toBe(false)
  })
})

describe('sorting units', () => {
  const rows = [
    { key: 'a', value: 3 },
    { key: 'b', value: undefined },
    { key: 'c', value: 10 },
    { key: 'd', value: 3 },
  ]

  it('is ascending, with unknown values last and equal ones in their original order', () => {
    expect(sortKeys(rows, false)).toEqual(['a', 'd', 'c', 'b'])
  })

  it('is descending, with unknown values still last', () => {
    expect(sortKeys(rows, true)).toEqual(['c', 'a', 'd', 'b'])
  })
})

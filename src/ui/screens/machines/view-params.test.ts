import { describe, expect, it } from 'vitest'
import { filterOf, matchesFilter, sortKeys, sortOf, withFilter, withSort } from './view-params.ts'

const params = (text = ''): URLSearchParams => new URLSearchParams(text)

describe('the address of the machines view', () => {
  it.each([
    ['', undefined],
    ['sort=ppd', { column: 'ppd', isDescending: false }],
    ['sort=-ppd', { column: 'ppd', isDescending: true }],
    ['sort=-', undefined],
    ['sort=base-credit', { column: 'base-credit', isDescending: false }],
  ])('says how units are sorted: %s', (text, sort) => {
    expect(sortOf(params(text))).toEqual(sort)
  })

  it('keeps whatever else stands in it when the sorting or the filter changes', () => {
    const changed = withFilter(withSort(params('x=1&sort=ppd'), { column: 'eta', isDescending: true }), 'node 1')
    expect(changed.toString()).toBe('x=1&sort=-eta&filter=node+1')
    expect(filterOf(changed)).toBe('node 1')
    expect(withFilter(withSort(changed, undefined), '').toString()).toBe('x=1')
  })
})

describe('the filter of machines', () => {
  it('lets everything through while it is empty', () => {
    expect(matchesFilter('', 'desk')).toBe(true)
  })

  it('wants every word, in any order and case, in any of the names', () => {
    expect(matchesFilter('LAB node', 'node-07', 'Lab west')).toBe(true)
    expect(matchesFilter('lab attic', 'node-07', 'Lab west')).toBe(false)
  })
})

describe('sorted units', () => {
  const rows = [
    { key: 'a', value: 3 },
    { key: 'b', value: undefined },
    { key: 'c', value: 10 },
    { key: 'd', value: 3 },
  ]

  it('go from the lowest to the highest, unknown ones last, equal ones as they were', () => {
    expect(sortKeys(rows, false)).toEqual(['a', 'd', 'c', 'b'])
  })

  it('go from the highest to the lowest, unknown ones last all the same', () => {
    expect(sortKeys(rows, true)).toEqual(['c', 'a', 'd', 'b'])
  })
})

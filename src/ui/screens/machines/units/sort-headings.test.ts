import { expect, it } from 'vitest'
import type { UnitSort } from '../../../../folding/unit/unit-rows.ts'
import { sortHeadings } from './sort-headings.ts'

const columns = [
  { id: 'project', align: 'start' },
  { id: 'ppd', align: 'end' },
] as const

it.each<[string, string, readonly (UnitSort | undefined)[]]>([
  ['a number begins descending', 'ppd', [ppd(true), ppd(false), undefined, ppd(true)]],
  ['a text begins ascending', 'project', [project(false), project(true), undefined, project(false)]],
])('sorts in the first direction, the other one, and as by default: %s', (_, id, expected) => {
  // Another column is sorted at first.
  let sort: UnitSort | undefined = id === 'ppd' ? project(true) : ppd(true)
  const seen = expected.map(next => {
    sortHeadings<(typeof columns)[number]>(columns, sort, chosen => (sort = chosen))
      .find(({ column }) => column.id === id)
      ?.toggle()
    const shown = sortHeadings<(typeof columns)[number]>(columns, next, () => undefined).map(({ sorted }) => sorted)
    expect(shown.filter(sorted => sorted !== false)).toEqual(
      next === undefined ? [] : [next.isDescending ? 'desc' : 'asc'],
    )
    return sort
  })
  expect(seen).toEqual(expected)
})

function ppd(isDescending: boolean): UnitSort {
  return { column: 'ppd', isDescending }
}
function project(isDescending: boolean): UnitSort {
  return { column: 'project', isDescending }
}

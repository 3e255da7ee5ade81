import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortByValue } from './sorting.ts'
import { compareValues } from './unit-columns.ts'

type Item = { readonly value: number | string | undefined; readonly place: number }

function items(values: fc.Arbitrary<Item['value']>): fc.Arbitrary<readonly Item[]> {
  return fc.array(values).map(list => list.map((value, place) => ({ value, place })))
}

const numbers = items(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined }))
const texts = items(fc.option(fc.constantFrom('node2', 'node10', 'Attic', 'attic', 'Zürich', ''), { nil: undefined }))

describe('rows by a value', () => {
  it.each([
    ['numbers', numbers],
    ['texts', texts],
  ] as const)('stand as a plain stable sort puts them: %s', (_, lists) => {
    fc.assert(
      fc.property(lists, fc.boolean(), (list, isDescending) => {
        const plainly = [...list].sort(
          (a, b) => compareValues(a.value, b.value, isDescending ? 'descending' : 'ascending') || a.place - b.place,
        )
        const sorted = sortByValue(list, ({ value }) => value, isDescending)
        expect(sorted.map(({ value }) => String(value).toLowerCase())).toEqual(
          plainly.map(({ value }) => String(value).toLowerCase()),
        )
      }),
    )
  })

  it('keep what is equal as it was, and what is unknown at the end', () => {
    const list = [3, undefined, 1, 3, undefined, 1].map((value, place) => ({ value, place }))
    const places = (isDescending: boolean) =>
      sortByValue(list, ({ value }) => value, isDescending).map(({ place }) => place)
    expect(places(false)).toEqual([2, 5, 0, 3, 1, 4])
    expect(places(true)).toEqual([0, 3, 2, 5, 1, 4])
  })
})

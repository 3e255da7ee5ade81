import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdRows, sortBySeveral, type SortKey } from './grid-order.ts'

type Row = { readonly id: string; readonly text?: string | undefined; readonly number?: number | undefined }

function byText(isDescending = false): SortKey<Row> {
  return { column: {}, valueOf: ({ text }) => text, isDescending }
}
function byNumber(isDescending = false): SortKey<Row> {
  return { column: {}, valueOf: ({ number }) => number, isDescending }
}
function ids(rows: readonly Row[]): string {
  return rows.map(({ id }) => id).join('')
}

const rows: readonly Row[] = [
  { id: 'a', text: 'node10', number: 1 },
  { id: 'b', text: 'node2', number: 2 },
  { id: 'c', number: 3 },
  { id: 'd', text: 'Node2', number: 4 },
  { id: 'e', text: 'node10' },
]

describe('sorting by several columns', () => {
  it('keeps the order without any', () => {
    expect(sortBySeveral(rows, [])).toBe(rows)
  })

  it('sorts texts in natural order, unknown ones last in both directions', () => {
    expect(ids(sortBySeveral(rows, [byText()]))).toBe('bdaec')
    expect(ids(sortBySeveral(rows, [byText(true)]))).toBe('aebdc')
  })

  it('sorts equal rows by the next column', () => {
    expect(ids(sortBySeveral(rows, [byText(), byNumber(true)]))).toBe('dbaec')
    expect(ids(sortBySeveral(rows, [byNumber(true), byText()]))).toBe('dcbae')
  })

  it('sorts texts that the kept order of a column does not have', () => {
    const key = byText()
    sortBySeveral(rows, [key])
    const more = [...rows, { id: 'f', text: 'node3' }]
    expect(ids(sortBySeveral(more, [key]))).toBe('bdfaec')
  })

  it('is stable and loses no row', () => {
    const row = fc.record({
      text: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: undefined }),
      number: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(row), values => {
        const items = values.map((value, index) => ({ ...value, id: String(index) }))
        const sorted = sortBySeveral(items, [byText(), byNumber(true)])
        expect([...sorted].sort((a, b) => Number(a.id) - Number(b.id))).toEqual(items)
        const twice = sortBySeveral(sorted, [byText(), byNumber(true)])
        expect(twice).toEqual(sorted)
      }),
    )
  })
})

describe('rows that are pointed at', () => {
  it('keep their places while the others are sorted around them', () => {
    expect(holdRows(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a'], ['b'])).toEqual(['d', 'b', 'c', 'a'])
    expect(holdRows(['a', 'b', 'c', 'd'], ['d', 'c', 'b', 'a'], ['d', 'a'])).toEqual(['a', 'c', 'b', 'd'])
  })

  it('are not held when they are new or gone', () => {
    expect(holdRows(['a', 'b'], ['b', 'c'], ['a', 'c'])).toEqual(['b', 'c'])
  })

  it('stay where they were, in every order', () => {
    const list = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 1 })
    const orders = list.chain(keys =>
      fc.record({
        before: fc.constant(keys),
        next: fc.shuffledSubarray(keys, { minLength: keys.length }),
        held: fc.subarray(keys),
      }),
    )
    fc.assert(
      fc.property(orders, ({ before, next, held }) => {
        const result = holdRows(before, next, held)
        expect([...result].sort()).toEqual([...next].sort())
        for (const key of held) expect(result.indexOf(key)).toBe(before.indexOf(key))
      }),
    )
  })
})

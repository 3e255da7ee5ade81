import { describe, expect, it } from 'vitest'
import { isSameList, isSameValue } from './equal.ts'

describe('two values', () => {
  it.each([
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: {} }, { a: [] }, false],
    [{ a: 1 }, { a: '1' }, false],
    [Number.NaN, Number.NaN, true],
    [null, {}, false],
  ])('%o and %o are the same value: %s', (a, b, same) => {
    expect(isSameValue(a, b)).toEqual(same)
    expect(isSameValue(b, a)).toEqual(same)
  })
})

describe('two lists', () => {
  it('are the same when they have the same items in the same order', () => {
    const item = {}
    expect(isSameList([item, 1], [item, 1])).toBe(true)
    expect(isSameList([item], [{}])).toBe(false)
    expect(isSameList([1, 2], [2, 1])).toBe(false)
    expect(isSameList([1], [1, 2])).toBe(false)
    expect(isSameList<number>([], [])).toBe(true)
  })
})

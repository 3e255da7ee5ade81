import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { includesLine, nextLine, noLines, lowerBound, previousLine, appendLineNumbers } from './line-numbers.ts'

const ascending = fc.uniqueArray(fc.nat(300)).map(numbers => numbers.sort((a, b) => a - b))

describe('Numbers of lines', () => {
  it('are found as in a plain list', () => {
    fc.assert(
      fc.property(ascending, fc.integer({ min: -1, max: 301 }), (list, number) => {
        const numbers = Uint32Array.from(list)
        expect(lowerBound(numbers, number)).toBe(list.filter(one => one < number).length)
        expect(includesLine(numbers, number)).toBe(list.includes(number))
        expect(nextLine(numbers, number)).toBe(list.find(one => one > number) ?? list[0])
        expect(previousLine(numbers, number)).toBe(list.findLast(one => one < number) ?? list.at(-1))
      }),
    )
  })

  it('are appended, and trimmed at the beginning', () => {
    expect([...appendLineNumbers(Uint32Array.of(1, 5, 9), Uint32Array.of(12), 5)]).toEqual([5, 9, 12])
    expect([...appendLineNumbers(noLines, noLines, 5)]).toEqual([])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLines } from '../../protocol/client/packed-lines.ts'
import { appendLog } from './log-lines.ts'
import { logOf } from '../../../test/folding/log.ts'
import { createRowCounter, evenRows, rowsOfLine, windowAt } from './log-rows.ts'
import { allShown, shownFoundLines } from './line-numbers.ts'

const layout = { columns: 10, indent: 2 }

describe('The rows of a line', () => {
  it.each([
    ['', 1],
    ['x'.repeat(10), 1],
    ['x'.repeat(11), 2],
    ['x'.repeat(18), 2],
    ['x'.repeat(19), 3],
    [`\u001b[93m${'x'.repeat(10)}\u001b[0m`, 1],
  ])('%j are %s', (line, rows) => {
    expect(rowsOfLine(logOf([line]), 0, layout)).toBe(rows)
  })
})

describe('Rows', () => {
  it('are the same counted at once or incrementally, and map back to lines', () => {
    const line = fc.nat(60).map(length => 'x'.repeat(length))
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { maxLength: 30 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 20, max: 90 }),
        (batches, cap) => {
          const counter = createRowCounter()
          let log = logOf([])
          for (const batch of batches) {
            log = appendLog(log, packLines(batch), cap)
            const shown = allShown(log.first, log.end)
            const rows = counter(log, shown, layout)
            const plain = log.toArray().map((_, place) => rowsOfLine(log, log.first + place, layout))
            const sums = plain.map((_, place) => plain.slice(0, place).reduce((sum, one) => sum + one, 0))
            expect(sums.map((_, place) => rows.above(place))).toEqual(sums)
            expect(rows.total).toBe(plain.reduce((sum, one) => sum + one, 0))
            for (let row = 0; row < rows.total; row++)
              expect(rows.placeAt(row)).toBe(sums.findLastIndex(sum => sum <= row))
          }
        },
      ),
    )
  })

  it('are counted again for other lines or another width', () => {
    const log = logOf(['x'.repeat(20), 'x', 'x'.repeat(30), 'x'])
    const counter = createRowCounter()
    expect(counter(log, allShown(0, 4), layout).total).toBe(9)
    expect(counter(log, shownFoundLines(Uint32Array.of(1, 2), 0), layout).total).toBe(5)
    expect(counter(log, shownFoundLines(Uint32Array.of(1, 2), 2), layout).total).toBe(4)
    expect(counter(log, allShown(0, 4), { columns: 15, indent: 2 }).total).toBe(7)
    expect(counter(log, allShown(0, 4), { columns: Number.POSITIVE_INFINITY, indent: 2 })).toMatchObject({ total: 4 })
  })
})

describe('The window', () => {
  it('contains all visible lines at any position, and is small', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.nat(5000),
        fc.integer({ min: 1, max: 60 }),
        (count, at, viewRows) => {
          const place = Math.min(at, count - 1)
          const { from, to } = windowAt(evenRows(count), count, viewRows, place)
          expect(from).toBeLessThanOrEqual(place)
          expect(to).toBeGreaterThanOrEqual(Math.min(count, place + viewRows))
          expect(to - from).toBeLessThanOrEqual(viewRows + 40)
        },
      ),
    )
  })

  it('is at the end of the log without a position, and empty for an empty log', () => {
    expect(windowAt(evenRows(100), 100, 20, undefined)).toEqual({ from: 68, to: 100 })
    expect(windowAt(evenRows(5), 5, 20, undefined)).toEqual({ from: 0, to: 5 })
    expect(windowAt(evenRows(0), 0, 20, 7)).toEqual({ from: 0, to: 0 })
  })
})

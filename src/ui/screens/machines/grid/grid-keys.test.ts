import { describe, expect, it } from 'vitest'
import { movedBy, type GridPlace } from './grid-keys.ts'

const size = { rows: 100, columns: 5, page: 10 }
function press(key: string, row: number, column: number, ctrlKey = false): GridPlace | undefined {
  return movedBy({ key, ctrlKey, metaKey: false }, { row, column }, size)
}

describe('the keys of a grid', () => {
  it.each([
    ['ArrowDown', 3, 2, false, 4, 2],
    ['ArrowDown', 99, 2, false, 99, 2],
    ['ArrowDown', -1, 2, false, 0, 2],
    ['ArrowDown', 3, 2, true, 99, 2],
    ['ArrowUp', 0, 2, false, -1, 2],
    ['ArrowUp', -1, 2, false, -1, 2],
    ['ArrowUp', 50, 2, true, 0, 2],
    ['ArrowRight', 3, 4, false, 3, 4],
    ['ArrowRight', 3, 0, true, 3, 4],
    ['ArrowLeft', 3, 1, false, 3, 0],
    ['ArrowLeft', 3, 4, true, 3, 0],
    ['Home', 3, 4, false, 3, 0],
    ['Home', 50, 4, true, 0, 0],
    ['End', 3, 0, false, 3, 4],
    ['End', 3, 0, true, 99, 4],
    ['PageDown', 3, 2, false, 13, 2],
    ['PageDown', 95, 2, false, 99, 2],
    ['PageDown', -1, 2, false, 10, 2],
    ['PageUp', 53, 2, false, 43, 2],
    ['PageUp', 3, 2, false, 0, 2],
  ] as const)(
    '%s from row %i, column %i, far %s: row %i, column %i',
    (key, row, column, isFar, nextRow, nextColumn) => {
      expect(press(key, row, column, isFar)).toEqual({ row: nextRow, column: nextColumn })
    },
  )

  it('stay on the headings while there are no rows', () => {
    expect(
      movedBy({ key: 'End', ctrlKey: true, metaKey: false }, { row: -1, column: 0 }, { ...size, rows: 0 }),
    ).toEqual({ row: -1, column: 4 })
  })

  it('ignore all other keys', () => {
    expect(press('Enter', 3, 2)).toBeUndefined()
    expect(press('a', 3, 2)).toBeUndefined()
    expect(press(' ', 3, 2)).toBeUndefined()
  })
})

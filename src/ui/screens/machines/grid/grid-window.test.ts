import { expect, test } from 'vitest'
import { withIndex } from './grid-window.ts'

const range = { startIndex: 4, endIndex: 6, overscan: 1, count: 12 }

test.each([
  ['before them', 0, [0, 3, 4, 5, 6, 7]],
  ['among them', 5, [3, 4, 5, 6, 7]],
  ['after them', 9, [3, 4, 5, 6, 7, 9]],
  ['the last of all', 11, [3, 4, 5, 6, 7, 11]],
  ['none', -1, [3, 4, 5, 6, 7]],
  ['one that is gone', 12, [3, 4, 5, 6, 7]],
])('the row with the focus stays rendered besides those in view: %s', (_, index, rendered) => {
  expect(withIndex(index)(range)).toEqual(rendered)
})

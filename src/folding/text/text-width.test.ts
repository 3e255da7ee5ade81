import { expect, test } from 'vitest'
import { textWidth, wordWidth } from './text-width.ts'

test.each([
  ['Status', 6],
  ['Проект', 6],
  ['進捗', 4],
  ['アップロード待ち', 14],
  ['', 0],
])('%s is %i digits wide', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test('of several words, the longest counts', () => {
  expect(wordWidth('Unités de travail')).toBe(7)
})

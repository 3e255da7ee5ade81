import { expect, test } from 'vitest'
import { createChances } from './chance.ts'

test('a subject has its own chance, whatever others do before', () => {
  const alone = createChances(7)('phone').roll()
  const chances = createChances(7)
  chances('watcher').roll()
  expect(chances('phone').roll()).toBe(alone)
  expect(chances('watcher').roll()).not.toBe(alone)
  expect(createChances(8)('phone').roll()).not.toBe(alone)
})

import { expect, test } from 'vitest'
import { mistaken } from './mistake.ts'
import { mistakes } from './mistakes.ts'

test.each(mistakes)('the place of this mistake is still there: $name', mistake => {
  expect(mistaken(mistake)).toContain(mistake.by)
})

test('each mistake has a name of its own', () => {
  expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length)
})

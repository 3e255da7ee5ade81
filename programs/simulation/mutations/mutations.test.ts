import { expect, test } from 'vitest'
import { mutated } from './mutation.ts'
import { mutations } from './mutations.ts'

test.each(mutations)('the place of this mutation is still there: $name', mutation => {
  expect(mutated(mutation)).toContain(mutation.by)
})

test('each mutation has a name of its own', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length)
})

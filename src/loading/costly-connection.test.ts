import { expect, it } from 'vitest'
import { isCostly } from './costly-connection.ts'

it.each([
  [{}, false],
  [{ effectiveType: '4g', type: 'wifi', saveData: false }, false],
  [{ effectiveType: '3g' }, true],
  [{ type: 'cellular' }, true],
  [{ saveData: true }, true],
])('takes the connection %o for costly: %s', (connection, expected) => {
  expect(isCostly(connection)).toBe(expected)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { guarded, unguarded } from './formulas.ts'

test('no line of a cell is a formula, and each cell can be read again', () => {
  expect(guarded('-1\n=cmd()\r\n@x\r+1\t')).toBe("'-1\n'=cmd()\r\n'@x\r'+1\t")
  expect(guarded('a-b = c')).toBe('a-b = c')
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('=', "'", '-', 'a', '\n', '\r', '\t') }), text => {
      expect(unguarded(guarded(text))).toBe(text)
      expect(guarded(text)).not.toMatch(/^[=+\-@\t]/m)
    }),
  )
})

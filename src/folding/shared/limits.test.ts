import { expect, it } from 'vitest'
import { settingsTable } from '../../protocol/client/settings-table.ts'
import { wholeNumber, wholeNumberError } from './limits.ts'

const { limits } = settingsTable.key

it('a typed whole number is read within its limits', () => {
  expect(['', ' 12 ', '-1', 'x', '1.5'].map(typed => wholeNumber(typed, limits))).toEqual([
    0,
    12,
    undefined,
    undefined,
    undefined,
  ])
})

it('a typed number that does not fit is explained', () => {
  const typed = ['', '7', '9007199254740991', '9007199254740992', '1.5', '-1']
  expect(typed.map(text => wholeNumberError(text, limits))).toEqual([
    undefined,
    undefined,
    undefined,
    'Enter a number up to 9,007,199,254,740,991',
    'Enter a whole number',
    'Enter a whole number',
  ])
})

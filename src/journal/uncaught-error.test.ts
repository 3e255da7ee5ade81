import { expect, it } from 'vitest'
import { uncaughtError } from './uncaught-error.ts'

const place = { filename: 'https://board.example/assets/index-1.js', lineno: 7 }
const mistake = new TypeError('x is not a function')

it.each([
  ['with an error', { ...place, error: mistake, message: '' }, { error: mistake, where: `${place.filename}:7` }],
  [
    'without an error',
    { ...place, error: null, message: 'Script error.' },
    { error: 'Script error.', where: `${place.filename}:7` },
  ],
  [
    'of another origin',
    { filename: '', lineno: 0, error: null, message: 'Script error.' },
    { error: 'Script error.', where: '' },
  ],
  [
    'of an element that is measured again',
    { ...place, error: null, message: 'ResizeObserver loop completed with undelivered notifications.' },
    undefined,
  ],
])('an uncaught error %s', (_, event, expected) => {
  expect(uncaughtError(event)).toEqual(expected)
})

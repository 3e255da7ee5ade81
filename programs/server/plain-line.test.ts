import { expect, test } from 'vitest'
import { plainLine } from './plain-line.ts'

const time = new Date(2026, 10, 20, 13, 5, 9).toISOString()
function line(entry: object): string {
  return plainLine(`${JSON.stringify({ time, ...entry })}\n`)
}

test('an entry of the log is a line with time, message and facts', () => {
  expect(line({ level: 30, port: 7400, users: 0, msg: 'server listens' })).toBe(
    '13:05:09  server listens (port 7400, users 0)',
  )
  expect(line({ level: 30, msg: 'server stopped' })).toBe('13:05:09  server stopped')
  expect(line({ level: 40, reason: 'no answer', msg: 'the broker cannot be reached' })).toBe(
    '13:05:09  Warning: the broker cannot be reached (reason no answer)',
  )
})

test('an error has its reason, and its stack below when it is a mistake in the program', () => {
  const err = { type: 'Error', message: 'disk full', stack: 'Error: disk full\n    at write' }
  expect(line({ level: 50, err: { ...err, code: 'ENOSPC' }, msg: 'not written' })).toBe(
    '13:05:09  Error: not written: disk full',
  )
  expect(line({ level: 50, err, msg: 'not written' })).toBe(
    '13:05:09  Error: not written: disk full\nError: disk full\n    at write',
  )
})

test('control characters in a name that a client reports are not written to the terminal', () => {
  expect(line({ level: 30, machine: 'a\u001b[2Jb\nc', msg: 'machine connected' })).toBe(
    '13:05:09  machine connected (machine a [2Jb c)',
  )
})

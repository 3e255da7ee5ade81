import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { logLevel, logQueryOfUnit, passesLevels, stripAnsi } from './log-line.ts'

const RED = '\u001b[91m'
const YELLOW = '\u001b[93m'
const RESET = '\u001b[0m'

describe('a log line', () => {
  test.each([
    ['13:29:50:I1:    Version: 8.5.7', 'I'],
    ['00:00:00:I1:WU20:Completed 5 out of 150 steps (3%)', 'I'],
    [`${YELLOW}13:30:01:W :Unknown state${RESET}`, 'W'],
    [`${RED}13:30:01:E:WU3:Failed${RESET}`, 'E'],
    [`${RESET}${RED}13:30:01: E :x`, 'E'],
    ['13:30:01:D:x', 'D'],
    ['13:30:01:X:x', undefined],
    ['a line without a head', undefined],
    ['', undefined],
  ])('%j has the level %s', (line, level) => {
    expect(logLevel(line)).toBe(level)
  })

  it('takes the level only from its head, not from text that users chose', () => {
    expect(logLevel('13:30:01:I1:group ":E :" folds')).toBe('I')
    expect(logLevel('renamed to 13:30:01:E:x')).toBeUndefined()
  })

  it('passes the filters that are set', () => {
    const error = `${RED}13:30:01:E:x${RESET}`
    const warning = '13:30:01:W:x'
    const passing = (errors: boolean, warnings: boolean) =>
      [error, warning, '13:30:01:I1:x', 'x'].map(line => passesLevels(line, { errors, warnings }))
    expect(passing(false, false)).toEqual([true, true, true, true])
    expect(passing(true, false)).toEqual([true, false, false, false])
    expect(passing(false, true)).toEqual([false, true, false, false])
    expect(passing(true, true)).toEqual([true, true, false, false])
  })

  it('is stripped of escapes and nothing else', () => {
    expect(stripAnsi(`${RED}a${RESET}b\u001b[1;38;5;4mc\u001b`)).toBe('abc')
    expect(stripAnsi('plain [91m')).toBe('plain [91m')
  })

  it('is found by a search for its unit', () => {
    expect([0, 20, -1, 1.5, undefined, '7'].map(logQueryOfUnit)).toEqual([
      expect.stringMatching(/^WU0:\|/),
      expect.stringMatching(/^WU20:\|/),
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})

const CAPTURE = '../shared/captures/direct-log.jsonl'

describe.skipIf(!existsSync(CAPTURE))('recorded lines (skipped when ../shared/captures is absent)', () => {
  it('all have a level', () => {
    const messages = readFileSync(CAPTURE, 'utf8')
      .split('\n')
      .filter(entry => entry !== '')
      .map((entry): unknown => JSON.parse(entry))
    const lines = messages.flatMap(entry => linesOf(entry))
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.filter(line => logLevel(line) === undefined)).toEqual([])
  })
})

function linesOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || !('raw' in entry) || typeof entry.raw !== 'string') return []
  if (!entry.raw.startsWith('["log"')) return []
  const message: unknown = JSON.parse(entry.raw)
  const lines: unknown = Array.isArray(message) ? message.at(-1) : undefined
  return Array.isArray(lines) ? lines.filter((line): line is string => typeof line === 'string') : []
}

import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { logLevel, logQueryOfUnit, parseLogLine, passesLevels, stripAnsi } from './log-line.ts'

const RED = '\u001b[91m'
const YELLOW = '\u001b[93m'
const RESET = '\u001b[0m'

describe('a log line', () => {
  test.each([
    [
      '13:29:50:I1:    Version: 8.5.7',
      { time: 48_590, level: 'I', prefix: undefined, unit: undefined, text: '    Version: 8.5.7' },
    ],
    [
      '00:00:00:I1:WU20:Completed 5 out of 150 steps (3%)',
      { time: 0, level: 'I', prefix: 'WU20', unit: 20, text: 'Completed 5 out of 150 steps (3%)' },
    ],
    [
      '23:59:59:I2:REQ5:< 127.0.0.1 GET /api/websocket HTTP/1.1',
      {
        time: 86_399,
        level: 'I',
        prefix: 'REQ5',
        unit: undefined,
        text: '< 127.0.0.1 GET /api/websocket HTTP/1.1',
      },
    ],
    [
      `${YELLOW}13:30:01:W :Unknown state${RESET}`,
      { time: 48_601, level: 'W', prefix: undefined, unit: undefined, text: 'Unknown state' },
    ],
    [`${RED}13:30:01:E:WU3:Failed${RESET}`, { time: 48_601, level: 'E', prefix: 'WU3', unit: 3, text: 'Failed' }],
    [
      'a line without a head',
      {
        time: undefined,
        level: undefined,
        prefix: undefined,
        unit: undefined,
        text: 'a line without a head',
      },
    ],
    ['', { time: undefined, level: undefined, prefix: undefined, unit: undefined, text: '' }],
  ])('%j is taken apart', (line, parts) => {
    expect(parseLogLine(line)).toEqual(parts)
  })

  it('is believed at its head only: text that people chose makes no error', () => {
    expect(logLevel('13:30:01:I1:group ":E :" folds')).toBe('I')
    expect(logLevel('renamed to 13:30:01:E:x')).toBeUndefined()
  })

  it('tells the same level quickly and thoroughly', () => {
    const head = fc.constantFrom('', RED, YELLOW, `${RESET}${RED}`)
    const level = fc.constantFrom('E', 'W', 'I1', 'I3', 'D', ' E ', 'W ', 'X', '')
    fc.assert(
      fc.property(head, level, fc.string(), (colour, word, rest) => {
        const line = `${colour}13:30:01:${word}:${rest}`
        expect(logLevel(line)).toBe(parseLogLine(line).level)
      }),
    )
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

  it('loses escapes and nothing else', () => {
    expect(stripAnsi(`${RED}a${RESET}b\u001b[1;38;5;4mc\u001b`)).toBe('abc')
    expect(stripAnsi('plain [91m')).toBe('plain [91m')
  })

  it('is found by its unit', () => {
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
  it('all have a time and a level', () => {
    const messages = readFileSync(CAPTURE, 'utf8')
      .split('\n')
      .filter(entry => entry !== '')
      .map((entry): unknown => JSON.parse(entry))
    const lines = messages.flatMap(entry => linesOf(entry))
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.filter(line => parseLogLine(line).time === undefined || logLevel(line) === undefined)).toEqual([])
  })
})

const linesOf = (entry: unknown): string[] => {
  if (typeof entry !== 'object' || entry === null || !('raw' in entry) || typeof entry.raw !== 'string') return []
  if (!entry.raw.startsWith('["log"')) return []
  const message: unknown = JSON.parse(entry.raw)
  const lines: unknown = Array.isArray(message) ? message.at(-1) : undefined
  return Array.isArray(lines) ? lines.filter((line): line is string => typeof line === 'string') : []
}

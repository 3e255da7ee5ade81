import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLines } from '../../protocol/client/packed-lines.ts'
import { dayOfLine, daysFrom, lineAtTime, noDays, timeOfLine } from './log-days.ts'
import { appendLog, type LogLines } from './log-lines.ts'
import { logOf } from '../../../test/folding/log.ts'

const NOON = Date.parse('2026-11-21T12:00:00Z')
const DAY = 86_400_000

function dates(log: LogLines, receivedAt: number): readonly (string | undefined)[] {
  const days = daysFrom(noDays, log, log.first)
  return Array.from({ length: log.length }, (_, index) => {
    const day = dayOfLine(days, log.first + index, receivedAt)
    return day === undefined ? undefined : new Date(day).toISOString().slice(5, 10)
  })
}

describe('The time of day of a line', () => {
  it.each([
    ['13:29:50:I1:x', 48_590],
    ['\u001b[93m00:00:01:W :x\u001b[0m', 1],
    ['\u001b[0m\u001b[91m23:59:59:E :x', 86_399],
    ['24:00:00:I1:x', undefined],
    ['1x:00:00:I1:x', undefined],
    ['12:00:0', undefined],
    ['no time', undefined],
    ['\u001b[12:00:00', undefined],
    ['', undefined],
  ])('%j is %s', (line, time) => {
    expect(timeOfLine(logOf([line]), 0)).toBe(time)
  })
})

describe('The day of a line', () => {
  it('is that of the newest line, and one earlier before each midnight', () => {
    const log = logOf([
      '22:00:00:I1:a',
      '23:59:59:I1:b',
      '00:00:01:I1:c',
      '11:00:00:I1:d',
      '09:00:00:I1:e',
      '11:59:00:I1:f',
    ])
    expect(dates(log, NOON)).toEqual(['11-19', '11-19', '11-20', '11-20', '11-21', '11-21'])
  })

  it('tolerates lines that are slightly out of order', () => {
    expect(dates(logOf(['11:00:05:I1:a', '11:00:03:I1:b', '11:00:06:I1:c']), NOON)).toEqual(['11-21', '11-21', '11-21'])
  })

  it('is yesterday for a newest line that was written before midnight', () => {
    expect(dates(logOf(['23:59:59:I1:a']), Date.parse('2026-11-21T00:00:03Z'))).toEqual(['11-20'])
  })

  it('is today for a client whose clock is a little ahead', () => {
    expect(dates(logOf(['00:00:10:I1:a']), Date.parse('2026-11-20T23:59:58Z'))).toEqual(['11-21'])
  })

  it('is the previous line’s without a time of its own, and unknown when no line has one', () => {
    expect(dates(logOf(['23:00:00:I1:a', 'more', '01:00:00:I1:b', 'more']), NOON)).toEqual([
      '11-20',
      '11-20',
      '11-21',
      '11-21',
    ])
    expect(dates(logOf(['more', 'more']), NOON)).toEqual([undefined, undefined])
  })

  it('does not depend on the order of scanning', () => {
    const line = fc
      .option(fc.nat(86_399), { freq: 6 })
      .map(time => (time === null ? 'more' : `${new Date(time * 1000).toISOString().slice(11, 19)}:I1:x`))
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { maxLength: 12 }), { maxLength: 6 }),
        fc.infiniteStream(fc.nat(70)),
        (batches, places: Iterator<number>) => {
          let log = logOf([])
          let days = noDays
          for (const batch of batches) {
            log = appendLog(log, packLines(batch))
            days = daysFrom(days, log, Number(places.next().value))
          }
          days = daysFrom(days, log, log.first)
          const whole = daysFrom(noDays, log, log.first)
          for (let number = log.first; number < log.end; number++)
            expect(dayOfLine(days, number, NOON)).toBe(dayOfLine(whole, number, NOON))
        },
      ),
    )
  })

  it('is inferred again for another log', () => {
    const old = logOf(['23:00:00:I1:a', '01:00:00:I1:b'])
    const days = daysFrom(noDays, old, 0)
    const other = appendLog(
      appendLog(old, packLines(Array.from({ length: 8 }, () => '02:00:00:I1:c')), 3),
      packLines(['03:00:00:I1:d']),
      3,
    )
    expect(other.first).toBeGreaterThan(days.end)
    expect(dayOfLine(daysFrom(days, other, other.first), other.end - 1, NOON)).toBe(NOON - DAY / 2)
  })
})

describe('The line at a time', () => {
  // Received at noon on the 21st; the midnight is between the second line and the fourth.
  const log = logOf([
    '22:00:00:I1:WU1:Completed 1',
    '23:00:00:E :WU1:Core failed',
    'a continued line',
    '01:00:00:I1:WU2:Started',
    '11:59:00:E :WU2:Core failed',
  ])
  const failed = Uint32Array.of(1, 4)
  const at = (text: string): number => Date.parse(`2026-11-${text}:00Z`)

  it.each([
    ['the newest one until then', undefined, '21T02:00', { number: 3, how: 'exact' }],
    ['on the day before', undefined, '20T23:30', { number: 1, how: 'exact' }],
    ['of those that match', failed, '21T02:00', { number: 1, how: 'exact' }],
    ['the last one that matches', failed, '22T00:00', { number: 4, how: 'exact' }],
    ['any line where none matches', Uint32Array.of(4), '21T02:00', { number: 3, how: 'unmatched' }],
    ['the first one of a log that begins later', failed, '20T20:00', { number: 0, how: 'later' }],
  ])('is %s', (_, numbers, text, finding) => {
    expect(lineAtTime(log, numbers, at(text), NOON)).toEqual(finding)
  })

  it('includes a line that was written a moment after', () => {
    expect(lineAtTime(log, failed, Date.parse('2026-11-21T11:58:56Z'), NOON)?.number).toBe(4)
  })

  it('is unknown while no line has a time', () => {
    expect(lineAtTime(logOf(['one', 'two']), undefined, NOON, NOON)).toBeUndefined()
  })
})

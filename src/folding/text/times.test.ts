import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  DAY,
  formatBothClocks,
  formatDate,
  formatInterval,
  formatIso,
  formatLocal,
  formatLocalShort,
  formatRelative,
  formatUtc,
  HOUR,
  MINUTE,
  parseInterval,
  parseTime,
} from './times.ts'

const AT = Date.UTC(2026, 10, 20, 13, 35, 14)

test('a day is written in the reader’s words and zone', () => {
  expect(formatDate(AT, { locale: 'en', timeZone: 'UTC' })).toBe('November 20, 2026')
  expect(formatDate(AT, { locale: 'de', timeZone: 'Pacific/Kiritimati' })).toBe('21. November 2026')
  expect(formatDate(undefined)).toBe('???')
})

describe('instants of the wire', () => {
  test.each<[unknown, number | undefined]>([
    ['2026-11-20T13:35:14Z', AT],
    ['2026-11-20 13:35:14', AT],
    ['2026-11-20T13:35:14', AT],
    ['2026-11-20T13:35:14.592Z', AT + 592],
    ['2026-11-20T13:35:14.5Z', AT + 500],
    ['2026-11-20T14:35:14+01:00', AT],
    ['2026-11-20T13:05:14-0030', AT],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2026-02-29T00:00:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-11-20T25:00:00Z', undefined],
    ['2026-11-20', undefined],
    ['yesterday', undefined],
    ['', undefined],
    [AT, undefined],
    [null, undefined],
  ])('%j is read as %s', (value, at) => {
    expect(parseTime(value)).toBe(at)
  })

  it('round-trip in whole seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), seconds => {
        expect(parseTime(formatIso(seconds * 1000))).toBe(seconds * 1000)
      }),
    )
  })

  it('are formatted in UTC, local time, and both [13.3]', () => {
    const options = { locale: 'en-GB', timeZone: 'Europe/Berlin' }
    expect(formatIso(AT)).toBe('2026-11-20T13:35:14Z')
    expect(formatUtc(AT)).toBe('2026-11-20 13:35:14 UTC')
    expect(formatLocal(AT, options)).toBe('20 Nov 2026, 14:35:14')
    expect(formatLocalShort(AT, options)).toBe('20 Nov 2026, 14:35')
    expect(formatBothClocks(AT, options)).toBe('20 Nov 2026, 14:35:14 (2026-11-20 13:35:14 UTC)')
  })

  it('are ??? when invalid', () => {
    for (const at of [undefined, null, Number.NaN, 'x', 9e15, {}])
      for (const format of [formatIso, formatUtc, formatLocal, formatLocalShort, formatBothClocks])
        expect(format(at), format.name).toBe('???')
  })
})

describe('relative times', () => {
  test.each<[number, string]>([
    [0, 'just now'],
    [-4, 'just now'],
    [-42, '42 s ago'],
    [-59.4, '59 s ago'],
    [-59.6, '1 min ago'],
    [-3 * MINUTE, '3 min ago'],
    [-5 * HOUR, '5 h ago'],
    [-47 * HOUR, '47 h ago'],
    [-12 * DAY, '12 d ago'],
    [3 * MINUTE, 'in 3 min'],
    [2 * DAY, 'in 2 d'],
  ])('%d seconds from now read %s', (seconds, shown) => {
    expect(formatRelative(AT + seconds * 1000, AT)).toBe(shown)
  })

  it('are ??? when the instant is not known', () => {
    expect(formatRelative(undefined, AT)).toBe('???')
    expect(formatRelative(AT, Number.NaN)).toBe('???')
  })
})

describe('lengths of time', () => {
  test.each<[unknown, string]>([
    [0, '0s'],
    [0.4, '0s'],
    [45, '45s'],
    [59.6, '1m 0s'],
    [92, '1m 32s'],
    [160, '2m 40s'],
    [HOUR, '1h 0m'],
    [3 * HOUR + 5 * MINUTE + 59, '3h 5m'],
    [2 * DAY + 4 * HOUR, '2d 4h'],
    [400 * DAY, '400d 0h'],
    [-5, '0s'],
    [Number.NaN, '???'],
    ['45s', '???'],
    [undefined, '???'],
  ])('%s seconds read %s', (seconds, shown) => {
    expect(formatInterval(seconds)).toBe(shown)
  })

  test.each<[unknown, number | undefined]>([
    ['45s', 45],
    ['60s', 60],
    ['0s', 0],
    ['2m 40s', 160],
    ['3h 5m', 3 * HOUR + 5 * MINUTE],
    ['2d 4h', 2 * DAY + 4 * HOUR],
    ['1y 3d', 368 * DAY],
    ['1 hour 24 mins', 84 * MINUTE],
    ['2.5 days', 2.5 * DAY],
    ['  12m  ', 12 * MINUTE],
    [90, 90],
    [-1, undefined],
    ['', undefined],
    ['soon', undefined],
    ['5', undefined],
    ['5 months', undefined],
    ['4 parsecs', undefined],
    ['1s '.repeat(50), undefined],
    [null, undefined],
    [{}, undefined],
  ])('%j is %s seconds', (value, seconds) => {
    expect(parseInterval(value)).toBe(seconds)
  })

  it('round-trip up to their smaller unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 * DAY }), seconds => {
        const again = parseInterval(formatInterval(seconds)) ?? Number.NaN
        const smaller = seconds < HOUR ? 1 : seconds < DAY ? MINUTE : HOUR
        expect(seconds - again).toBeGreaterThanOrEqual(0)
        expect(seconds - again).toBeLessThan(smaller)
      }),
    )
  })

  it('are read in linear time from hostile text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), value => {
        const seconds = parseInterval(value)
        expect(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0)).toBe(true)
      }),
    )
  })
})

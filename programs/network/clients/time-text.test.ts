import { describe, expect, it } from 'vitest'
import { bytesText, intervalText, isoTime, parseWireTime } from './time-text.ts'

describe('work left', () => {
  it.each([
    [0, '0s'],
    [45, '45s'],
    [60, '60s'],
    [61, '1m 1s'],
    [120, '2m 0s'],
    [160, '2m 40s'],
    [3600, '60m 0s'],
    [11_100, '3h 5m'],
    [16_800, '4h 40m'],
    [86_400, '24h 0m'],
    [187_200, '2d 4h'],
    [-3, '0s'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(intervalText(seconds)).toBe(text)
  })
})

describe('the time of a command', () => {
  const second = Date.parse('2026-11-20T13:35:14Z') / 1000
  it.each(['2026-11-20T13:35:14Z', '2026-11-20T13:35:14.999Z', '2026-11-20 13:35:14', '20261120T133514Z'])(
    'reads %s',
    text => {
      expect(parseWireTime(text)).toBe(second)
    },
  )
  it.each(['', 'now', '2026-11-20T13:35:14+00:00', '2026-13-20T13:35:14Z', '2026-11-20'])('rejects %j', text => {
    expect(parseWireTime(text)).toBeUndefined()
  })
  it('is written in whole seconds', () => {
    expect(isoTime(second * 1000 + 999)).toBe('2026-11-20T13:35:14Z')
  })
})

it('formats bytes like the log of a transfer', () => {
  expect([976, 799_160, 2_002_780].map(bytesText)).toEqual(['976B', '780.43KiB', '1.91MiB'])
})

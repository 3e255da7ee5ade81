import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import {
  formatClauses,
  formatList,
  compareTexts,
  formatCompact,
  formatHex,
  formatNumber,
  formatDifference,
  formatPercent,
  formatPoints,
  formatValue,
  truncate,
  UNKNOWN,
} from './format.ts'

const locale = 'en-US'

describe('numbers', () => {
  test.each<[unknown, number, string]>([
    [0, 0, '0'],
    [1234567, 0, '1,234,567'],
    [1234.5, 1, '1,234.5'],
    [1, 2, '1.00'],
    [-0.001, 0, '0'],
    [-1234, 0, '-1,234'],
    [Number.NaN, 0, '???'],
    [Number.POSITIVE_INFINITY, 0, '???'],
    [undefined, 0, '???'],
    [null, 0, '???'],
    ['12', 0, '???'],
    [{}, 0, '???'],
  ])('%s with %i decimals reads %s', (value, digits, shown) => {
    expect(formatNumber(value, { locale, digits })).toBe(shown)
  })

  it('follow the locale', () => {
    expect(formatNumber(1234567, { locale: 'de-DE' })).toBe('1.234.567')
    expect(formatPercent(0.4237, 'de-DE')).toBe('42,4\u00a0%')
  })

  test.each<[unknown, string]>([
    [0, '0'],
    [999, '999'],
    [12_345, '12.3K'],
    [1_234_567, '1.2M'],
    [4_200_000_000, '4.2B'],
    ['x', '???'],
  ])('%s is %s in narrow places', (value, shown) => {
    expect(formatCompact(value, locale)).toBe(shown)
  })

  it('round points to whole ones', () => {
    expect(formatPoints(98_765.6, locale)).toBe('98,766')
  })
})

describe('percentages', () => {
  test.each<[unknown, string]>([
    [0, '0.0%'],
    [0.106, '10.6%'],
    [0.42, '42.0%'],
    [1, '100.0%'],
    [1.7, '100.0%'],
    [-0.2, '0.0%'],
    ['0.5', '???'],
    [undefined, '???'],
  ])('%s reads %s', (share, shown) => {
    expect(formatPercent(share, locale)).toBe(shown)
  })
})

describe('other values', () => {
  test.each<[unknown, string]>([
    [4318, '0x10de'],
    [2, '0x0002'],
    [65536, '0x10000'],
    [-1, '???'],
    [1.5, '???'],
    ['10de', '???'],
  ])('the PCI id %s reads %s', (value, shown) => {
    expect(formatHex(value)).toBe(shown)
  })

  test.each<[unknown, string]>([
    ['Release', 'Release'],
    ['', '???'],
    [true, 'Yes'],
    [false, 'No'],
    [18422, '18422'],
    [null, '???'],
    [{ a: 1 }, '???'],
    [[1], '???'],
  ])('%j reads %s', (value, shown) => {
    expect(formatValue(value)).toBe(shown)
  })

  it('never format as NaN, undefined or an object [2.58]', () => {
    const bad = /NaN|undefined|null|\[object|Infinity/
    fc.assert(
      fc.property(
        fc.anything().filter(value => typeof value !== 'string'),
        value => {
          for (const shown of [
            formatNumber(value),
            formatCompact(value),
            formatPercent(value),
            formatHex(value),
            formatValue(value),
          ]) {
            expect(shown).not.toMatch(bad)
            expect(shown).not.toBe('')
          }
        },
      ),
    )
    expect(UNKNOWN).toBe('???')
  })
})

describe('truncating', () => {
  it('leaves what fits and ends the rest in three dots within the limit', () => {
    expect(truncate('a'.repeat(50), 50)).toBe('a'.repeat(50))
    expect(truncate('a'.repeat(51), 50)).toBe(`${'a'.repeat(47)}...`)
  })

  it('never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 30 }), (value, limit) => {
        const short = truncate(value, limit)
        expect(Array.from(short).length).toBeLessThanOrEqual(limit)
        expect(short === value || value.startsWith(short.slice(0, -3))).toBe(true)
        expect(() => encodeURIComponent(short)).not.toThrow()
      }),
    )
  })
})

it('sorts names in natural order', () => {
  expect(['node10', 'Node2', 'árbol', 'zoo', 'apple'].sort(compareTexts)).toEqual([
    'apple',
    'árbol',
    'Node2',
    'node10',
    'zoo',
  ])
})

test.each<[unknown, string]>([
  [1.083, '+8%'],
  [0.5, '-50%'],
  [1.004, '0%'],
  [0.996, '0%'],
  [undefined, UNKNOWN],
])('%s times as much differs by %s', (times, shown) => {
  expect(formatDifference(times, 'en-US')).toBe(shown)
})

it('lists texts as the language does', async () => {
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, c')
  expect(formatList(['a', 'b'], 'disjunction')).toBe('a or b')
  expect(formatList([])).toBe('')
  expect(formatList(['a'])).toBe('a')
  expect(formatClauses(['a, b', 'c', 'd'])).toBe('a, b; c; d')
  vi.resetModules()
  const { i18n } = await import('@lingui/core')
  i18n.loadAndActivate({ locale: 'de', messages: {} })
  const { formatList: german } = await import('./format.ts')
  expect(german(['a', 'b', 'c'])).toBe('a, b und c')
  i18n.loadAndActivate({ locale: 'fa', messages: {} })
  const { localDigits: persian } = await import('./format.ts')
  expect(persian('22:05–24:00')).toBe('۲۲:۰۵–۲۴:۰۰')
  vi.resetModules()
})

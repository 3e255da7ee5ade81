import { i18n } from '@lingui/core'
import { afterEach, describe, expect, it } from 'vitest'
import { formatDecimal, formatNumber } from './format.ts'
import { TEAM, wholeNumber, wholeNumberError } from '../shared/limits.ts'
import { hasOwnDigits, plainNumber } from './typed-number.ts'

function choose(locale: string): void {
  return i18n.loadAndActivate({ locale, messages: {} })
}

afterEach(() => choose('en'))

describe('a typed number', () => {
  it.each([
    ['en', '1234.5', '1234.5'],
    ['en', '1,234.5', '1234.5'],
    ['en', ' 12 ', '12'],
    ['en', '−3', '-3'],
    ['en', '1.500', '1.500'],
    ['en', '12,34,567', '1234567'],
    ['de', '1.234,5', '1234.5'],
    ['de', '1.234', '1234'],
    ['de', '0,5', '0.5'],
    ['de', '0.5', '0.5'],
    ['de', '0.305', '0.305'],
    ['fr', '1\u202f234,5', '1234.5'],
    ['ru', '1 234,5', '1234.5'],
    ['fa', '۱٬۲۳۴٫۵', '1234.5'],
    ['fa', '\u200e−۵', '-5'],
    ['fa', '٤٢', '42'],
    ['fa', '42', '42'],
    ['ja', '１２３', '123'],
    ['en', '۴۲', '42'],
    ['en', '', ''],
  ])('in %s: %s', (locale, typed, expected) => {
    choose(locale)
    expect(plainNumber(typed)).toBe(expected)
  })

  it.each(['12a', '1,2,3', '0,25', '12,50', '0,305', '--1', '1.2.3', '۱a'])('is refused when it is none: %s', typed => {
    expect(Number.isNaN(Number(plainNumber(typed)))).toBe(true)
  })

  it.each(['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'sv', 'ru', 'zh-Hans', 'ja', 'ko', 'fa'])(
    'is what the page shows, in %s',
    locale => {
      choose(locale)
      for (const [value, digits] of [
        [1_234_567.25, 2],
        [1234, 0],
        [-98_765, 0],
        [0.5, 1],
      ] as const)
        expect(Number(plainNumber(formatNumber(value, { locale, digits })))).toBe(value)
      for (const value of [0.225, -12.5, 1234.5, 100]) expect(Number(plainNumber(formatDecimal(value)))).toBe(value)
    },
  )
})

it('a whole number is read in the digits of the script', () => {
  choose('fa')
  expect(wholeNumber('۱۲۳۴', TEAM)).toBe(1234)
  expect(wholeNumberError('۱۲۳۴', TEAM)).toBeUndefined()
  expect(wholeNumberError('۱۲٫۵', TEAM)).toBe('Enter a whole number')
})

it('only some locales have digits of their own', () => {
  expect(hasOwnDigits()).toBe(false)
  choose('fa')
  expect(hasOwnDigits()).toBe(true)
})

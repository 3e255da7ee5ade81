import { readdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { LOCALES, matchLocale, SOURCE_LOCALE } from './locales.ts'

const offered = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'sv', 'ru', 'zh-Hans', 'ja', 'ko', 'fa']

test.each<[readonly string[], string]>([
  [['de'], 'de'],
  [['de-AT', 'en'], 'de'],
  [['DE-ch'], 'de'],
  [['fr-CA', 'en-CA'], 'fr'],
  [['en-GB', 'de'], 'en'],
  [['es-419'], 'es'],
  [['zh'], 'zh-Hans'],
  [['zh-CN'], 'zh-Hans'],
  [['zh-SG', 'en'], 'zh-Hans'],
  [['zh-Hans-HK'], 'zh-Hans'],
  [['zh-TW'], 'zh-Hans'],
  [['zh-Hant', 'ja'], 'ja'],
  [['zh-HK', 'en-HK'], 'en'],
  [['pt'], 'pt-BR'],
  [['pt-PT', 'en'], 'pt-BR'],
  [['pt-br'], 'pt-BR'],
  [['fa-AF'], 'fa'],
  [['sw', 'ko-KR'], 'ko'],
  [['bg', 'fi'], 'en'],
  [['not a tag', '', 'nl-BE'], 'nl'],
  [[], 'en'],
])('who wants %s gets %s', (wanted, expected) => {
  expect(matchLocale(wanted, offered)).toBe(expected)
})

test('the region decides where several are offered', () => {
  expect(matchLocale(['pt-PT'], ['en', 'pt-BR', 'pt-PT'])).toBe('pt-PT')
  expect(matchLocale(['pt-BR'], ['en', 'pt-PT', 'pt-BR'])).toBe('pt-BR')
})

test('each language but English has its file, and each file is offered', () => {
  const files = readdirSync('src/locales').filter(name => name.endsWith('.po'))
  expect(LOCALES.map(({ code }) => `${code}.po`).sort()).toEqual(files.sort())
  expect(LOCALES[0]?.code).toBe(SOURCE_LOCALE)
})

test('the direction of each language is that of its script', () => {
  const ofRightToLeft = ['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm']
  for (const { code, direction } of LOCALES)
    expect(direction === 'rtl', code).toBe(ofRightToLeft.includes(new Intl.Locale(code).maximize().script ?? ''))
})

test('no table of the browser is asked where the texts say enough', () => {
  const maximize = vi.spyOn(Intl.Locale.prototype, 'maximize')
  expect(matchLocale(['en-US', 'de'], offered)).toBe('en')
  expect(matchLocale(['de-AT'], offered)).toBe('de')
  expect(matchLocale(['ja'], offered)).toBe('ja')
  expect(maximize).not.toHaveBeenCalled()
  expect(matchLocale(['de-Cyrl', 'fr'], offered)).toBe('fr')
  maximize.mockRestore()
})

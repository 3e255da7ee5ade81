import { i18n } from '@lingui/core'
import { Hono, type Context } from 'hono'
import { describe, expect, it, test } from 'vitest'
import { kindEntry } from '../../src/folding/incidents/incident-kinds.ts'
import { INCIDENT_KINDS } from '../../src/folding/incidents/incident.ts'
import { formatNumber } from '../../src/folding/text/format.ts'
import { plainAnswer } from '../../src/folding/unit/known-answers.ts'
import { inReadersLanguage, loginPage } from './http/form-pages.ts'
import { inLanguage, languageOf, loadLanguage } from './locale.ts'

/** What a handler answers to a request with this header. */
async function answer(
  accepted: string | undefined,
  write: (context: Context) => string | Promise<string>,
): Promise<string> {
  const app = new Hono().get('/', async context => context.text(await write(context)))
  const response = await app.request('/', {
    headers: accepted === undefined ? {} : { 'Accept-Language': accepted },
  })
  return response.text()
}

describe('the language of a reader', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['fr', 'fr'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr'],
    ['en;q=0.5, fr;q=0.7', 'fr'],
    ['fr;q=0, en', 'en'],
    ['bg, xx;q=zz, fr ; q=0.1', 'fr'],
    ['fr"><script>', 'en'],
    [`${'xx,'.repeat(30)}fr`, 'en'],
  ])('%s is %s', async (accepted, expected) => {
    expect(await answer(accepted, languageOf)).toBe(expected)
  })
})

test('texts of incidents are written in the active language, one after another', async () => {
  await loadLanguage('fr')
  const write = (): readonly string[] => [
    ...INCIDENT_KINDS.map(kind => kindEntry(kind).title),
    plainAnswer('HTTP_SERVICE_UNAVAILABLE'),
    plainAnswer('core returned 0xc0000005'),
    formatNumber(1234.5, { digits: 1 }),
  ]
  const english = write()
  const french = inLanguage('fr', write)
  expect(french.filter((text, at) => text === english[at])).toEqual([])
  expect(write()).toEqual(english)
  expect(() =>
    inLanguage('fr', () => {
      throw new Error('no text')
    }),
  ).toThrow('no text')
  expect(i18n.locale).toBe('en')
})

test('a form follows its reader', async () => {
  const page = (accepted: string) =>
    answer(accepted, context => inReadersLanguage(context, () => loginPage('/', 'wrong')))
  expect(await page('fr')).toMatch(/^<!doctype html><html lang="fr" dir="ltr">[^]*<label\s*>Nom<input/)
  expect(await page('xx')).toMatch(/^<!doctype html><html lang="en" dir="ltr">[^]*<label\s*>Name<input/)
})

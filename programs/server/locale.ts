import { i18n, type Messages } from '@lingui/core'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { LOCALES, matchLocale, SOURCE_LOCALE } from '../../src/folding/text/locales.ts'

/* Module constants of src/folding hold texts, so the server imports this file before all others. */
i18n.loadAndActivate({ locale: SOURCE_LOCALE, messages: {} })

const LANGUAGES = LOCALES.map(({ code }) => code)

const catalogs = import.meta.glob<{ readonly texts: Messages }>(['../../src/locales/*.po', '!../../src/locales/en.po'])
const loaded = new Set([SOURCE_LOCALE])

/** Loads the texts of a language once. Without them its messages are in English. */
export async function loadLanguage(language: string): Promise<void> {
  const load = catalogs[`../../src/locales/${language}.po`]
  if (load === undefined || loaded.has(language)) return
  const { texts } = await load()
  i18n.load(language, texts)
  loaded.add(language)
}

/** What `write` returns in a language that was loaded. It must not wait for anything: all else is in English. */
export function inLanguage<Result>(language: string, write: () => Result): Result {
  if (language === SOURCE_LOCALE || !loaded.has(language)) return write()
  i18n.activate(language, language)
  try {
    return write()
  } finally {
    i18n.activate(SOURCE_LOCALE)
  }
}

const MOST_WANTED = 20

/** The language of the reader that sent a request. */
export function languageOf(context: Context): string {
  return accepts(context, {
    header: 'Accept-Language',
    supports: LANGUAGES,
    default: SOURCE_LOCALE,
    match: wanted =>
      matchLocale(
        wanted
          .filter(({ q }) => q > 0)
          .slice(0, MOST_WANTED)
          .map(({ type }) => type),
        LANGUAGES,
      ),
  })
}

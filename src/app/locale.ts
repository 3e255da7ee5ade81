import { i18n, type I18n, type MessageDescriptor, type MessageOptions } from '@lingui/core'

/** The language that the sources are written in: its texts are part of the code, so there is no catalog to load. */
const SOURCE = 'en'

/** A language that no person speaks, for tests: English, accented and longer. */
const PSEUDO = 'pseudo'

/** How much longer than English a translation may be. */
const GROWTH = 0.4

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' }

/** A text as long as a translation may be, still readable, and in brackets so that a cut end is seen. Tags stay as they are. */
const lengthenText = (text: string): string => {
  const shown = text.replaceAll(/<[^>]*>/g, '')
  if (!/\p{L}/u.test(shown)) return text
  const changed = text.replaceAll(/<[^>]*>|[aeioucn]/g, found => accents[found] ?? found)
  return `[${changed}${'·'.repeat(Math.ceil(shown.length * GROWTH))}]`
}

const lengthenTexts = (texts: I18n): void => {
  const translate = texts._.bind(texts)
  function lengthened(
    message: string | MessageDescriptor,
    values?: Record<string, unknown>,
    options?: MessageOptions,
  ): string {
    return lengthenText(typeof message === 'string' ? translate(message, values, options) : translate(message))
  }
  texts._ = lengthened
}

/**
 * Chooses language and locale. Another choice loads the page again. Numbers and dates follow the browser's own region
 * where it speaks the chosen language.
 *
 * @param wanted the browser's languages, best first: BCP 47 tags
 * @param query the page's query; `locale=pseudo` shows lengthened texts
 */
const activateLocale = (wanted: readonly string[], query: string): void => {
  const regional = wanted.filter(tag => tag.split('-')[0] === SOURCE)
  i18n.loadAndActivate({ locale: SOURCE, locales: regional.length > 0 ? regional : [SOURCE], messages: {} })
  if (new URLSearchParams(query).get('locale') === PSEUDO) lengthenTexts(i18n)
}

// Constants of modules hold texts: whoever shows a text imports this file before all others.
activateLocale(navigator.languages, location.search)

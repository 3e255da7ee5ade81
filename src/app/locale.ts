import { i18n, type I18n, type MessageDescriptor, type MessageOptions } from '@lingui/core'
import { isolateValues, isRightToLeft } from '../folding/shared/direction.ts'

/** The language of the sources, whose texts are part of the code: it has no catalog to load. */
const SOURCE = 'en'

/** A locale for tests: English with accents, and longer. */
const PSEUDO = 'pseudo'

/** The same from right to left, with the numbers and dates of this locale. */
const MIRRORED = { name: 'pseudo-rtl', formats: 'fa' }

/** How much longer than English a translation may be, as a fraction. */
const GROWTH = 0.4

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' }

/** The text with accents, lengthened, and in brackets that show a truncated end. Tags are unchanged. */
const lengthenText = (text: string): string => {
  const shown = text.replaceAll(/<[^>]*>/g, '')
  if (!/\p{L}/u.test(shown)) return text
  const changed = text.replaceAll(/<[^>]*>|\u2068[^\u2069]*\u2069|[aeioucn]/g, found => accents[found] ?? found)
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
 * Sets language and locale. Changing them reloads the page. Numbers and dates follow the browser's region if its
 * language is the chosen one.
 *
 * @param wanted the browser's languages, best first: BCP 47 tags
 * @param query the page's query; `locale=pseudo` shows lengthened texts, `pseudo-rtl` from right to left
 */
const activateLocale = (wanted: readonly string[], query: string): void => {
  const chosen = new URLSearchParams(query).get('locale')
  const regional = chosen === MIRRORED.name ? [MIRRORED.formats] : wanted.filter(tag => tag.split('-')[0] === SOURCE)
  i18n.loadAndActivate({ locale: SOURCE, locales: regional.length > 0 ? regional : [SOURCE], messages: {} })
  if (chosen === PSEUDO || chosen === MIRRORED.name) lengthenTexts(i18n)
  if (!isRightToLeft()) return
  isolateValues(i18n)
  if ('document' in globalThis) document.documentElement.dir = 'rtl'
  Object.assign(globalThis, { [Symbol.for('react-aria.i18n.locale')]: MIRRORED.formats })
}

// Module constants hold texts, so entry points import this file before all others.
activateLocale(navigator.languages, location.search)

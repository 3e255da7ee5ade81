import { i18n, type I18n, type MessageDescriptor, type MessageOptions } from '@lingui/core'
import { isolateValues } from '../folding/text/direction.ts'
import { isReadable, SOURCE_LOCALE } from '../folding/text/locales.ts'
import { addTexts, keepTexts, LONGEST_WAIT, type TextFile } from '../loading/texts.ts'
import { withTimeout } from '../loading/with-timeout.ts'

/** A locale for tests: English with accents, and longer. */
const PSEUDO = 'pseudo'

/** The same from right to left, with the numbers and dates of this locale. */
const MIRRORED = { name: 'pseudo-rtl', formats: 'fa' }

/** How much longer than English a translation may be, as a fraction. */
const GROWTH = 0.4

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' }

/** The text with accents, lengthened, and in brackets that show a truncated end. Tags are unchanged. */
function lengthenText(text: string): string {
  const shown = text.replaceAll(/<[^>]*>/g, '')
  if (!/\p{L}/u.test(shown)) return text
  const changed = text.replaceAll(/<[^>]*>|\u2068[^\u2069]*\u2069|[aeioucn]/g, found => accents[found] ?? found)
  return `[${changed}${'·'.repeat(Math.ceil(shown.length * GROWTH))}]`
}

function lengthenTexts(texts: I18n): void {
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

/** React Aria’s own settings: the locale of its numbers and directions, and its texts by package. */
function setAria(locale: string, texts: TextFile['aria']): void {
  Object.assign(window, { [Symbol.for('react-aria.i18n.locale')]: locale })
  if (texts !== undefined) Object.assign(window, { [Symbol.for('react-aria.i18n.strings')]: texts })
}

/**
 * Sets the language that src/app/start.ts chose, with its texts. Changing it reloads the page. Numbers and dates follow the
 * browser's region if its language is the chosen one.
 */
async function activateLocale(
  root: HTMLElement,
  started: Promise<TextFile | undefined> | undefined,
  wanted: readonly string[],
  asked: string | null,
): Promise<void> {
  const late = (): Error => new Error('The texts did not come in time.')
  const texts =
    started === undefined ? undefined : await withTimeout(started, LONGEST_WAIT, late).catch(() => undefined)
  if (root.lang !== SOURCE_LOCALE && texts === undefined) {
    root.lang = SOURCE_LOCALE
    root.dir = 'ltr'
  }
  const locale = root.lang
  const locales =
    asked === MIRRORED.name ? [MIRRORED.formats] : [...wanted.filter(tag => isReadable(tag, locale)), locale]
  i18n.loadAndActivate({ locale, locales, messages: {} })
  if (texts !== undefined) {
    addTexts(locale, texts)
    keepTexts(navigator, locale)
  }
  setAria(locales[0] ?? locale, texts?.aria)
  if (asked === PSEUDO || asked === MIRRORED.name) lengthenTexts(i18n)
  if (root.dir === 'rtl') isolateValues(i18n)
}

const { foldboardTexts } = window as { readonly foldboardTexts?: Promise<TextFile | undefined> }

// Module constants hold texts, so entry points import this file before all others.
await activateLocale(
  document.documentElement,
  foldboardTexts,
  navigator.languages,
  new URLSearchParams(location.search).get('locale'),
)

import { LOCALES, matchLocale, SOURCE_LOCALE } from '../folding/shared/locales.ts'
import { textsAddress } from '../loading/texts-address.ts'

/*
 * Built as start.js, a script that runs before the first paint, so that the page does not appear in another theme or
 * language first. The app reads the same preferences, with all checks, in src/actors/storage.ts.
 */

/** Locales for tests: English with accents, and longer. One is laid out from right to left. */
const PSEUDO: Readonly<Record<string, string>> = { pseudo: 'ltr', 'pseudo-rtl': 'rtl' }

const root = document.documentElement
const asked = new URLSearchParams(location.search).get('locale') ?? ''

type Stored = Readonly<Partial<Record<'theme' | 'compact' | 'wide' | 'language', unknown>>>

function readStored(): Stored {
  try {
    return (JSON.parse(localStorage.getItem('foldboard.preferences') ?? '{}') as Stored | null) ?? {}
  } catch {
    // Storage is forbidden or damaged: the defaults remain.
    return {}
  }
}

const { theme, compact, wide, language } = readStored()
if (theme === 'dark' || theme === 'light') root.dataset['theme'] = theme
if (compact === true) root.dataset['density'] = 'compact'
if (wide === true) root.dataset['wide'] = 'true'

const codes = LOCALES.map(({ code }) => code)
const code = Object.hasOwn(PSEUDO, asked)
  ? SOURCE_LOCALE
  : (codes.find(other => other === asked) ??
    codes.find(other => other === language) ??
    matchLocale(navigator.languages, codes))
root.lang = code
root.dir = PSEUDO[asked] ?? LOCALES.find(other => other.code === code)?.direction ?? 'ltr'
if (code !== SOURCE_LOCALE) {
  const version = document.currentScript?.dataset['texts'] ?? ''
  // Fetched together with the code, which waits for it.
  Object.assign(window, {
    foldboardTexts: import(/* @vite-ignore */ textsAddress(code, 'first', version)).catch(() => undefined),
  })
}

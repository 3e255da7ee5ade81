import { SESSION } from '../actors/account/stored-session.ts'
import { LOCALES, matchLocale, SOURCE_LOCALE } from '../folding/text/locales.ts'
import { textsAddress } from '../loading/texts-address.ts'
import { workerName } from './early-url.ts'
import { withNetwork } from './edges.ts'
import { beginWire } from './early-wire.ts'
import { holdPress } from '../ui/shell/early-press.ts'
import { isWithin } from '../ui/shell/section.ts'
import { shellIn, type ShellTexts } from './shell-texts.ts'
import { readDirectAddresses, settingReader } from './setting-sources.ts'

/*
 * Built as start.js, a script that runs before the first paint, so that the page does not appear in another theme or
 * language first. The app reads the same preferences, with all checks, in src/actors/storage/storage.ts.
 */

/** What the build wrote at the script: the versions of what it refers to. None in development. */
const { texts: textsVersion = '', wire } = document.currentScript?.dataset ?? {}

if (wire !== undefined)
  beginWire(
    url => withNetwork(new Worker(wire, { type: 'module', name: workerName(url) })),
    readDirectAddresses(settingReader(document, import.meta.env), location)[0]?.address,
  )

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
  // Fetched together with the code, which waits for it.
  const address = import.meta.env.BASE_URL + textsAddress(code, 'first', textsVersion)
  Object.assign(window, {
    foldboardTexts: import(/* @vite-ignore */ address).catch(() => undefined),
  })
}

/** Null in development, which does not wait for code. */
const shell = import.meta.env['FOLDBOARD_SHELL'] as ShellTexts | null

/** Whether the app will look for a session; otherwise its first render has the Login button. */
function hasSession(): boolean {
  try {
    return localStorage.getItem(SESSION) !== null
  } catch {
    // Storage is forbidden: nobody stays signed in.
    return false
  }
}

/** The header and the main menu, until the app renders them. Their links work: they load the page. */
function showShell(texts: ShellTexts, place: HTMLElement): void {
  place.innerHTML = shellIn(texts, code, hasSession())
  const within = ({ pathname }: { readonly pathname: string }): string =>
    pathname.replace(import.meta.env.BASE_URL, '/')
  for (const link of place.querySelectorAll<HTMLAnchorElement>('nav a'))
    if (isWithin(within(link), within(location))) link.setAttribute('aria-current', 'page')
  holdPress(place)
}

const place = document.getElementById('root')
// Pseudo locales are texts that only the app makes.
if (shell !== null && place !== null && !Object.hasOwn(PSEUDO, asked)) showShell(shell, place)

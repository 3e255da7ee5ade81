export type Locale = {
  /** BCP 47 tag, also the name of its file in src/locales. */
  readonly code: string
  /** In the language itself. */
  readonly name: string
  readonly direction?: 'rtl'
}

/** The language of the sources, whose texts are part of the code. */
export const SOURCE_LOCALE = 'en'

/** Languages that can be chosen. Each but English needs its file in src/locales. */
export const LOCALES: readonly Locale[] = [
  { code: SOURCE_LOCALE, name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
  { code: 'it', name: 'Italiano' },
  { code: 'nl', name: 'Nederlands' },
  { code: 'pl', name: 'Polski' },
  { code: 'pt-BR', name: 'Português (Brasil)' },
  { code: 'sv', name: 'Svenska' },
  { code: 'ru', name: 'Русский' },
  { code: 'fa', name: 'فارسی', direction: 'rtl' },
  { code: 'zh-Hans', name: '简体中文' },
  { code: 'ja', name: '日本語' },
  { code: 'ko', name: '한국어' },
]

/**
 * Whether a reader of the first tag reads the second, as far as the texts say it: `de-AT` and `de`. Without the browser's table
 * of languages, whose first use takes 16 ms.
 */
function isWrittenAs(tag: string, code: string): boolean {
  const [wanted, offered] = [tag.toLowerCase(), code.toLowerCase()]
  return wanted === offered || (LATIN.has(offered) && new RegExp(`^${offered}-(?:[a-z]{2}|\\d{3})$`).test(wanted))
}

/** Languages that every region writes in the same script. */
const LATIN: ReadonlySet<string> = new Set(['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'sv'])

function maximized(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return undefined
  }
}

function isSameLanguage(a: string, b: string): boolean {
  const language = maximized(a)?.language
  return language !== undefined && language === maximized(b)?.language
}

/** Whether a reader of one reads the other: the same language in the same script, as of zh-SG and zh-Hans. */
export function isReadable(a: string, b: string): boolean {
  return isWrittenAs(a, b) || (isSameLanguage(a, b) && maximized(a)?.script === maximized(b)?.script)
}

/**
 * The language for a reader. Regions are ignored where only one is offered: pt-PT gets pt-BR. Another script is better than
 * English only when no other wanted language is there: zh-TW gets zh-Hans.
 *
 * @param wanted BCP 47 tags, best first
 */
export function matchLocale(wanted: readonly string[], offered: readonly string[]): string {
  for (const is of [isReadable, isSameLanguage])
    for (const tag of wanted) {
      const found =
        offered.find(code => code.toLowerCase() === tag.toLowerCase()) ??
        offered.find(code => isWrittenAs(tag, code)) ??
        offered.find(code => is(tag, code))
      if (found !== undefined) return found
    }
  return SOURCE_LOCALE
}

import { i18n } from '@lingui/core'
import { SOURCE_LOCALE } from '../folding/text/locales.ts'
import { textsAddress } from './texts-address.ts'
import { withTimeout } from './with-timeout.ts'

/*
 * Texts in other languages than English are in files of their own, which scripts/vite/texts.ts writes: `first` has those of the first
 * picture, `soon` those of code that is fetched shortly after it, `rest` all others. The build puts `withTexts` around each
 * `import()` of code that shows texts of the last two.
 */

type Message = NonNullable<Parameters<typeof i18n.load>[1]>[string]

/** Ids count from 0; a number says how many of them are left out before the next text. */
export type TextFile = {
  readonly default: readonly (number | string | Message)[]
  /** Texts of React Aria, by its packages. */
  readonly aria?: Readonly<Record<string, unknown>>
}

/** Milliseconds after which English is shown instead. */
export const LONGEST_WAIT = 10_000

/** Where the build wrote which version of the texts it has. */
function textsVersion(): string {
  return document.querySelector<HTMLScriptElement>('script[data-texts]')?.dataset['texts'] ?? ''
}

export function addTexts(locale: string, { default: entries }: TextFile): void {
  const messages: Record<string, Message> = {}
  let id = 0
  for (const entry of entries)
    if (typeof entry === 'number') id += entry
    else messages[(id++).toString(36)] = typeof entry === 'string' ? [entry] : entry
  i18n.load(locale, messages)
}

async function importTexts(locale: string, group: string): Promise<void> {
  const address = `${import.meta.env.BASE_URL}${textsAddress(locale, group, textsVersion())}`
  const load = (url: string): Promise<TextFile> =>
    withTimeout(import(/* @vite-ignore */ url) as Promise<TextFile>, LONGEST_WAIT, () => new Error('too slow'))
  // Browsers may cache the failure of an address.
  addTexts(locale, await load(address).catch(() => load(`${address}?again`)))
}

const loads = new Map<string, Promise<void>>()

/** Texts that do not come are in English; the next part that needs them asks for them again. */
function loadTexts(locale: string, group: string): Promise<void> {
  const started =
    loads.get(group) ??
    importTexts(locale, group).catch(() => {
      loads.delete(group)
    })
  loads.set(group, started)
  return started
}

/**
 * Loads code after the texts of its groups, since texts of module constants are read when the code runs.
 *
 * @public The build writes the calls.
 */
export async function withTexts<Module>(groups: readonly string[], load: () => Promise<Module>): Promise<Module> {
  if (i18n.locale !== SOURCE_LOCALE) await Promise.all(groups.map(group => loadTexts(i18n.locale, group)))
  return load()
}

/** When a service worker begins to answer for the page, it stores the texts of the language that the page asks for. */
export function keepTexts({ serviceWorker }: Partial<Navigator>, locale: string): void {
  return serviceWorker?.addEventListener('controllerchange', () => {
    fetch(`${import.meta.env.BASE_URL}${textsAddress(locale, 'first', textsVersion())}`).catch(() => undefined)
  })
}

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { i18n } from '@lingui/core'
import { build, type CSSModulesOptions } from 'vite'
import { LOCALES, SOURCE_LOCALE } from '../../src/folding/text/locales.ts'
import { shellKey, type ShellTexts } from '../../src/app/shell-texts.ts'
import { compiled, readCatalog } from './catalogs.ts'
import { messages } from './messages.ts'

const FOLDER = resolve(import.meta.dirname, '../../node_modules/.cache/foldboard')

/** Before and after each tag. */
const BETWEEN_PARTS = /(?=<)|(?<=>)/

/** Renders src/app/shell-picture.tsx in each language. */
export async function renderShell(modules: CSSModulesOptions): Promise<ShellTexts> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [messages()],
    css: { modules },
    build: {
      ssr: resolve(import.meta.dirname, '../../src/app/shell-picture.tsx'),
      outDir: FOLDER,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'shell-picture.mjs' } },
    },
  })
  const partsIn = async (locale: string, hasSession: boolean): Promise<readonly string[]> => {
    const texts = [...(await readCatalog(locale))].map(([id, { translation }]) => [id, compiled(translation)] as const)
    i18n.loadAndActivate({
      locale,
      messages:
        locale === SOURCE_LOCALE
          ? {}
          : Object.fromEntries(texts.flatMap(([id, text]) => (text === '' ? [] : [[id, [text].flat()]]))),
    })
    // Texts of module constants are read when the code runs: once a language.
    const address = `${pathToFileURL(resolve(FOLDER, 'shell-picture.mjs')).href}?${locale}-${Date.now()}`
    const { shellPicture } = (await import(address)) as { readonly shellPicture: (hasSession: boolean) => string }
    return shellPicture(hasSession).split(BETWEEN_PARTS)
  }
  const parts = await partsIn(SOURCE_LOCALE, false)
  const others: Record<string, Record<number, string>> = {}
  for (const { code } of LOCALES) {
    let before = parts
    for (const hasSession of [false, true]) {
      const localeParts = await partsIn(code, hasSession)
      if (localeParts.length !== parts.length)
        throw new Error(`The shell in ${code} has other elements than in English.`)
      const previousParts = before
      others[shellKey(code, hasSession)] = Object.fromEntries(
        [...localeParts.entries()].filter(([at, part]) => part !== previousParts[at]),
      )
      before = localeParts
    }
  }
  return { parts, others }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { SOURCE_LOCALE } from '../../src/folding/text/locales.ts'

type Catalog = Awaited<ReturnType<ReturnType<typeof formatter>['parse']>>

/** Folders whose messages are in src/locales. */
export const SOURCES = ['src', 'programs/server', 'programs/demo']

type CompiledMessage = ReturnType<typeof compileMessage>

/** A message of a file in src/locales. */
export type Entry = { readonly message: string; readonly translation: string }

const po = formatter({ origins: false })

const FOLDER = resolve(import.meta.dirname, '../../src/locales')

function fileOf(locale: string, folder: string): string {
  return resolve(folder, `${locale}.po`)
}

async function parse(locale: string, folder: string): Promise<Catalog> {
  const filename = fileOf(locale, folder)
  return existsSync(filename)
    ? await po.parse(readFileSync(filename, 'utf8'), { locale, sourceLocale: SOURCE_LOCALE, filename })
    : {}
}

/** The messages of a file in src/locales, by their ids as Lingui computes them. */
export async function readCatalog(locale: string, folder = FOLDER): Promise<ReadonlyMap<string, Entry>> {
  return new Map(
    Object.entries(await parse(locale, folder)).map(([id, entry]) => [
      id,
      { message: entry.message ?? '', translation: entry.translation },
    ]),
  )
}

/** Writes one translation into its file; for a message that the file does not have, with all that the source knows of it. */
export async function writeTranslation(
  locale: string,
  id: string,
  translation: string,
  folder = FOLDER,
): Promise<void> {
  const [source, catalog] = [await parse(SOURCE_LOCALE, folder), await parse(locale, folder)]
  const entry = catalog[id] ?? source[id]
  if (entry === undefined) return
  const filename = fileOf(locale, folder)
  const existing = existsSync(filename) ? readFileSync(filename, 'utf8') : null
  const text = await po.serialize(
    { ...catalog, [id]: { ...entry, translation } },
    { locale, sourceLocale: SOURCE_LOCALE, filename, existing },
  )
  writeFileSync(filename, text)
}

/** A text without placeholders is the text itself. */
export function compiled(text: string): string | CompiledMessage {
  const tokens = compileMessage(text)
  return tokens.length === 1 && typeof tokens[0] === 'string' ? tokens[0] : tokens
}

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatter } from '@lingui/format-po'
import { compileMessage } from '@lingui/message-utils/compileMessage'

type CompiledMessage = ReturnType<typeof compileMessage>

/** A message of a file in src/locales, with the places where it is used. */
export type Entry = { readonly message: string; readonly translation: string; readonly places: readonly string[] }

const po = formatter()

/** The messages of src/locales, by their ids as Lingui computes them. */
export const readCatalog = async (locale: string): Promise<ReadonlyMap<string, Entry>> => {
  const filename = resolve(import.meta.dirname, `src/locales/${locale}.po`)
  if (!existsSync(filename)) return new Map()
  const catalog = await po.parse(readFileSync(filename, 'utf8'), {
    locale,
    sourceLocale: 'en',
    filename,
  })
  return new Map(
    Object.entries(catalog).map(([id, entry]) => [
      id,
      {
        message: entry.message ?? '',
        translation: entry.translation,
        places: (entry.origin ?? []).map(([file]) => file),
      },
    ]),
  )
}

/** A text without placeholders is the text itself. */
export const compiled = (text: string): string | CompiledMessage => {
  const tokens = compileMessage(text)
  return tokens.length === 1 && typeof tokens[0] === 'string' ? tokens[0] : tokens
}

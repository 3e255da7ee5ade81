import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Plugin } from 'vite'
import { translationFaults } from '../translation-faults.ts'
import { LOCALES, SOURCE_LOCALE } from '../../src/folding/shared/locales.ts'
import { readCatalog, writeTranslation } from './catalogs.ts'

const LONGEST = 10_000

type Answer = { readonly status: number; readonly body: unknown }

async function read(locale: string): Promise<Answer> {
  const catalog = await readCatalog(locale)
  const entries = [...(await readCatalog(SOURCE_LOCALE))].map(([id, { message, places }]) => ({
    id,
    message,
    translation: catalog.get(id)?.translation ?? '',
    places,
  }))
  entries.sort((a, b) => ((a.places[0] ?? '') < (b.places[0] ?? '') ? -1 : 1))
  return { status: 200, body: entries }
}

async function write(locale: string, given: unknown): Promise<Answer> {
  const { id, translation } = (given ?? {}) as { readonly id?: unknown; readonly translation?: unknown }
  const entry = typeof id === 'string' ? (await readCatalog(SOURCE_LOCALE)).get(id) : undefined
  if (typeof id !== 'string' || typeof translation !== 'string' || entry === undefined || translation.length > LONGEST)
    return { status: 400, body: {} }
  const faults = translation === '' ? [] : translationFaults(locale, entry.message, translation)
  if (faults.length === 0) await writeTranslation(locale, id, translation)
  return { status: 200, body: { faults } }
}

async function answer(locale: string, request: IncomingMessage): Promise<Answer> {
  if (request.method !== 'POST') return read(locale)
  // Other sites must not write files.
  if (request.headers['sec-fetch-site'] !== 'same-origin') return { status: 403, body: {} }
  return write(locale, await json(request))
}

/** The development server reads and writes translations for src/ui/translate. */
export function translate(): Plugin {
  return {
    name: 'translate',
    apply: 'serve',
    configureServer: server => {
      server.middlewares.use('/translations', (request, response, next) => {
        const locale = LOCALES.find(({ code }) => `/${code}` === request.url && code !== SOURCE_LOCALE)?.code
        if (locale === undefined) {
          next()
          return
        }
        answer(locale, request).then(
          ({ status, body }) =>
            response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
          next,
        )
      })
    },
  }
}

import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import type { Plugin } from 'vite'
import { translationFaults } from '../translation-faults.ts'
import { LOCALES, SOURCE_LOCALE } from '../../src/folding/text/locales.ts'
import { readCatalog, writeTranslation } from './catalogs.ts'

const LONGEST = 10_000

type Answer = { readonly status: number; readonly body: unknown }

/** The files that use each message, by its id. */
type Places = ReadonlyMap<string, readonly string[]>

/** Reads all sources, which takes half a minute. */
async function findPlaces(): Promise<Places> {
  const catalogs = await getCatalogs(getConfig())
  const collected = await Promise.all(catalogs.map(catalog => catalog.collect({})))
  return new Map(
    collected.flatMap(messages =>
      Object.entries(messages ?? {}).map(([id, { origin = [] }]) => [id, [...new Set(origin.map(([file]) => file))]]),
    ),
  )
}

async function read(locale: string, places: Places): Promise<Answer> {
  const catalog = await readCatalog(locale)
  const entries = [...(await readCatalog(SOURCE_LOCALE))].map(([id, { message }]) => ({
    id,
    message,
    translation: catalog.get(id)?.translation ?? '',
    places: places.get(id) ?? [],
  }))
  entries.sort((a, b) => ((a.places[0] ?? '') < (b.places[0] ?? '') ? -1 : 1))
  return { status: 200, body: entries }
}

async function write(locale: string, body: unknown): Promise<Answer> {
  const { id, translation } = (body ?? {}) as { readonly id?: unknown; readonly translation?: unknown }
  const entry = typeof id === 'string' ? (await readCatalog(SOURCE_LOCALE)).get(id) : undefined
  if (typeof id !== 'string' || typeof translation !== 'string' || entry === undefined || translation.length > LONGEST)
    return { status: 400, body: {} }
  const faults = translation === '' ? [] : translationFaults(locale, entry.message, translation)
  if (faults.length === 0) await writeTranslation(locale, id, translation)
  return { status: 200, body: { faults } }
}

async function answer(locale: string, request: IncomingMessage, places: () => Promise<Places>): Promise<Answer> {
  if (request.method !== 'POST') return read(locale, await places())
  // Other sites must not write files.
  if (request.headers['sec-fetch-site'] !== 'same-origin') return { status: 403, body: {} }
  return write(locale, await json(request))
}

/** The development server reads and writes translations for src/ui/translate. */
export function translate(find = findPlaces): Plugin {
  let places: Promise<Places> | undefined
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
        answer(locale, request, () => (places ??= find())).then(
          ({ status, body }) =>
            response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
          next,
        )
      })
    },
  }
}

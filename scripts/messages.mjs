/**
 * Collects the texts of the interface into the files in `src/locales`: `en.po` is the source, the others get what is new without
 * a translation, and lose what is not used any more. Prints how much of each language is there.
 * `--check` writes nothing, and fails when `en.po` is not up to date or a language is incomplete.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { importTypescript } from './run-typescript.mjs'

const root = resolve(import.meta.dirname, '..')

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map(name => join(root, folder, name))
    .filter(path => /\.tsx?$/.test(path) && !/\.test\.|[\\/]translate[\\/]/.test(path))
}

async function check() {
  const { SOURCE_LOCALE } = await importTypescript('src/folding/text/locales.ts')
  const { readCatalog, SOURCES } = await importTypescript('scripts/vite/catalogs.ts')
  const { messagesOf } = await importTypescript('scripts/vite/messages.ts')
  /** @type {Set<string>} */
  const used = new Set()
  for (const path of SOURCES.flatMap(sourcesIn)) for (const id of await messagesOf(path)) used.add(id)
  /** @type {ReadonlyMap<string, { message: string }>} */
  const known = await readCatalog(SOURCE_LOCALE)
  const isSame = used.size === known.size && [...used].every(id => known.has(id))
  if (isSame && used.size > 0) return
  console.error('src/locales/en.po does not hold the texts of the sources: run `npm run messages`.')
  for (const [id, { message }] of known) if (!used.has(id)) console.error(`Not used: ${message}`)
  process.exit(1)
}

function extract() {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/lingui'),
    // Each worker would load the compiler again.
    ['extract', '--clean', '--workers', '1'],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (status === 0) return
  console.error(stdout, stderr)
  process.exit(1)
}

if (process.argv.includes('--check')) await check()
else extract()
await import('./translations.mjs')

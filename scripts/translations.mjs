/**
 * Prints for each language how much of it is translated. `--check` fails when a text is missing, outdated or lost something
 * that it needs.
 */
import { importTypescript } from './run-typescript.mjs'

const isCheck = process.argv.includes('--check')
const { LOCALES, SOURCE_LOCALE } = await importTypescript('src/folding/text/locales.ts')
const { readCatalog } = await importTypescript('scripts/vite/catalogs.ts')
const { translationFaults } = await importTypescript('scripts/translation-faults.ts')

/** @typedef {{ message: string, translation: string }} Entry */
/** @type {ReadonlyMap<string, Entry>} */
const source = await readCatalog(SOURCE_LOCALE)
let problems = 0
for (const { code, name } of LOCALES) {
  if (code === SOURCE_LOCALE) continue
  /** @type {ReadonlyMap<string, Entry>} */
  const catalog = await readCatalog(code)
  const outdated = [...catalog.keys()].filter(id => !source.has(id)).length
  let missing = 0
  let malformed = 0
  for (const [id, { message }] of source) {
    const translation = catalog.get(id)?.translation ?? ''
    if (translation === '') {
      missing += 1
      continue
    }
    const faults = translationFaults(code, message, translation)
    if (faults.length > 0) malformed += 1
    for (const fault of faults) console.error(`${code}: ${fault}\n  ${message}\n  ${translation}`)
  }
  problems += missing + outdated + malformed
  const share = Math.floor((100 * (source.size - missing)) / source.size)
  const counts = `${missing} missing, ${outdated} outdated, ${malformed} malformed`
  console.log(`${code.padEnd(8)} ${String(share).padStart(3)} %  ${counts}  ${name}`)
}
if (isCheck && problems > 0) {
  console.error('Languages are incomplete: translate what `npm run messages` has added to their files in src/locales.')
  process.exit(1)
}

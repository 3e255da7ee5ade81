/**
 * Collects the texts of the interface into the files in `src/locales`: `en.po` is the source, the others get what is new without
 * a translation, and lose what is not used any more. Prints how much of each language is there.
 * `--check` writes nothing that stays, and fails when `en.po` was not up to date.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, 'src/locales')
const isCheck = process.argv.includes('--check')
function read() {
  return new Map(
    readdirSync(folder)
      .filter(name => name.endsWith('.po'))
      .map(name => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

const before = read()
const { status, stdout, stderr } = spawnSync(
  join(root, 'node_modules/.bin/lingui'),
  // Each worker would load the compiler again.
  ['extract', '--clean', '--workers', '1', ...(isCheck ? ['--locale', 'en'] : [])],
  { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
)
if (status !== 0) {
  console.error(stdout, stderr)
  process.exit(1)
}
const after = read()
if (isCheck) {
  for (const [name, text] of before) writeFileSync(join(folder, name), text)
  if (after.get('en.po') !== before.get('en.po')) {
    console.error('src/locales/en.po does not hold the texts of the sources: run `npm run messages`.')
    process.exit(1)
  }
}
const count = (after.get('en.po') ?? '').split('\nmsgid ').length - 2
if (count < 1) {
  console.error('No message was found.')
  process.exit(1)
}
console.log(`${count} messages`)
if (!isCheck) await import('./translations.mjs')

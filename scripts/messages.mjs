/**
 * Collects the texts of the interface into `src/locales/en.po`, which translators take as their source.
 * `--check` writes nothing that stays, and fails when the file was not up to date.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const catalog = join(root, 'src/locales/en.po')
const read = () => (existsSync(catalog) ? readFileSync(catalog, 'utf8') : '')

const before = read()
const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/lingui'), ['extract', '--clean'], {
  cwd: root,
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
if (status !== 0) {
  console.error(stdout, stderr)
  process.exit(1)
}
const after = read()
if (process.argv.includes('--check') && after !== before) {
  writeFileSync(catalog, before)
  console.error('src/locales/en.po does not hold the texts of the sources: run `npm run messages`.')
  process.exit(1)
}
const count = after.split('\nmsgid ').length - 2
if (count < 1) {
  console.error('No message was found.')
  process.exit(1)
}
console.log(`${count} messages`)

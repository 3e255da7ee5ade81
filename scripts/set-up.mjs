/**
 * Brings a fresh clone to where `npm start` and `npm test` can run. Needs nothing but Node and npm, does nothing
 * twice, and reports what to do when it cannot go on.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser, installBrowser } from './browser.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const notes = join(root, 'node_modules', '.foldboard')
const vite = join(root, 'node_modules/vite/bin/vite.js')
const builtFrom = [
  'src',
  'programs',
  'public',
  'index.html',
  'inspector.html',
  'vite.config.ts',
  'scripts/vite',
  'docs/guide',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
]

/** @param {string} message @returns {never} */
function giveUp(message) {
  console.error(`\nFoldboard could not be set up.\n${message}\n`)
  process.exit(1)
}

/** @param {string} name */
function readNote(name) {
  return existsSync(join(notes, name)) ? readFileSync(join(notes, name), 'utf8') : ''
}

/** @param {string} name @param {string} text */
function writeNote(name, text) {
  mkdirSync(notes, { recursive: true })
  writeFileSync(join(notes, name), text)
}

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesUnder(join(path, name)))
}

/** @param {string[]} paths @param {string} [settings] */
function hashOf(paths, settings = '') {
  const hash = createHash('sha256').update(settings)
  for (const path of paths.flatMap(name => filesUnder(join(root, name))))
    // A clone may be moved.
    hash.update(path.slice(root.length)).update(readFileSync(path))
  return hash.digest('hex')
}

/** Of what the pages are built from: the sources, and settings of the environment. */
function hashOfBuild() {
  const settings = Object.entries(process.env).filter(([name]) => /^(?:VITE_|FOLDBOARD_(?:COMMIT|SOURCE)$)/.test(name))
  return hashOf(builtFrom, JSON.stringify(settings.sort()))
}

/** Whether a note says that files were made of this, and they are there. @param {string} name @param {string} hash @param {string[]} files */
function isMade(name, hash, files) {
  return readNote(name) === hash && files.every(file => existsSync(join(root, file)))
}

/** With `--again`, what was built is built again. */
const isAgain = process.argv.includes('--again')

/** @param {string[]} words */
function npm(words) {
  const path = process.env['npm_execpath']
  const [command, first] = path === undefined ? ['npm', []] : [process.execPath, [path]]
  return spawnSync(command, [...first, ...words], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  })
}

/** Says what is done, and how long it took. @template Result @param {string} what @param {() => Result} run @returns {Result} */
function timed(what, run) {
  console.log(`${what} …`)
  const began = Date.now()
  const result = run()
  console.log(`  ${Math.round((Date.now() - began) / 1000)} s`)
  return result
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if ((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major > 22) return
  giveUp(
    `It needs Node.js 20 from 20.19, or 22.13 or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org/`,
  )
}

function install() {
  const hash = hashOf(['package.json', 'package-lock.json'])
  if (isMade('installed', hash, ['node_modules/vite/bin/vite.js'])) return
  const { status } = timed('Installing packages, once: some minutes on a slow line', () =>
    // Below `npm pack --dry-run` it would install nothing.
    npm(['ci', '--include=dev', '--dry-run=false', '--no-audit', '--no-fund', '--prefer-offline']),
  )
  if (status !== 0)
    giveUp(
      'The packages could not be installed (see above). Check the network or proxy (npm config get registry) and run the command again.',
    )
  writeNote('installed', hash)
}

async function build() {
  const hash = hashOfBuild()
  if (!isAgain && isMade('built', hash, ['dist/index.html', 'build/network.js', 'build/server.js'])) return
  writeNote('built', '')
  const programs = join(root, 'build')
  mkdirSync(programs, { recursive: true })
  // Folders there are made by others.
  for (const entry of readdirSync(programs, { withFileTypes: true }))
    if (entry.isFile()) rmSync(join(programs, entry.name))
  /** @param {string[]} words @returns {Promise<void>} */
  const run = words =>
    new Promise(done =>
      spawn(process.execPath, [vite, 'build', ...words, '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' }).on(
        'close',
        status => (status === 0 ? done() : giveUp('The build failed (see above).')),
      ),
    )
  console.log('Building the dashboard, its inspector, the network and the server …')
  const began = Date.now()
  await Promise.all([
    // The first one empties the folder of both.
    run([]).then(() => run(['--config', 'scripts/vite/inspector.config.ts'])),
    run(['--config', 'scripts/vite/programs.config.ts']),
  ])
  console.log(`  ${Math.round((Date.now() - began) / 1000)} s`)
  writeNote('built', hash)
}

/** The programs that `npm run simulate` and its tests run. */
function simulation() {
  const hash = hashOf(['src', 'programs', '../shared/cases', 'scripts/vite', 'package-lock.json'])
  if (isMade('simulation', hash, ['build/simulation/simulate.js'])) return
  console.log('Building the simulation …')
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-simulation.mjs')], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) giveUp('The build failed (see above).')
  writeNote('simulation', hash)
}

/** What `npm run build:demo` makes. */
function demo() {
  const hash = hashOfBuild()
  if (!isAgain && isMade('demo', hash, ['build/demo/index.html'])) return
  writeNote('demo', '')
  const { status } = timed('Building the demo', () =>
    spawnSync(process.execPath, [vite, 'build', '--config', 'scripts/vite/demo.config.ts', '--logLevel', 'error'], {
      cwd: root,
      stdio: 'inherit',
    }),
  )
  if (status !== 0) giveUp('The build failed (see above).')
  writeNote('demo', hash)
}

function browser() {
  const noted = readNote('browser')
  const path = findBrowser() ?? (existsSync(noted) ? noted : installBrowser())
  if (path === undefined)
    giveUp(
      'The tests need Chromium. Install it (Debian: apt-get install chromium) or name one: FOLDBOARD_BROWSER=/path/to/chromium npm test',
    )
  writeNote('browser', path)
}

checkNode()
install()
if (process.argv.includes('--build')) await build()
if (process.argv.includes('--simulation')) simulation()
if (process.argv.includes('--demo')) demo()
if (process.argv.includes('--browser')) browser()

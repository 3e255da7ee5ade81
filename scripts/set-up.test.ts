import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

/** Says which build it makes, and makes its files. */
const VITE = `
const { mkdirSync, writeFileSync } = require('node:fs')
const { dirname } = require('node:path')
const [, name = 'pages'] = /(\\w+)\\.config\\.ts/.exec(process.argv.join(' ')) ?? []
console.log('made', name)
if (process.env.BUILD_FAILS) process.exit(1)
const files = { pages: ['dist/index.html'], programs: ['build/network.js', 'build/server.js'], demo: ['build/demo/index.html'] }
for (const file of files[name] ?? []) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
}
`
/** As npm does, it installs nothing when it only says what it would do. */
const NPM = `
import { mkdirSync, writeFileSync } from 'node:fs'
console.log('made packages')
if (process.env.npm_config_dry_run && !process.argv.includes('--dry-run=false')) process.exit(0)
mkdirSync('node_modules/vite/bin', { recursive: true })
writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(VITE)})
`

let clone: string

function write(name: string, text: string): void {
  mkdirSync(dirname(join(clone, name)), { recursive: true })
  writeFileSync(join(clone, name), text)
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'foldboard-set-up-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  for (const name of ['set-up.mjs', 'browser.mjs'])
    cpSync(resolve(import.meta.dirname, name), join(clone, 'scripts', name))
  for (const name of ['package.json', 'package-lock.json']) write(name, '{}')
  for (const name of ['src/main.ts', 'docs/guide/README.md', 'CHANGELOG.md']) write(name, 'text')
  write('npm.mjs', NPM)
})

type Environment = Readonly<Record<string, string>>

function setUp(words: readonly string[], environment: Environment = {}) {
  return spawnSync(process.execPath, ['scripts/set-up.mjs', ...words], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: join(clone, 'npm.mjs'), ...environment },
  })
}

/** What it installed and built. */
function made(words: readonly string[], environment?: Environment): readonly string[] {
  return [...setUp(words, environment).stdout.matchAll(/^made (\w+)$/gm)].map(([, name = '']) => name).sort()
}

const ALL = ['inspector', 'pages', 'programs']

test('packages are installed once, again where they are missing, and also below a command that only says what it would do', () => {
  expect(made([], { npm_config_dry_run: 'true' })).toEqual(['packages'])
  expect(made([])).toEqual([])
  rmSync(join(clone, 'node_modules/vite'), { recursive: true })
  expect(made([])).toEqual(['packages'])
  expect(made([])).toEqual([])
})

test('the build is made once, and again when something has changed that is in it, or it is asked for', () => {
  expect(made(['--build', '--demo'])).toEqual(['demo', 'inspector', 'packages', 'pages', 'programs'])
  expect(made(['--build', '--demo'])).toEqual([])
  for (const name of ['src/main.ts', 'docs/guide/README.md', 'CHANGELOG.md']) {
    appendFileSync(join(clone, name), 'changed')
    expect(made(['--build']), name).toEqual(ALL)
  }
  expect(made(['--demo'])).toEqual(['demo'])
  const environment = { VITE_API_URL: 'https://private.example' }
  expect(made(['--build'], environment)).toEqual(ALL)
  expect(made(['--build'], environment)).toEqual([])
  expect(made(['--build'])).toEqual(ALL)
  expect(made(['--build', '--again'])).toEqual(ALL)
  expect(made(['--demo', '--again'])).toEqual(['demo'])
})

test('what is left of a build that failed counts for nothing', () => {
  made(['--build', '--demo'])
  write('src/main.ts', 'changed')
  expect(setUp(['--build'], { BUILD_FAILS: '1' }).status).toBe(1)
  expect(setUp(['--demo'], { BUILD_FAILS: '1' }).status).toBe(1)
  write('src/main.ts', 'text')
  expect(made(['--build', '--demo'])).toEqual(['demo', ...ALL])
})

test('a build takes away the programs of the one before, and leaves the demo and the release', () => {
  write('build/chunk-1.js', '')
  for (const name of ['build/demo/index.html', 'build/release/SHA256SUMS']) write(name, 'kept')
  setUp(['--build'])
  expect(existsSync(join(clone, 'build/chunk-1.js'))).toBe(false)
  for (const name of ['build/demo/index.html', 'build/release/SHA256SUMS'])
    expect(readFileSync(join(clone, name), 'utf8')).toBe('kept')
})

test.each([
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['24.1.0', true],
])('Node.js %s is accepted: %s', (version, isAccepted) => {
  const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const { status, stderr } = setUp([], {
    NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(versions)}"`,
  })
  expect(status).toBe(isAccepted ? 0 : 1)
  expect(stderr.includes(`It needs Node.js 20 from 20.19, or 22.13 or newer; this is ${version}.`)).toBe(!isAccepted)
})

test.each([
  'chromium-1200/chrome-linux/headless_shell',
  'chromium_headless_shell-1200/chrome-headless-shell-linux-arm64/chrome-headless-shell',
  'chromium_headless_shell-1200/chrome-headless-shell-mac-arm64/chrome-headless-shell',
  'chromium_headless_shell-1200/chrome-headless-shell-win64/chrome-headless-shell.exe',
])('the browser that Playwright installed is found at %s', path => {
  write(`browsers/${path}`, '')
  write(`browsers/${dirname(path)}/locales/en.pak`, '')
  setUp(['--browser'], { PLAYWRIGHT_BROWSERS_PATH: join(clone, 'browsers'), FOLDBOARD_BROWSER: '' })
  expect(readFileSync(join(clone, 'node_modules/.foldboard/browser'), 'utf8')).toBe(join(clone, 'browsers', path))
})

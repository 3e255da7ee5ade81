/** Finds the browser that the tests drive, or installs one. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

/** @typedef {{ onPath: string[], ofPlaywright: RegExp }} Kind */

/** Browsers without windows: tests in them take less time. @type {Kind} */
const shells = {
  onPath: ['chromium-headless-shell'],
  ofPlaywright: /^(?:headless_shell|chrome-headless-shell)(?:\.exe)?$/,
}
/** @type {Kind} */
const full = {
  onPath: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  ofPlaywright: /^(?:chrome(?:\.exe)?|Chromium|Google Chrome for Testing)$/,
}

/** @param {string[]} names @returns {string | undefined} */
function onPath(names) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)))
    .find(path => existsSync(path))
}

/** Where Playwright installs browsers, each below a name with its version and system. */
function folderOfPlaywright() {
  const { PLAYWRIGHT_BROWSERS_PATH, LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (PLAYWRIGHT_BROWSERS_PATH !== undefined) return PLAYWRIGHT_BROWSERS_PATH
  const home = homedir()
  if (process.platform === 'darwin') return join(home, 'Library/Caches/ms-playwright')
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData/Local'), 'ms-playwright')
  return join(XDG_CACHE_HOME || join(home, '.cache'), 'ms-playwright')
}

/** @param {RegExp} program @returns {string | undefined} */
function playwrightsOwn(program) {
  const folder = folderOfPlaywright()
  if (!existsSync(folder)) return undefined
  const found = readdirSync(folder)
    .filter(name => name.startsWith('chromium'))
    .sort()
    .reverse()
    .flatMap(name => readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
    .find(entry => entry.isFile() && program.test(entry.name))
  return found && join(found.parentPath, found.name)
}

/** @param {Kind} kind */
function find(kind) {
  return playwrightsOwn(kind.ofPlaywright) ?? onPath(kind.onPath)
}

/** The browser that the environment names, or a headless shell that is installed. @returns {string | undefined} */
export function findBrowser() {
  const named = process.env['FOLDBOARD_BROWSER']
  return named !== undefined && existsSync(named) ? named : find(shells)
}

/** @param {string} command @param {string[]} words */
function run(command, words) {
  return spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

/** @param {string[]} words */
function playwrightInstalls(words) {
  const program = resolve(import.meta.dirname, '../node_modules/playwright/cli.js')
  return run(process.execPath, [program, 'install', ...words])
}

/** Installs a headless shell; where that is not possible, takes a full browser that is installed, or installs one. @returns {string | undefined} */
export function installBrowser() {
  console.log('Installing a browser for the tests …')
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  const isRoot = process.getuid?.() === 0
  if (isRoot && run('apt-get', [...wait, 'update', '-qq'])) {
    const install = [...wait, 'install', '-y', '-qq', '--no-install-recommends']
    // Widths are checked with the fonts that it names as its defaults.
    if (run('apt-get', [...install, 'chromium-headless-shell', 'fonts-liberation'])) return find(shells)
  }
  if (playwrightInstalls([...(isRoot ? ['--with-deps'] : []), '--only-shell', 'chromium'])) return find(shells)
  const installed = find(full)
  if (installed !== undefined) return installed
  return playwrightInstalls(['--with-deps', 'chromium']) ? find(full) : undefined
}

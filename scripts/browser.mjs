/** Finds the browser that the tests drive, or installs one. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Browsers without windows: tests in them take less time. */
const shells = {
  onPath: ['chromium-headless-shell'],
  ofPlaywright: ['chrome-linux/headless_shell', 'chrome-headless-shell-linux64/chrome-headless-shell'],
}
const full = {
  onPath: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  ofPlaywright: ['chrome-linux/chrome', 'chrome-linux64/chrome'],
}

/** @param {string[]} names @returns {string | undefined} */
function onPath(names) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)))
    .find(path => existsSync(path))
}

/** @param {string[]} inside @returns {string | undefined} */
function playwrightsOwn(inside) {
  const folder = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .filter(name => name.startsWith('chromium'))
    .sort()
    .reverse()
    .flatMap(name => inside.map(path => join(folder, name, path)))
    .find(path => existsSync(path))
}

/** @param {{ onPath: string[], ofPlaywright: string[] }} kind */
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
  if (run('npx', ['playwright', 'install', ...(isRoot ? ['--with-deps'] : []), '--only-shell', 'chromium']))
    return find(shells)
  const installed = find(full)
  if (installed !== undefined) return installed
  return run('npx', ['playwright', 'install', '--with-deps', 'chromium']) ? find(full) : undefined
}

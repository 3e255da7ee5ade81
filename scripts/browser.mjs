/** Finds the browser that the tests drive, or installs one. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** @returns {string | undefined} */
function onPath() {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap(folder => names.map(name => join(folder, name)))
    .find(path => existsSync(path))
}

/** @returns {string | undefined} */
function playwrightsOwn() {
  const folder = process.env['PLAYWRIGHT_BROWSERS_PATH'] ?? join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(folder)) return undefined
  const inside = [
    'chrome-linux/headless_shell',
    'chrome-headless-shell-linux64/chrome-headless-shell',
    'chrome-linux/chrome',
    'chrome-linux64/chrome',
  ]
  return readdirSync(folder)
    .filter(name => name.startsWith('chromium'))
    .sort()
    .reverse()
    .flatMap(name => inside.map(path => join(folder, name, path)))
    .find(path => existsSync(path))
}

/** @returns {string | undefined} */
export function findBrowser() {
  const named = process.env['FOLDBOARD_BROWSER']
  if (named !== undefined && existsSync(named)) return named
  return playwrightsOwn() ?? onPath()
}

/** @param {string} command @param {string[]} words */
function run(command, words) {
  return spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}

/** @returns {string | undefined} */
export function installBrowser() {
  console.log('Installing a browser for the tests …')
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  const isRoot = process.getuid?.() === 0
  if (isRoot && run('apt-get', [...wait, 'update', '-qq'])) {
    for (const name of ['chromium-headless-shell', 'chromium'])
      if (run('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', name])) return onPath()
  }
  if (run('npx', ['playwright', 'install', '--with-deps', 'chromium'])) return playwrightsOwn()
  return undefined
}

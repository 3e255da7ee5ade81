/**
 * Makes the pictures of README.md and the guide from the demo, in light and dark: `npm run pictures`, before a release. They
 * are in docs/pictures.
 */
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './browser.mjs'

const root = resolve(import.meta.dirname, '..')
const out = join(root, 'docs/pictures')
const WIDE = { width: 1280, height: 760 }
const PHONE = { width: 390, height: 760 }

/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' }

/** @typedef {import('playwright').Page} Page */
/** @typedef {{ name: string, address: string, size: { width: number, height: number }, ready: (page: Page) => Promise<unknown> }} Scene */

/** @param {Page} page @param {string} name */
function seen(page, name) {
  return page.getByText(name).first().waitFor({ timeout: 90_000 })
}

/** @param {Page} page */
async function closeMessage(page) {
  await page.getByRole('button', { name: 'OK' }).click({ timeout: 90_000 })
}

/** @type {Scene[]} */
const scenes = [
  {
    name: 'machine',
    address: '?tour=one',
    size: WIDE,
    ready: page => seen(page, 'Ready:'),
  },
  { name: 'forty', address: '?tour=forty', size: WIDE, ready: closeMessage },
  {
    name: 'molecule',
    address: '?tour=molecule',
    size: WIDE,
    ready: async page => {
      await page.waitForURL(/\/view\//, { timeout: 90_000 })
      await page.locator('canvas').first().waitFor()
      // Frames come one after the other.
      await page.waitForTimeout(20_000)
      await page.getByRole('slider').first().press('End')
    },
  },
  { name: 'attention', address: '?tour=failing', size: WIDE, ready: closeMessage },
  { name: 'phone', address: '?tour=one', size: PHONE, ready: page => seen(page, 'Ready:') },
]

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://host')
  const name = pathname === '/' ? '/index.html' : pathname
  readFile(join(root, 'build/demo', name)).then(
    content => response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' }).end(content),
    () => response.writeHead(404).end(),
  )
})
await new Promise(listening => server.listen(0, '127.0.0.1', () => listening(undefined)))
const address = server.address()
const port = typeof address === 'object' && address !== null ? address.port : 0

mkdirSync(out, { recursive: true })
const executablePath = findBrowser()
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--use-gl=angle', '--use-angle=gl-egl', '--ignore-gpu-blocklist'],
})
const wanted = process.argv.slice(2)
for (const { name, address: path, size, ready } of scenes)
  if (wanted.length === 0 || wanted.includes(name))
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ viewport: size, colorScheme, locale: 'en-US', reducedMotion: 'reduce' })
      await page.goto(`http://localhost:${port}/${path}`)
      await ready(page)
      // What comes a moment later: still pictures, the last machines that log in, frames of a molecule.
      await page.waitForTimeout(12_000)
      await page.screenshot({ path: join(out, `${name}-${colorScheme}.png`) })
      await page.close()
      console.log(`docs/pictures/${name}-${colorScheme}.png`)
    }
await browser.close()
server.close()

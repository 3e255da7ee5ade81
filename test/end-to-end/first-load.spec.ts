import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parseSync } from 'vite'
import { LOCALES } from '../../src/folding/text/locales.ts'
import { serveAlone } from '../../programs/network/index.ts'
import { expect, test } from './fixtures.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'

// Its bytes are compared.
test.use({ extraHTTPHeaders: { 'accept-encoding': 'gzip' } })

const dist = join(import.meta.dirname, '../../dist')

/**
 * Bytes, compressed with gzip, of what a build may have at most, with the worker; hosts send Brotli, which is 15 % less. At this
 * size the page loads fast enough on a slow line; a smaller one would cost simplicity.
 */
const BUDGET = 296_000

function compressed(path: string): number {
  return gzipSync(readFileSync(join(dist, path))).length
}

const page = readFileSync(join(dist, 'index.html'), 'utf8')
const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '')
const scripts = [...new Set(named)].filter(path => path.endsWith('.js'))
const workers = readdirSync(join(dist, 'assets'))
  .filter(name => /^wire\.worker-.*\.js$/.test(name))
  .map(name => `assets/${name}`)

test('every script and style of the page is stored for offline use, also one that holds up the rest', () => {
  const worker = readFileSync(join(dist, 'service-worker.js'), 'utf8')
  expect(named).toContain('start.js')
  const isStored = (path: string): boolean => ['"', "'", '`'].some(quote => worker.includes(`${quote}${path}${quote}`))
  expect(named.filter(path => !isStored(path))).toEqual([])
})

test('what a first visit to the machines fetches is within its budget', () => {
  expect(named.filter(path => path.startsWith('assets/index-')).length).toBeGreaterThanOrEqual(2)
  expect(workers.length).toBe(1)
  const sizes = Object.fromEntries(['index.html', ...new Set(named), ...workers].map(path => [path, compressed(path)]))
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(BUDGET)
})

/**
 * Functions in all scripts of a first visit. Each costs a browser time to find its end before anything runs, and most of them are
 * not called.
 */
const MOST_FUNCTIONS = 6_700

/** `node`: any part of a syntax tree. */
function functionsIn(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0
  const isFunction = 'type' in node && /^(?:Arrow)?Function(?:Declaration|Expression)$/.test(String(node.type))
  return Object.values(node).reduce<number>((sum, part) => sum + functionsIn(part), isFunction ? 1 : 0)
}

test('the scripts of a first visit have no more functions than they should', () => {
  const counts = [...scripts, ...workers].map(
    path => [path, functionsIn(parseSync(path, readFileSync(join(dist, path), 'utf8')).program)] as const,
  )
  const total = counts.reduce((sum, [, functions]) => sum + functions, 0)
  expect(total, JSON.stringify(counts)).toBeLessThanOrEqual(MOST_FUNCTIONS)
})

test('the first unit needs no other file', async ({ page, stopAfterTest }) => {
  const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const host = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  const files = [...new Set(named), ...workers]
  expect(files.length).toBeLessThanOrEqual(MOST_FILES)
  await page.route(
    url => url.pathname !== '/machines' && !files.includes(url.pathname.slice(1)),
    route => route.abort(),
  )
  await page.goto(`${host.dashboardUrl}/machines`)
  await expect(page.getByRole('region', { name: 'puppet' }).getByText('18201')).toBeVisible()
})

/** Style sheet, start.js, the script of the app with the bundler's own helper, and the worker. */
const MOST_FILES = 5

test.describe('at home', () => {
  test.use({ showsTable: false })

  test('what a single machine shows after its units comes in few files', async ({ page, stopAfterTest }) => {
    const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
    const host = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
    const files = new Set<string>()
    page.on('request', request => files.add(new URL(request.url()).pathname))
    await page.goto(`${host.dashboardUrl}/machines`)
    await expect(page.getByRole('list', { name: 'Last 7 days' })).toBeVisible()
    const later = [...files].filter(path => path.startsWith('/assets/') && !named.includes(path.slice(1)))
    expect(later.length, later.join(', ')).toBeLessThanOrEqual(MOST_LATER_FILES)
  })
})

/** Both workers; of `home` in vite.config.ts script, style sheet and two entries; `shared`; of `background` script and entry. */
const MOST_LATER_FILES = 9

/** Bytes, compressed with gzip, that a visit in another language may take over one in English. */
const TEXTS_BUDGET = 15 * 1024

test('what a first visit in another language fetches beside that is within its budget', () => {
  const first = readdirSync(join(dist, 'assets')).filter(name => /^texts-.+-first-\w+\.js$/.test(name))
  expect(first.length).toBe(LOCALES.length - 1)
  const sizes = Object.fromEntries(first.map(name => [name, compressed(`assets/${name}`)]))
  expect(Math.max(...Object.values(sizes)), JSON.stringify(sizes)).toBeLessThanOrEqual(TEXTS_BUDGET)
})

test('in another language the first unit needs one file of texts more', async ({ page, stopAfterTest }) => {
  const client = stopAfterTest(await startScriptedClient(clientData({ units: [unitData()] })))
  const host = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  const texts = readdirSync(join(dist, 'assets')).filter(name => /^texts-ru-first-\w+\.js$/.test(name))
  const files = [...new Set(named), ...workers, ...texts.map(name => `assets/${name}`)]
  await page.route(
    url => url.pathname !== '/machines' && !files.includes(url.pathname.slice(1)),
    route => route.abort(),
  )
  await page.goto(`${host.dashboardUrl}/machines?locale=ru`)
  await expect(page.getByRole('region', { name: 'puppet' }).getByText('18201')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Машины' })).toBeVisible()
})

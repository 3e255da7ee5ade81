import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { createPages } from './pages.ts'

const root = mkdtempSync(join(tmpdir(), 'foldboard-pages-'))
const folder = join(root, 'dist')
const script = `export const words = ${JSON.stringify('fold '.repeat(1_000))}`
const wordy = readFileSync(import.meta.filename, 'utf8')
let server: RunningServer
let port: number

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'not yours')
  writeFileSync(join(folder, '.hidden'), 'not yours')
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html><head><title>Foldboard</title></head><body></body></html>',
  )
  writeFileSync(join(folder, 'mark.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets', 'main-D4f5e6A7.js'), script)
  writeFileSync(join(folder, 'assets', 'wire.worker-D4f5e6A7.js'), script)
  writeFileSync(join(folder, 'assets', 'wordy-D4f5e6A7.js'), wordy)
  server = await openServer({
    place: { what: 'a test', port: 0, option: '' },
    ...createPages({ folder, settings: () => ({ 'api-url': 'http://127.0.0.1:1/', odd: '"<&' }) }),
  })
  port = server.port
})

afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** Sends the path unchanged; fetch would normalize its escapes. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers }, response => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
      })
    })
      .on('error', reject)
      .end()
  })
}

const index =
  '<!doctype html><html><head><title>Foldboard</title>\n    <meta name="foldboard:api-url" content="http://127.0.0.1:1/">\n    <meta name="foldboard:odd" content="&quot;&lt;&amp;"></head><body></body></html>'

test.each(['/', '/index.html', '/machines', '/unit/abc.def', '/verify/a.b', '/account/teams?x=1'])(
  '%s is the page, with its settings as data, asked for again each time',
  async path => {
    const { status, headers, body } = await get(path)

    expect({ status, body: body.toString(), cache: headers['cache-control'], type: headers['content-type'] }).toEqual({
      status: 200,
      body: index,
      cache: 'no-cache',
      type: 'text/html; charset=utf-8',
    })
  },
)

test('pages and workers forbid inline scripts, framing and content sniffing', async () => {
  for (const path of ['/', '/assets/wire.worker-D4f5e6A7.js', '/assets/none.js']) {
    const { headers } = await get(path)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("connect-src 'self' https: wss: ws:")
    expect(headers['x-content-type-options']).toBe('nosniff')
  }
})

test('scripts and style sheets only forbid content sniffing', async () => {
  const { headers } = await get('/assets/main-D4f5e6A7.js')

  expect({ types: headers['x-content-type-options'], policy: headers['content-security-policy'] }).toEqual({
    types: 'nosniff',
    policy: undefined,
  })
})

test('the first answer is compressed quickly, later ones best', async () => {
  const ask = async (): Promise<Buffer> => (await get('/assets/wordy-D4f5e6A7.js', { 'Accept-Encoding': 'br' })).body
  const first = await ask()

  await expect.poll(async () => (await ask()).length).toBeLessThan(first.length)
  expect(brotliDecompressSync(await ask()).toString()).toBe(wordy)
})

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('a file named by its content is packed with %s and kept for ever', async (encoding, unpack) => {
  const { status, headers, body } = await get('/assets/main-D4f5e6A7.js', { 'Accept-Encoding': encoding })

  expect({
    status,
    encoding: headers['content-encoding'],
    type: headers['content-type'],
    cache: headers['cache-control'],
    vary: headers.vary,
  }).toEqual({
    status: 200,
    encoding,
    type: 'text/javascript; charset=utf-8',
    cache: 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  expect(body.length).toBeLessThan(script.length / 5)
  expect(unpack(body).toString()).toBe(script)
})

test('without Accept-Encoding a file is not compressed; with its ETag it is not sent again', async () => {
  const { headers, body } = await get('/mark.svg')
  expect({ type: headers['content-type'], cache: headers['cache-control'], body: body.toString() }).toEqual({
    type: 'image/svg+xml; charset=utf-8',
    cache: 'no-cache',
    body: '<svg/>',
  })
  const again = await get('/mark.svg', { 'If-None-Match': String(headers.etag) })

  expect({ status: again.status, length: again.body.length }).toEqual({ status: 304, length: 0 })
})

test.each(['/assets/none.js', '/api', '/api/account', '/assets/../../secret.txt'])('%s is not found', async path => {
  expect((await get(path)).status).toBe(404)
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/..%5csecret.txt',
  '/.hidden',
  '/%00',
  '/%zz',
  '//etc/passwd',
])('%s gives only the page', async path => {
  const { body } = await get(path)

  expect(body.toString()).toBe(index)
})

test('HEAD gives the headers only; other methods are refused', async () => {
  const head = await get('/', {}, 'HEAD')
  expect({ status: head.status, length: head.headers['content-length'], body: head.body.length }).toEqual({
    status: 200,
    length: String(index.length),
    body: 0,
  })

  expect((await get('/', {}, 'POST')).status).toBe(405)
})

test('a changed file is served', async () => {
  const path = join(folder, 'note.txt')
  writeFileSync(path, 'one')
  expect((await get('/note.txt')).body.toString()).toBe('one')
  writeFileSync(path, 'two!')

  await expect.poll(async () => (await get('/note.txt')).body.toString()).toBe('two!')
})

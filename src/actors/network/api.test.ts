import { webUrl } from '../../../test/urls.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { decodeLogin } from '../../protocol/api/api.ts'
import { createApi } from './api.ts'

type Asked = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly session: string | undefined
  readonly body: string
}

const servers: (() => void)[] = []
afterEach(() => servers.splice(0).forEach(stop => stop()))

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  timeout = 5000,
  now = Date.now,
) {
  const asked: Asked[] = []
  const offsets: number[] = []
  const within: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      asked.push({ method: request.method, url: request.url, session: request.headers.authorization, body })
      answer(request, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const api = createApi({
    fetch,
    baseUrl: webUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    session: () => 'the-session',
    compareClock: (offset, precision) => {
      offsets.push(offset)
      within.push(precision)
    },
    now,
    timeout,
  })
  return { api, asked, offsets, within }
}

describe('a call of the API', () => {
  it('sends query or body, with the session [7.1]', async () => {
    const { api, asked } = await serve((_, response) => response.end('{"id":"x"}'))
    await api({ method: 'GET', path: '/login', data: { email: 'a+b@c.de', password: '=/+' } }, decodeLogin)
    await api({ method: 'PUT', path: '/reset', data: { email: 'a' } }, decodeLogin)
    expect(asked).toEqual([
      { method: 'GET', url: '/login?email=a%2Bb%40c.de&password=%3D%2F%2B', session: 'the-session', body: '' },
      { method: 'PUT', url: '/reset', session: 'the-session', body: '{"email":"a"}' },
    ])
  })

  it('returns the decoded value', async () => {
    const { api } = await serve((_, response) => response.end('{"id":"x"}'))
    expect(await api({ method: 'GET', path: '/login' }, decodeLogin)).toEqual({ ok: true, value: { id: 'x' } })
  })

  it('reports a refusal with the server’s message, or with a default one', async () => {
    const { api } = await serve((request, response) => {
      response.statusCode = 409
      response.end(request.url === '/said' ? '{"error":"Account not active"}' : '<html>')
    })
    expect(await api({ method: 'GET', path: '/said' }, decodeLogin)).toEqual({
      ok: false,
      fault: { kind: 'refused', status: 409, message: 'Account not active' },
    })
    expect(await api({ method: 'GET', path: '/unsaid' }, decodeLogin)).toEqual({
      ok: false,
      fault: { kind: 'refused', status: 409, message: 'The server answered with status 409.' },
    })
  })

  it('reports Retry-After, as seconds or as a date', async () => {
    const waits = ['7', 'Fri, 20 Nov 2026 12:00:30 GMT', 'soon']
    const { api } = await serve(
      (_, response) => response.writeHead(503, { 'Retry-After': waits.shift() ?? '' }).end(),
      5000,
      () => Date.parse('2026-11-20T12:00:00Z'),
    )
    const fault = async () => {
      const answer = await api({ method: 'GET', path: '/account' }, decodeLogin)
      return answer.ok ? undefined : answer.fault
    }
    const busy = { kind: 'refused', status: 503, message: 'The server answered with status 503.' }
    expect(await fault()).toEqual({ ...busy, retryAfter: 7000 })
    expect(await fault()).toEqual({ ...busy, retryAfter: 30_000 })
    expect(await fault()).toEqual(busy)
  })

  it('reports HTML and unexpected JSON as unreadable', async () => {
    const { api } = await serve((request, response) => response.end(request.url === '/html' ? '<html>' : '[1]'))
    expect(await api({ method: 'GET', path: '/html' }, decodeLogin)).toMatchObject({
      ok: false,
      fault: { kind: 'unreadable' },
    })
    expect(await api({ method: 'GET', path: '/list' }, decodeLogin)).toMatchObject({
      ok: false,
      fault: { kind: 'unreadable' },
    })
  })

  it('fails when the server does not answer in time', async () => {
    const { api } = await serve(() => undefined, 50)
    expect(await api({ method: 'GET', path: '/login' }, decodeLogin)).toEqual({
      ok: false,
      fault: { kind: 'unreachable', message: 'no answer in time' },
    })
  })

  it('compares this computer’s clock with the server’s', async () => {
    const { api, offsets } = await serve((_, response) => {
      response.setHeader('Date', new Date(Date.now() + 3_600_000).toUTCString())
      response.end('{}')
    })
    await api({ method: 'GET', path: '/login' }, decodeLogin)
    expect(offsets.map(offset => Math.round(offset / 10_000))).toEqual([360])
  })

  it.each([
    ['half a round trip', 6000, [3500]],
    ['nothing, where the clock was set forward meanwhile', 3_600_000, []],
    ['nothing, where the clock was set back meanwhile', -60_000, []],
  ])('knows the difference of the clocks within %s', async (_, step, expected) => {
    let time = 0
    const { api, within } = await serve(
      (_request, response) => response.end('{}'),
      30_000,
      () => (time += step),
    )
    await api({ method: 'GET', path: '/login' }, decodeLogin)
    expect(within).toEqual(expected)
  })

  it('refuses an answer beyond the size limit, compressed or not', async () => {
    const { api } = await serve((request, response) => {
      const isPacked = request.url === '/packed'
      if (isPacked) response.setHeader('Content-Encoding', 'gzip')
      const body = Buffer.alloc(17 * 1024 * 1024, 0x20)
      response.end(isPacked ? gzipSync(body) : body)
    })
    for (const path of ['/plain', '/packed'] as const)
      expect(await api({ method: 'GET', path }, decodeLogin)).toEqual({
        ok: false,
        fault: { kind: 'unreadable', message: 'The answer is larger than 16 MB.' },
      })
  })
})

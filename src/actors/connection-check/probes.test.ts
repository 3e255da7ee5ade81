import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { clientAddress, webSocketUrl, webUrl } from '../../../test/urls.ts'
import { diagnose, type ProbeResults } from '../../folding/client/connection-diagnosis.ts'
import type { ProbeReport } from '../../machines/connection/check/connection-check.events.ts'
import { runProbes, type ProbeDeps } from './probes.ts'

const closings: (() => void)[] = []
afterEach(() => closings.splice(0).forEach(close => close()))

function portOf(server: { address(): unknown }): number {
  return (server.address() as AddressInfo).port
}

/** A server with these answers, and what it sends to whoever opens a socket; without `greeting` it opens none. */
async function serve(answer: RequestListener, greeting?: string): Promise<string> {
  const server: Server = createServer(answer)
  if (greeting !== undefined)
    new WebSocketServer({ server }).on('connection', socket => {
      if (greeting !== '') socket.send(greeting)
    })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${portOf(server)}`
}

/** A port at which nothing listens. */
async function closedPort(): Promise<string> {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}

/** A port that takes connections and sends nothing. */
async function mutePort(): Promise<string> {
  const sockets: Socket[] = []
  const server = createNetServer(socket => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(() => {
    sockets.forEach(socket => socket.destroy())
    server.close()
  })
  return `127.0.0.1:${portOf(server)}`
}

const NOW = Date.parse('2026-11-20T12:00:00Z')
const PAGE = 'http://localhost:7400'

const nothing: RequestListener = (_, response) => response.writeHead(404).end()
function client(info: object): string {
  return JSON.stringify({ info, config: {}, groups: {}, units: [] })
}

/** As a browser: what another origin may not read is an error, unless it was not to be read. */
const foreignFetch: typeof fetch = async (url, options) => {
  const answer = await fetch(url, options)
  const origin = answer.headers.get('Access-Control-Allow-Origin')
  if (options?.mode === 'cors' && origin !== PAGE) throw new TypeError('Failed to fetch')
  return answer
}

/** As a frame whose policy names one server: a redirect to another one fails, and that one is not asked. */
const confinedFetch: ProbeDeps['fetchInFrame'] = origin =>
  Promise.resolve({
    fetch: async (url, signal) => {
      const answer = await fetch(url, { redirect: 'manual', signal })
      const location = answer.headers.get('Location')
      if (location !== null && new URL(location, url).origin !== origin) throw new TypeError('policy')
    },
    close: () => undefined,
  })

const nowhere: ProbeDeps['fetchInFrame'] = () =>
  Promise.resolve({ fetch: () => Promise.reject(new TypeError('nothing there')), close: () => undefined })

/** A client that refuses every page of another origin. */
function refusing(site: string): RequestListener {
  return (request, response) => {
    if (request.headers.origin !== undefined) response.writeHead(401).end()
    else if (request.url === '/ping?callback=foldboard') response.end('foldboard({"redirect":"https://example.org/"})')
    else response.writeHead(307, { Location: site }).end()
  }
}

function deps(overrides: Partial<ProbeDeps> = {}): ProbeDeps {
  return {
    fetch: foreignFetch,
    createSocket: url => new WebSocket(url, { origin: PAGE }),
    queryPermission: () => Promise.reject(new TypeError('no such permission')),
    fetchInFrame: confinedFetch,
    page: { origin: PAGE, isSecureContext: true },
    readHints: () =>
      Promise.resolve({ userAgent: 'Linux Firefox/150', brands: [], platform: '', isBrave: false, touchPoints: 0 }),
    apiUrl: webUrl('http://127.0.0.1:9/none'),
    account: () => ({ id: undefined, relayUrl: undefined }),
    now: () => NOW,
    timeLimit: 400,
    ...overrides,
  }
}

async function check(address: string, overrides?: Partial<ProbeDeps>) {
  const facts: ProbeReport[] = []
  const { signal } = new AbortController()
  await runProbes(deps(overrides), clientAddress(address), signal, fact => facts.push(fact))
  const results = facts.reduce<ProbeResults>(
    (found, fact) => (fact.type === 'probes.found' ? { ...found, ...fact.results } : found),
    {},
  )
  const [first] = facts
  if (first?.type !== 'probes.began') throw new Error('Probes begin with where they run.')
  const diagnosis = diagnose({
    subject: 'client',
    address: clientAddress(address),
    ...first.environment,
    results,
  })
  return { facts, results, diagnosis, environment: first.environment }
}

describe('probes', () => {
  it('find a client, its version and whose it is', async () => {
    const address = await serve(nothing, client({ version: '8.5.7', account: 'mine' }))
    const { results, facts, diagnosis, environment } = await check(address, {
      account: () => ({ id: 'mine', relayUrl: undefined }),
    })
    expect(results.socket).toEqual({ outcome: 'client', version: '8.5.7', link: 'own' })
    expect(facts.at(-1)).toEqual({ type: 'probes.ended' })
    expect(environment).toMatchObject({ isSignedIn: true, browser: { name: 'firefox', system: 'linux' } })
    expect(results.relay).toBe('none')
    expect('request' in results).toBe(false)
    expect(diagnosis).toBe('apiUnreachable')
  })

  it.each([
    [{ version: '8.1.18' }, 'clientTooOld'],
    [{ version: '8.5.7', account: '' }, 'connected'],
    [{ version: '8.5.7', account: 'theirs' }, 'connected'],
  ])('tell a client that says %o', async (info, diagnosis) => {
    expect((await check(await serve(nothing, client(info)))).diagnosis).toBe(diagnosis)
  })

  it.each([['"something"'], ['not json'], ['']])('tell a socket that sends %o from a client', async greeting => {
    expect((await check(await serve(nothing, greeting))).diagnosis).toBe('otherProgram')
  })

  it('find a port at which nothing listens, and one that sends nothing', async () => {
    expect((await check(await closedPort())).results).toMatchObject({
      socket: { outcome: 'failed' },
      request: 'failed',
    })
    const mute = await check(await mutePort())
    expect(mute.results).toMatchObject({ socket: { outcome: 'timeout' }, request: 'timeout' })
    expect(mute.diagnosis).toBe('noAnswer')
  })

  it('tell a client that refuses the page from another server, by where they send it', async () => {
    const client = await check(await serve(refusing('https://foldingathome.test/')))
    expect(client.results).toMatchObject({ request: 'answered', reading: 'unreadable', redirect: 'leaves' })
    expect(client.diagnosis).toBe('originRefused')
    const other = await check(await serve((_, response) => response.end('ok')))
    expect(other.results).toMatchObject({ request: 'answered', reading: 'unreadable', redirect: 'stays' })
    expect(other.diagnosis).toBe('otherProgram')
  })

  it('follow no redirect: a client that refuses the page is found without internet, and no other site is asked', async () => {
    const asked: string[] = []
    const site = await serve((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    expect((await check(await serve(refusing(`http://${site}/`)))).diagnosis).toBe('originRefused')
    const away = await check(
      await serve((_, response) => {
        response.writeHead(302, { Location: `http://${site}/`, 'Access-Control-Allow-Origin': PAGE }).end()
      }),
    )
    expect(away.results).toMatchObject({ request: 'failed' })
    const pageHost = await serve((_, response) => response.writeHead(302, { Location: `http://${site}/` }).end())
    await check(pageHost, {
      page: { origin: `http://${pageHost}`, isSecureContext: true },
      apiUrl: webUrl(`http://${pageHost}`),
      fetch,
    })
    expect(asked).toEqual([])
  })

  it('end without a result for frames when a frame cannot be loaded', async () => {
    const none: ProbeDeps['fetchInFrame'] = () => Promise.reject(new Error('no frame'))
    const { facts } = await check(await serve(nothing), { fetchInFrame: none })
    expect(facts.at(-1)).toEqual({ type: 'probes.ended' })
  })

  it('tell a client from another program by the content, where it can be read', async () => {
    const readable =
      (text: string): RequestListener =>
      (_, response) =>
        response.writeHead(200, { 'Access-Control-Allow-Origin': PAGE }).end(text)
    const said = await check(await serve(readable('foldboard({"redirect":"https://example.org/"})')))
    expect(said.results.reading).toBe('client')
    expect(said.diagnosis).toBe('socketBlocked')
    expect((await check(await serve(readable('<p>A router</p>')))).results.reading).toBe('other')
    expect((await check(await serve(readable('x'.repeat(5000))))).results.reading).toBe('other')
  })

  it.each([
    ['client', 'socketBlocked'],
    ['none', 'clientNotRunning'],
    ['other', 'otherProgram'],
    ['silent', 'noAnswer'],
  ])('ask the page’s own server, which passes on to: %s', async (peer, diagnosis) => {
    const address = await serve((request, response) =>
      request.url === '/api/client'
        ? response.end(JSON.stringify({ client: '127.0.0.1:7396', peer }))
        : response.writeHead(404).end(),
    )
    const found = await check(address, {
      fetch,
      fetchInFrame: nowhere,
      page: { origin: `http://${address}`, isSecureContext: true },
    })
    expect(found.results.host).toEqual({ outcome: 'passes', clientAddress: '127.0.0.1:7396', peer })
    expect(found.diagnosis).toBe(diagnosis)
  })

  it('tell a page’s server that passes nothing on from one that is gone', async () => {
    const page = (address: string): Partial<ProbeDeps> => ({
      page: { origin: `http://${address}`, isSecureContext: true },
      fetch,
      fetchInFrame: nowhere,
    })
    const plain = await serve((_, response) => response.end('<!doctype html>'))
    expect((await check(plain, page(plain))).results).toMatchObject({ host: { outcome: 'none' }, reading: 'other' })
    const gone = await closedPort()
    expect((await check(gone, page(gone))).diagnosis).toBe('hostAway')
  })

  it('compare the clocks where the API reports what time it is', async () => {
    const api = await serve((_, response) =>
      response.writeHead(200, { Date: 'Fri, 20 Nov 2026 12:05:00 GMT' }).end('[]'),
    )
    const at = (overrides: Partial<ProbeDeps>) =>
      check('127.0.0.1:9', { apiUrl: webUrl(`http://${api}`), ...overrides })
    expect((await at({})).results.api).toEqual({ outcome: 'answered', offset: 300_500 })
    let calls = 0
    expect((await at({ now: () => NOW + 6000 * calls++ })).results.api).toEqual({ outcome: 'answered' })
  })

  it('find out whether the relay takes connections', async () => {
    const relay = await serve(nothing, '')
    const at = async (relayUrl: string, overrides: Partial<ProbeDeps> = {}) =>
      (await check('127.0.0.1:9', { account: () => ({ id: 'mine', relayUrl: webSocketUrl(relayUrl) }), ...overrides }))
        .results.relay
    expect(await at(`ws://${relay}/ws/account`)).toBe('answered')
    expect(await at(`ws://${await closedPort()}/ws/account`)).toBe('failed')
    expect(await at(`ws://${await mutePort()}/ws/account`)).toBe('failed')
    const forbidden: ProbeDeps['createSocket'] = () => {
      throw new DOMException('mixed content', 'SecurityError')
    }
    expect(await at('ws://relay.example.org/ws/account', { createSocket: forbidden })).toBe('failed')
  })

  it('try nothing over HTTP elsewhere from a page that came over HTTPS', async () => {
    const asked: string[] = []
    const { results, diagnosis } = await check('192.168.0.7', {
      page: { origin: 'https://board.example.org', isSecureContext: true },
      createSocket: () => {
        throw new DOMException('mixed content', 'SecurityError')
      },
      fetch: url => {
        asked.push(new Request(url).url)
        return Promise.reject(new TypeError('nothing there'))
      },
      fetchInFrame: origin => {
        asked.push(origin)
        return nowhere(origin)
      },
    })
    expect(results).toMatchObject({ socket: { outcome: 'blocked' }, request: 'blocked' })
    expect(diagnosis).toBe('mixedContent')
    expect(asked).toEqual(['http://127.0.0.1:9/none/project/cause', 'http://127.0.0.1:7396'])
  })

  it('ask for the newer permission first, and for the older where there is no newer', async () => {
    const asked: string[] = []
    const of = async (address: string, supported: string) =>
      (
        await check(address, {
          page: { origin: 'https://board.example.org', isSecureContext: true },
          queryPermission: name => {
            asked.push(name)
            return name === supported ? Promise.resolve('prompt') : Promise.reject(new TypeError('unknown'))
          },
          createSocket: () => {
            throw new DOMException('blocked', 'SecurityError')
          },
          fetch: () => Promise.reject(new TypeError('nothing there')),
          fetchInFrame: nowhere,
        })
      ).results.permission
    expect(await of('127.0.0.1:9', 'loopback-network')).toBe('prompt')
    expect(await of('192.168.0.7', 'local-network-access')).toBe('prompt')
    expect(await of('192.168.0.7', 'another')).toBe('none')
    expect(asked).toEqual([
      'loopback-network',
      'local-network',
      'local-network-access',
      'local-network',
      'local-network-access',
    ])
  })

  it('ask for no permission where none is needed', async () => {
    const { results } = await check('127.0.0.1:9', { queryPermission: () => Promise.resolve('prompt') })
    expect(results.permission).toBe('none')
  })

  it('end early, and report nothing more, when they are stopped', async () => {
    const facts: ProbeReport[] = []
    const check = new AbortController()
    const running = runProbes(deps({ timeLimit: 60_000 }), clientAddress(await mutePort()), check.signal, fact =>
      facts.push(fact),
    )
    check.abort()
    await running
    expect(facts.filter(({ type }) => type === 'probes.found')).toEqual([])
  })
})

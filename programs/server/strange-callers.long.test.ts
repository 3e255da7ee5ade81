import { describe, expect, test } from 'vitest'
import { openTestSocket } from '../../test/network/test-socket.ts'
import { askRaw, sendBytes, type RawRequest } from '../../test/raw-request.ts'
import {
  clientOf,
  PASSWORD,
  programs,
  signIn,
  TOKENS,
  untilConnected,
  useService,
  type StartedService,
} from '../../test/server-service.ts'
import type { RouteSpec } from './http/route-fields.ts'
import { routes } from './http/routes.ts'

const { client, openPage, people, start } = useService()

const REFUSED = [400, 401, 403, 421]
const specs = Object.entries<RouteSpec>(routes).map(([name, { method, path }]) => ({
  name,
  method: method.toUpperCase(),
  path: path.replace(':number', '1').replace(':name', 'price'),
  isHealth: path === '/healthz' || path === '/readyz',
}))
/** Addresses that are no routes: pages, a file, and a path of the API that does not exist. */
const others = ['/', '/machines', '/start.js', '/icons/icon.svg', '/api/server/nothing', '/api/client/x'].map(path => ({
  name: path,
  method: 'GET',
  path,
  isHealth: false,
}))

function portOf({ origin }: StartedService): number {
  return Number(new URL(origin).port)
}

/** Everything by which a caller can be other than a page or a program of this computer. */
function strangeHeaders(origin: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { host, port } = new URL(origin)
  return {
    'a rebound name': { Host: `evil.example:${port}` },
    'a rebound name that begins as this computer does': { Host: `localhost.evil.example:${port}` },
    'a rebound name with an Authorization of its own': { Host: `evil.example:${port}`, Authorization: 'Bearer x' },
    'a rebound name with Basic': { Host: `evil.example:${port}`, Authorization: 'Basic YTpi' },
    'a rebound name with a token that is not known': {
      Host: `evil.example:${port}`,
      Authorization: `Bearer ${'x'.repeat(43)}`,
    },
    'another port': { Host: 'localhost:1' },
    'no port': { Host: 'localhost' },
    'a token that is not known': { Authorization: `Bearer ${'x'.repeat(43)}` },
    'a token that is not one': { Authorization: 'Bearer' },
    'an empty Authorization': { Authorization: '' },
    'Basic of the own name': { Authorization: 'Basic YTpi' },
    Forwarded: { Forwarded: 'for=203.0.113.5' },
    'X-Forwarded-For': { 'X-Forwarded-For': '127.0.0.1' },
    'X-Forwarded-Host': { 'X-Forwarded-Host': host },
    'X-Forwarded-Proto': { 'X-Forwarded-Proto': 'https' },
    'X-Real-IP': { 'X-Real-IP': '127.0.0.1' },
    Via: { Via: '1.1 proxy' },
    'CF-Connecting-IP': { 'CF-Connecting-IP': '203.0.113.5' },
    'another origin': { Origin: 'https://evil.example' },
    'the origin null': { Origin: 'null' },
    'another port of this computer': { Origin: 'http://localhost:1' },
    'the own origin by TLS': { Origin: origin.replace('http:', 'https:') },
    'two origins': { Origin: `${origin}, https://evil.example` },
    'another site': { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' },
    'another port in a browser': { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' },
    'a frame of another site': {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'iframe',
    },
  }
}

/** Which requests of a caller are not refused, of each route by its method, HEAD, and one that it does not have. */
async function admitted(
  service: StartedService,
  headers: Readonly<Record<string, string>>,
  { isOrigin = true } = {},
): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, method, path, isHealth } of [...specs, ...others]) {
    if (isHealth || name === 'logout') continue
    const methods = method === 'GET' ? ['GET', 'HEAD', 'PUT'] : [method, 'PUT']
    for (const each of methods) {
      const isChange = each !== 'GET' && each !== 'HEAD'
      const request: RawRequest = {
        method: each,
        path,
        headers: { ...(isChange && isOrigin ? { Origin: service.origin } : {}), ...headers },
        ...(isChange ? { body: '{}' } : {}),
      }
      const { status, text } = await askRaw(portOf(service), request, true)
      // An invalid body is answered with 400 too, in JSON.
      if (!REFUSED.includes(status) || (status === 400 && text.startsWith('{')))
        found.push(`${each} ${name}: ${status}`)
    }
  }
  return found
}

describe('without users', () => {
  test('each route refuses each caller that is not a page or a program of this computer, by each method', async () => {
    const service = await start(`${clientOf(await client(), ['state'])}\n${programs()}`)
    await untilConnected(service)
    for (const [title, headers] of Object.entries(strangeHeaders(service.origin)))
      expect(await admitted(service, headers), title).toEqual([])
    for (const path of ['/healthz', '/readyz'])
      expect((await askRaw(portOf(service), { path, headers: { Host: 'any' } })).status).toBe(200)
  })

  test('a program of this computer is admitted to each of them, and a page to each but by a link', async () => {
    const service = await start(`${clientOf(await client(), ['state'])}\n${programs()}`)
    const all = await admitted(service, { 'Sec-Fetch-Site': 'same-origin' })
    expect(all.map(found => found.replace(/: \d+$/, ''))).toEqual(
      [...specs, ...others].flatMap(({ name, method, isHealth }) =>
        isHealth || name === 'logout'
          ? []
          : (method === 'GET' ? ['GET', 'HEAD', 'PUT'] : [method, 'PUT']).map(each => `${each} ${name}`),
      ),
    )
    const link = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
    const linked = await admitted(service, link)
    expect(linked.map(found => found.replace(/: \d+$/, ''))).toEqual(
      ['enrollPage', 'loginPage', '/', '/machines'].flatMap(name => [`GET ${name}`, `HEAD ${name}`]),
    )
    // Browsers send an Origin with what changes something; only a token does without.
    const bare = await admitted(service, {}, { isOrigin: false })
    expect(bare.filter(found => !/^(?:GET|HEAD) /.test(found))).toEqual([])
  })

  test('what a proxy passes on is refused, also by HTTP/1.0, with two Hosts, or with the address of another server', async () => {
    const service = await start(`${clientOf(await client())}\n${programs()}`)
    const host = `Host: 127.0.0.1:${portOf(service)}\r\n`
    const statusOf = async (bytes: string) => (await sendBytes(portOf(service), bytes)).split(' ')[1]
    const end = 'Connection: close\r\n\r\n'
    expect(await statusOf(`GET /api/server/machines HTTP/1.1\r\n${host}${end}`)).toBe('200')
    expect(await statusOf(`GET /api/server/machines HTTP/1.0\r\n${host}${end}`)).toBe('403')
    expect(await statusOf(`GET /api/server/machines HTTP/1.1\r\n${host}Host: evil.example\r\n${end}`)).toBe('400')
    expect(await statusOf(`GET /api/server/machines HTTP/1.1\r\n${end}`)).toBe('400')
    expect(await statusOf(`GET http://evil.example/api/server/machines HTTP/1.1\r\n${host}${end}`)).toBe('400')
    const twice = `Authorization: Bearer ${TOKENS.read}\r\nAuthorization: Basic x\r\n`
    expect(await statusOf(`GET /api/server/machines HTTP/1.1\r\n${host}${twice}${end}`)).toBe('400')
    const twoLengths = 'POST /api/server/shared HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n'
    expect(await statusOf(`${twoLengths}${host}${end}0\r\n\r\n`)).toBe('400')
    // A program with a token names the server as it likes, but does not come through a proxy.
    const token = `Authorization: Bearer ${TOKENS.read}\r\n`
    const named = `GET /api/server/machines HTTP/1.1\r\nHost: server-1:7400\r\n${token}`
    expect(await statusOf(`${named}${end}`)).toBe('200')
    expect(await statusOf(`${named}X-Forwarded-For: 203.0.113.5\r\n${end}`)).toBe('403')
    expect(await statusOf(`CONNECT evil.example:443 HTTP/1.1\r\n${host}${end}`)).toBeUndefined()
  })

  test('a socket is refused to each such caller, and to one without an Origin or a token', async () => {
    const service = await start(`${clientOf(await client())}\n${programs()}`)
    await untilConnected(service)
    for (const [title, headers] of Object.entries(strangeHeaders(service.origin))) {
      if (title.includes('site') || title.includes('browser')) continue
      await expect(openPage(service, headers), title).rejects.toThrow(/40[0-3]/)
    }
    await expect(openPage(service, { Origin: '' })).rejects.toThrow('403')
    await openPage(service)
    const program = async (headers: Record<string, string>) => {
      const socket = await openTestSocket(service.socketUrl, headers)
      socket.drop()
    }
    await expect(program({})).rejects.toThrow('403')
    // A program names the server as it likes, and has a token.
    await program({ Authorization: `Bearer ${TOKENS.read}`, Host: 'server-1:7400' })
    await expect(program({ Authorization: `Bearer ${TOKENS.metrics}` })).rejects.toThrow('401')
  })
})

describe('with users', () => {
  test('the cookie of an administrator does not help a request that is refused for another reason', async () => {
    const service = await start(`${clientOf(await client(), ['state'])}\n${people()}\n${programs()}`)
    const cookie = await signIn(service, 'administrator')
    for (const [title, headers] of Object.entries(strangeHeaders(service.origin)))
      expect(await admitted(service, { Cookie: cookie, ...headers }), title).toEqual([])
  })

  test('a user whom the proxy names and nobody knows is refused, whatever cookie comes with it', async () => {
    const service = await start(
      `${people()}\n${programs()}\n[proxy]\nuser-header = "Remote-User"\naddresses = ["127.0.0.1"]`,
    )
    const cookie = await signIn(service, 'administrator')
    const session = (headers: Record<string, string>) =>
      askRaw(portOf(service), { path: '/api/server/session', headers }).then(({ status }) => status)
    expect(await session({ Cookie: cookie })).toBe(200)
    expect(await session({ Cookie: cookie, 'Remote-User': '' })).toBe(200)
    expect(await session({ Cookie: cookie, 'Remote-User': 'nobody' })).toBe(401)
    expect(await session({ Cookie: cookie, 'Remote-User': 'viewer, administrator' })).toBe(401)
    expect(await session({ Cookie: cookie, 'Remote-User': 'viewer', Authorization: `Bearer ${TOKENS.old}` })).toBe(401)
    // What the proxy was told when it signed somebody in.
    expect(await session({ 'Remote-User': 'viewer', Authorization: 'Basic YTpi' })).toBe(200)
  })

  test('a proxy that is not known and changes Host is refused, and a known one may change it', async () => {
    const passed = { 'X-Forwarded-For': '203.0.113.5', Origin: 'https://folding.example.org' }
    const login = async (proxies: string) => {
      const service = await start(
        `${people()}\n[listen]\nport = 0\norigins = ["https://folding.example.org"]\n[proxy]\naddresses = [${proxies}]`,
      )
      const { status } = await askRaw(portOf(service), {
        method: 'POST',
        path: '/api/server/login',
        headers: passed,
        body: new URLSearchParams({ name: 'viewer', password: PASSWORD }).toString(),
      })
      return status
    }
    expect(await login('"10.0.0.1"')).toBe(403)
    expect(await login('"127.0.0.1"')).toBe(303)
  })

  test('pages hold no settings without a session, under whatever address they are asked for', async () => {
    const demo = 'ana@example.org the secret phrase'
    const service = await start(people(), { pageSettings: { demo } })
    const paths = [
      '/',
      '/x.y',
      '/x.html',
      '/index.html',
      '/INDEX.HTML',
      '/index.html?',
      '/%69ndex.html',
      '/machines',
      '/icons/none',
      '/icons/..%2findex.html',
      '/icons/%2e%2e/',
      '/assets/..%5cindex.html',
      '/assets/../index.html',
      '//x.y',
      '/x.y/../',
      '/api/x',
      '/x.y?a=/assets/',
    ]
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
        for (const accept of ['text/html', '*/*']) {
          const headers = { Accept: accept, Origin: service.origin }
          const { text, headers: answered } = await askRaw(portOf(service), { method, path, headers })
          expect(/foldboard:|secret/.test(`${text}${JSON.stringify(answered)}`), `${path} ${method}`).toBe(false)
        }
    const cookie = await signIn(service, 'viewer')
    expect((await askRaw(portOf(service), { path: '/x.y', headers: { Cookie: cookie } })).text).toContain(demo)
  })

  test('no path leads out of the folder of the program', async () => {
    const service = await start(people())
    const cookie = await signIn(service, 'administrator')
    const ups = ['..', '%2e%2e', '.%2e', '..%2f..', '..%5c..', '..\\..', '%252e%252e', '..%00', '%c0%ae%c0%ae']
    for (const up of ups)
      for (const start of ['', '/assets', '/icons', '/api/server'])
        for (const file of ['package.json', '.git/config', 'etc/passwd', '.env']) {
          const path = `${start}/${up}/${up}/${up}/${file}`
          const answer = await askRaw(portOf(service), { path, headers: { Cookie: cookie } })
          expect(/"name": "foldboard"|\[core\]|root:/.test(answer.text), path).toBe(false)
          expect([200, 303, 400, 403, 404].includes(answer.status), path).toBe(true)
        }
  })

  test('the id of a session that somebody else has chosen is never one, and each login makes another', async () => {
    const service = await start(people())
    const chosen = 'foldboard_session=' + 'A'.repeat(43)
    const login = async (name: string) => {
      const { headers } = await askRaw(portOf(service), {
        method: 'POST',
        path: '/api/server/login',
        headers: { Origin: service.origin, Cookie: chosen },
        body: new URLSearchParams({ name, password: PASSWORD }).toString(),
      })
      return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    }
    const statusWith = async (cookie: string) =>
      (await askRaw(portOf(service), { path: '/api/server/session', headers: { Cookie: cookie } })).status
    const [one, other] = [await login('viewer'), await login('viewer')]
    expect(new Set([chosen, one, other]).size).toBe(3)
    expect(await Promise.all([chosen, one, other].map(statusWith))).toEqual([401, 200, 200])
    expect(await statusWith(`${one.slice(0, -1)}${one.endsWith('A') ? 'B' : 'A'}`)).toBe(401)
    expect(await statusWith('foldboard_session=__proto__')).toBe(401)
    // The name for encrypted connections is not one here, where anybody on the network could set it.
    expect(await statusWith(`__Host-${one}`)).toBe(401)
  })
})

describe('bodies', () => {
  /** All that have a body. */
  const posts = specs.filter(
    ({ method, name }) => method === 'POST' && !['logout', 'resetMeter', 'removeInput'].includes(name),
  )

  test('a route reads no more than it may, whether the length is told or not', async () => {
    const service = await start(clientOf(await client(), ['state']))
    for (const { name, path } of posts) {
      const body = `{"x":"${'x'.repeat(9 * 1_048_576)}"}`
      const headers = { Origin: service.origin, 'Content-Type': 'application/json' }
      const declared = await askRaw(portOf(service), {
        method: 'POST',
        path,
        headers: { ...headers, 'Content-Length': String(body.length) },
        body,
      }).catch(() => undefined)
      const untold = await askRaw(portOf(service), {
        method: 'POST',
        path,
        headers: { ...headers, 'Transfer-Encoding': 'chunked' },
        body,
      }).catch(() => undefined)
      // The connection may break before the answer is read, since the rest of the body is not.
      for (const answer of [declared, untold]) expect(answer?.status ?? 413, name).toBe(413)
    }
    expect((await askRaw(portOf(service), { path: '/healthz' })).status).toBe(200)
  })

  test('deep bodies, and those that name prototypes, are refused or harmless', async () => {
    const service = await start(clientOf(await client(), ['state']))
    await untilConnected(service)
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const bodies = [
      deep,
      `{"command":{"cmd":"config","config":{"a":${deep}}},"subject":${deep},"schedules":${deep},"units":${deep}}`,
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      '{"command":{"cmd":"config","config":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}},"type":"tags.add","machines":["__proto__"],"tag":"x"}',
      '{"type":"tags.import","mode":"replace","tags":{"__proto__":["polluted"],"constructor":["x"]}}',
      'null',
      '[]',
      '"x"',
      '1e999',
      '{"a":',
      '\u0000',
      '\ud800',
    ]
    for (const { name, path } of posts)
      for (const body of bodies) {
        const { status } = await askRaw(portOf(service), {
          method: 'POST',
          path,
          headers: { Origin: service.origin },
          body,
        })
        expect(body.slice(0, 60), name).toEqual(body.slice(0, 60))
        expect(status < 500, name).toBe(true)
      }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect((await askRaw(portOf(service), { path: '/readyz' })).status).toBe(200)
  })
})

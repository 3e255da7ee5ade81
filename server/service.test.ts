import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLoopbackCertificate } from '../network/certificate.ts'
import { startNetwork } from '../network/index.ts'
import { StartError } from '../network/start-error.ts'
import { openTestSocket, type TestSocket } from '../network/testing/test-socket.ts'
import * as v from 'valibot'
import { alertsAnswer, type AlertsAnswer } from '../src/folding/incidents/alert-answers.ts'
import { excerptOf, type HistoryAnswer } from '../src/folding/unit/server-history.ts'
import { applyChanges } from '../src/protocol/changes.ts'
import type { Change } from '../src/protocol/changes.ts'
import { clientData, startScriptedClient, unitData } from '../test/end-to-end/scripted-client.ts'
import { hashPassword, hashSecret } from './access/passwords.ts'
import { readConfig } from './config/read-config.ts'
import type { Config } from './config/schema.ts'
import type { RouteSpec } from './http/route-fields.ts'
import { routes } from './http/routes.ts'
import { startService, type Service, type ServiceOptions } from './service.ts'
import { openServerStore, type ServerStore } from './store/store.ts'

const PASSWORD = 'a long enough password'
const TOKENS = {
  read: 'r'.repeat(43),
  metrics: 'm'.repeat(43),
  control: 'c'.repeat(43),
  inputs: 'i'.repeat(43),
  old: 'o'.repeat(43),
}
let hash = ''
let dist = ''
const running: { stop: () => unknown }[] = []
const stopLater = <Started extends { stop: () => unknown }>(started: Started): Started => {
  running.unshift(started)
  return started
}

beforeAll(async () => {
  hash = await hashPassword(PASSWORD)
  dist = mkdtempSync(join(tmpdir(), 'foldboard-dist-'))
  writeFileSync(join(dist, 'index.html'), '<!doctype html><head><title>Foldboard</title></head>')
  writeFileSync(join(dist, 'appearance.js'), '1')
})
afterEach(async () => {
  for (const started of running.splice(0)) await started.stop()
})

type Started = Service & { readonly store: ServerStore; readonly origin: string; readonly socketUrl: string }

const start = async (
  text: string,
  change: Partial<Config> = {},
  options: Partial<ServiceOptions> = {},
): Promise<Started> => {
  const read = readConfig({
    file: { path: 'test.toml', text: text.includes('[listen]') ? text : `${text}\n[listen]\nport = 0\n` },
  })
  if (!read.ok) throw new Error(JSON.stringify(read.mistakes))
  const store = await openServerStore(undefined)
  const service = await startService({
    config: { ...read.config, ...change },
    store,
    log: pino({ level: 'silent' }),
    dist,
    version: '0.0.0',
    random: () => 0,
    ...options,
  })
  const host = `127.0.0.1:${service.port}`
  return stopLater({ ...service, store, origin: `http://${host}`, socketUrl: `ws://${host}/api/websocket` })
}

const client = async (data: object = clientData({ units: [unitData()] })) => stopLater(await startScriptedClient(data))
const machineOf = (
  { address: { host, port } }: { address: { host: string; port: number } },
  commands: readonly string[] = [],
) => `[[machines]]\naddress = "${host}:${port}"\nname = "attic"\ncommands = ${JSON.stringify(commands)}`

const people = () =>
  ['viewer', 'operator', 'administrator']
    .map(role => `[[users]]\nname = "${role}"\nrole = "${role}"\npassword = "${hash}"`)
    .join('\n')
const programs = () =>
  Object.entries(TOKENS)
    .map(
      ([name, token]) =>
        `[[tokens]]\nname = "${name}"\nhash = "${hashSecret(token)}"\nscopes = ["${name === 'old' ? 'control' : name}"]\nexpires = ${name === 'old' ? '2020-01-01' : '2999-01-01'}`,
    )
    .join('\n')

const untilConnected = async ({ origin }: Started, headers: Record<string, string> = {}): Promise<void> => {
  for (;;) {
    const response = await fetch(`${origin}/api/server/machines`, { headers })
    const { machines } = (await response.json()) as { machines: { connected: boolean }[] }
    if (machines.every(({ connected }) => connected)) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

const signIn = async ({ origin }: Started, name: string, password = PASSWORD): Promise<string> => {
  const response = await fetch(`${origin}/api/server/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ name, password, next: '/machines' }),
  })
  expect(response.status).toBe(303)
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^foldboard_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/)
  return cookie.split(';')[0] ?? ''
}

const openPage = async (
  service: Started,
  headers: Record<string, string> = {},
  path = '/api/websocket',
): Promise<TestSocket> => {
  const socket = await openTestSocket(service.socketUrl.replace('/api/websocket', path), {
    Origin: service.origin,
    ...headers,
  })
  running.unshift({ stop: () => socket.drop() })
  return socket
}

const stateOf = async (page: TestSocket) =>
  JSON.parse(await page.next(text => text.startsWith('{'))) as { info: { mach_name: string } }

describe('pages', () => {
  test('any number of pages see a machine through one connection, and get what the machine sends', async () => {
    const attic = await client()
    const service = await start(machineOf(attic))
    await untilConnected(service)
    const pages = await Promise.all([openPage(service), openPage(service)])
    for (const page of pages) expect((await stateOf(page)).info.mach_name).toBe('puppet')
    expect(attic.readers()).toBe(1)
    attic.say(['units', 0, 'wu_progress', 0.5], ['config', 'user', 'ana'])
    for (const page of pages) {
      expect(JSON.parse(await page.next())).toEqual(['units', 0, 'wu_progress', 0.5])
      expect(JSON.parse(await page.next())).toEqual(['config', 'user', 'ana'])
    }
    pages[0].send('{"cmd":"log","enable":true}')
    await attic.nextCommand()
    expect(await attic.nextCommand()).toEqual({ cmd: 'log', enable: true })
    attic.say(['log', ['12:00:00:I1:hello']])
    expect(JSON.parse(await pages[0].next())).toEqual(['log', ['12:00:00:I1:hello']])
    attic.drop()
    for (const page of pages) await page.closed
  })

  test('two machines are two paths of one origin; unknown paths and disconnected machines are refused', async () => {
    const [attic, cellar] = [
      await client(),
      await client(clientData({ info: { id: 'cellar-id', mach_name: 'cellar' } })),
    ]
    const service = await start(
      `${machineOf(attic)}\n${machineOf(cellar).replace('attic', 'cellar')}\n[[machines]]\naddress = "127.0.0.1:9"`,
    )
    const deadline = Date.now() + 10_000
    for (let connected = 0; connected < 2 && Date.now() < deadline;) {
      const { machines } = (await (await fetch(`${service.origin}/api/server/machines`)).json()) as {
        machines: { connected: boolean }[]
      }
      connected = machines.filter(machine => machine.connected).length
    }
    expect((await stateOf(await openPage(service, {}, '/clients/2/api/websocket'))).info.mach_name).toBe('cellar')
    await expect(openPage(service, {}, '/clients/3/api/websocket')).rejects.toThrow('502')
    await expect(openPage(service, {}, '/clients/4/api/websocket')).rejects.toThrow('404')
    const index = await (await fetch(service.origin, { headers: { Accept: 'text/html' } })).text()
    expect(index).toContain('<meta name="foldboard:direct-address" content="self, self/2, self/3">')
  })

  test('a command of a page reaches the machine with the time of the server, if the settings allow it', async () => {
    const attic = await client()
    const service = await start(machineOf(attic, ['state']))
    await untilConnected(service)
    const page = await openPage(service)
    await stateOf(page)
    page.send('{"cmd":"config","config":{"user":"x"},"time":"2020-01-01T00:00:00Z"}')
    page.send('{"cmd":"state","state":"pause","time":"2020-01-01T00:00:00Z"}')
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
    const { time, ...command } = await attic.nextCommand()
    expect(command).toEqual({ cmd: 'state', state: 'pause' })
    expect(Math.abs(Date.parse(String(time)) - Date.now())).toBeLessThan(60_000)
    attic.say(['groups', '', 'config', 'paused', true])
    await page.next(text => text.includes('paused'))
    const { actions } = (await (await fetch(`${service.origin}/api/server/actions`)).json()) as { actions: object[] }
    expect(actions).toMatchObject([
      { who: 'local', machine: 'attic', command: 'pause', reason: 'page', outcome: 'confirmed' },
    ])
    // What would close the machine's connection closes the page's.
    page.send('{"cmd":"dump","unit":"none"}')
    await page.closed
    expect(attic.readers()).toBe(1)
  })

  test('a real protocol: the simulated client of the network, paused and its units recorded through the server', async () => {
    const network = stopLater(
      await startNetwork({
        port: 0,
        data: undefined,
        machines: 0,
        seed: 7,
        keyBits: 1024,
        accountKeyBits: 1024,
        client: { host: '127.0.0.1', port: 9 },
      }),
    )
    const service = await start(`[[machines]]\naddress = "${network.directAddress}"\ncommands = ["state"]`)
    await untilConnected(service)
    const page = await openPage(service)
    let data: object = await stateOf(page)
    page.send('{"cmd":"state","state":"pause"}')
    const isPaused = () =>
      Object.values((data as { groups: Record<string, { config: { paused: boolean } }> }).groups).every(
        ({ config }) => config.paused,
      )
    while (!isPaused())
      data = applyChanges(data, [JSON.parse(await page.next(text => text.startsWith('['))) as unknown as Change])
    const response = await fetch(`${service.origin}/api/server/machines/1/commands`, {
      method: 'POST',
      headers: { Origin: service.origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ command: { cmd: 'state', state: 'fold' }, reason: 'The night begins' }),
    })
    expect(await response.json()).toEqual({ outcome: 'confirmed' })
    expect(await service.store.actions(1)).toMatchObject([
      { command: 'fold', reason: 'The night begins', outcome: 'confirmed' },
    ])
  }, 60_000)
})

test('with a certificate everything is encrypted, and the cookie says so', async () => {
  const { cert, key } = createLoopbackCertificate()
  writeFileSync(join(dist, 'cert.pem'), cert)
  writeFileSync(join(dist, 'key.pem'), key)
  const { port } = await start(
    `${people()}\n[listen]\nport = 0\ncertificate = "${join(dist, 'cert.pem')}"\nprivate-key = "${join(dist, 'key.pem')}"\n`,
  )
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Origin: `https://127.0.0.1:${port}`, 'Content-Type': 'application/x-www-form-urlencoded' }
    requestSecurely(`https://127.0.0.1:${port}/api/server/login`, { method: 'POST', ca: cert, headers }, resolve)
      .on('error', reject)
      .end(new URLSearchParams({ name: 'viewer', password: PASSWORD }).toString())
  })
  answer.resume()
  expect([answer.statusCode, answer.headers['set-cookie']?.[0]]).toEqual([303, expect.stringMatching(/; Secure$/)])
})

describe('who may do what', () => {
  /** Which statuses an answer may have for somebody: everything but a refusal is `allowed`. */
  const callers = [
    'nobody',
    'viewer',
    'operator',
    'administrator',
    'token read',
    'token metrics',
    'token control',
    'token inputs',
    'token old',
  ] as const
  const ALLOWED: Readonly<Record<RouteSpec['need'], readonly (typeof callers)[number][]>> = {
    public: [...callers],
    metrics: ['viewer', 'operator', 'administrator', 'token read', 'token metrics'],
    view: ['viewer', 'operator', 'administrator', 'token read', 'token control'],
    inputs: ['operator', 'administrator', 'token control', 'token inputs'],
    control: ['operator', 'administrator', 'token control'],
    administer: ['administrator'],
  }

  test('each route refuses exactly those callers who may not use it', async () => {
    const attic = await client()
    const service = await start(`${machineOf(attic, ['state'])}\n${people()}\n${programs()}`)
    await untilConnected(service, { Authorization: `Bearer ${TOKENS.read}` })
    const found: string[] = []
    for (const caller of callers) {
      const [kind, name = ''] = caller.split(' ')
      const cookies = kind === 'token' || caller === 'nobody' ? undefined : await signIn(service, caller)
      for (const [route, { method, path, need }] of Object.entries<RouteSpec>(routes)) {
        if (route === 'logout') continue
        const aborted = new AbortController()
        const response = await fetch(`${service.origin}${path.replace(':number', '1').replace(':name', 'price')}`, {
          method,
          signal: aborted.signal,
          headers: {
            ...(method === 'post' ? { Origin: service.origin } : {}),
            ...(cookies === undefined ? {} : { Cookie: cookies }),
            ...(kind === 'token' ? { Authorization: `Bearer ${TOKENS[name as keyof typeof TOKENS]}` } : {}),
          },
          // It is not valid: a caller who may use the route learns that.
          ...(method === 'post' ? { body: '{}' } : {}),
        })
        const isRefused = response.status === 401 || response.status === 403
        if (isRefused === ALLOWED[need].includes(caller)) found.push(`${caller} ${route}: ${response.status}`)
        aborted.abort()
      }
    }
    expect(found).toEqual([])
  })

  test('a viewer sees a machine, and what a viewer sends is dropped; an operator controls it until signed out', async () => {
    const attic = await client()
    const service = await start(`${machineOf(attic, ['state'])}\n${people()}\n${programs()}`)
    const viewer = { Cookie: await signIn(service, 'viewer') }
    const operator = { Cookie: await signIn(service, 'operator') }
    await untilConnected(service, viewer)
    await expect(openPage(service)).rejects.toThrow('401')
    const [one, other] = [await openPage(service, viewer), await openPage(service, operator)]
    await stateOf(one)
    await stateOf(other)
    one.send('{"cmd":"state","state":"pause"}')
    other.send('{"cmd":"state","state":"finish"}')
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'finish' })
    expect(await service.store.actions(10)).toMatchObject([{ who: 'operator' }])

    const logout = await fetch(`${service.origin}/api/server/logout`, {
      method: 'POST',
      headers: { Origin: service.origin, ...operator },
    })
    expect(logout.status).toBe(200)
    await other.closed
    await expect(openPage(service, operator)).rejects.toThrow('401')
    attic.say(['config', 'user', 'ana'])
    expect(await one.next()).toContain('ana')
  })

  test('other origins and rebound host names are refused, for pages, sockets and forms', async () => {
    const service = await start(`${machineOf(await client())}\n${people()}\n${programs()}`)
    const cookie = await signIn(service, 'administrator')
    await untilConnected(service, { Cookie: cookie })
    await expect(openPage(service, { Cookie: cookie, Origin: 'https://evil.example' })).rejects.toThrow('403')
    const post = (origin?: string) =>
      fetch(`${service.origin}/api/server/logout`, {
        method: 'POST',
        headers: { Cookie: cookie, ...(origin === undefined ? {} : { Origin: origin }) },
      })
    expect((await post('https://evil.example')).status).toBe(403)
    expect((await post()).status).toBe(403)
    const rebound = (path: string, headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request(`${service.origin}${path}`, { headers: { Host: 'evil.example', ...headers } }, response =>
          resolve(response.statusCode),
        )
          .on('error', reject)
          .end()
      })
    expect(await rebound('/machines', { Cookie: cookie })).toBe(421)
    expect(await rebound('/metrics', { Cookie: cookie })).toBe(421)
    expect(await rebound('/healthz', {})).toBe(200)
    // A program names the server as it likes, and needs a token.
    expect(await rebound('/metrics', { Authorization: `Bearer ${TOKENS.metrics}` })).toBe(200)
    expect(await rebound('/metrics', { Authorization: `Bearer ${TOKENS.old}`, Cookie: cookie })).toBe(401)
  })

  test('a page that needs a login leads to the form, which leads back to this server only', async () => {
    const service = await start(people())
    const asked = await fetch(`${service.origin}/machines?a=1`, {
      redirect: 'manual',
      headers: { Accept: 'text/html' },
    })
    expect([asked.status, asked.headers.get('location')]).toEqual([303, '/api/server/login?next=%2Fmachines%3Fa%3D1'])
    expect((await fetch(`${service.origin}/machines`)).status).toBe(401)
    expect((await fetch(`${service.origin}/appearance.js`)).status).toBe(200)
    const form = await fetch(
      `${service.origin}/api/server/login?next=${encodeURIComponent('//evil.example/"><script>')}`,
    )
    expect(form.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(await form.text()).toContain('name="next" value="/"')
    const cookie = await signIn(service, 'viewer')
    expect((await fetch(`${service.origin}/machines`, { headers: { Cookie: cookie } })).status).toBe(200)
  })

  test('wrong passwords are slowed down, and large forms are not read', async () => {
    const service = await start(people())
    const attempt = (body: string, name = 'viewer') =>
      fetch(`${service.origin}/api/server/login`, {
        method: 'POST',
        headers: { Origin: service.origin },
        body: new URLSearchParams({ name, password: body }),
      })
    expect((await attempt('x'.repeat(20_000))).status).toBe(413)
    const statuses: number[] = []
    for (let count = 0; count < 11; count++)
      statuses.push((await attempt('wrong', count % 2 === 0 ? 'viewer' : 'nobody')).status)
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
    expect((await attempt(PASSWORD)).status).toBe(429)
  })

  test('a proxy at a trusted address names the user and the address; the header of anybody else means nothing', async () => {
    const config = `${people()}\n[proxy]\nuser-header = "Remote-User"\naddresses = `
    const trusted = await start(`${config}["127.0.0.1"]`)
    const whoAmI = (service: Started) =>
      fetch(`${service.origin}/api/server/session`, { headers: { 'Remote-User': 'operator' } })
    expect(await (await whoAmI(trusted)).json()).toMatchObject({ name: 'operator', role: 'operator' })
    const other = await start(`${config}["10.0.0.1"]`)
    expect((await whoAmI(other)).status).toBe(401)
  })
})

describe('enrolling an account in the page', () => {
  const form = (service: Started, headers: Record<string, string>, path = '/api/server/enroll') =>
    fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { Origin: service.origin, ...headers },
      body: new URLSearchParams({ email: 'ana@example.org', passphrase: 'a secret phrase' }),
    })

  test('needs TLS or the computer of the server, and attempts are counted', async () => {
    const asked: string[] = []
    const enroll = (email: string) => {
      asked.push(email)
      return Promise.reject(new StartError('Email or passphrase is <wrong>.'))
    }
    const service = await start(`${people()}\n[proxy]\naddresses = ["127.0.0.1"]`, {}, { enroll })
    const cookie = { Cookie: await signIn(service, 'administrator') }
    const page = async (proto: string) =>
      (
        await fetch(`${service.origin}/api/server/enroll`, { headers: { ...cookie, 'X-Forwarded-Proto': proto } })
      ).text()
    expect(await page('http')).toContain('may only be sent over TLS')
    expect(await page('http')).not.toContain('<form')
    expect(await page('https')).toContain('name="passphrase"')
    expect((await form(service, { ...cookie, 'X-Forwarded-Proto': 'http' })).status).toBe(409)
    expect(asked).toEqual([])
    const secure = { ...cookie, 'X-Forwarded-Proto': 'https', Origin: service.origin.replace('http', 'https') }
    const refused = await form(service, secure)
    const text = await refused.text()
    expect([refused.status, text.includes('Email or passphrase is &lt;wrong&gt;.')]).toEqual([422, true])
    expect(text).not.toContain('a secret phrase')
    for (let attempt = 2; attempt <= 5; attempt++) expect((await form(service, secure)).status).toBe(422)
    expect((await form(service, secure)).status).toBe(429)
    expect(asked).toHaveLength(5)
    expect((await form(service, { ...secure, Origin: 'https://evil.example' })).status).toBe(403)
  })

  test('is not possible where the server has an account of its own', async () => {
    const service = await start('')
    const answer = await form(service, {})
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('has an account of its own')])
  })
})

test('history: units that ended are stored once, told to readers at once, counted, and exported', async () => {
  const attic = await client()
  const service = await start(machineOf(attic))
  await untilConnected(service)
  const events = await fetch(`${service.origin}/api/server/events`)
  const reader = events.body?.getReader()
  const ended = {
    id: '=1+1',
    group: 'night',
    result: 'credited',
    end_time: '2027-01-01T00:00:00Z',
    cpus: 4,
    gpus: [],
    assignment: { project: 18_201, credit: 1000 },
  }
  expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus', enable: true })
  attic.say(['wus', [ended]])
  let text = ''
  while (!text.includes('event: units')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
  await reader?.cancel()
  attic.say(['wus', [ended]])
  const get = async (path: string) => (await fetch(`${service.origin}${path}`)).text()
  expect(JSON.parse(await get('/api/server/units'))).toMatchObject({
    units: [{ group: 'night', project: 18_201, credit: 1000, ended: '2027-01-01T00:00:00.000Z' }],
    next: null,
  })
  expect(await get('/api/server/units?format=csv')).toContain(`'=1+1`)
  expect(await get('/metrics')).toContain('foldboard_units_ended_total{machine="attic",result="credited"} 1')
  expect(await get('/metrics')).toContain('foldboard_machine_up{machine="attic"} 1')
  expect((await fetch(`${service.origin}/api/server/units?from=soon`)).status).toBe(400)
  const description = JSON.parse(await get('/api/server/openapi.json')) as {
    paths: Record<string, Record<string, unknown>>
  }
  expect(Object.keys(description.paths).sort()).toEqual(
    [...new Set(Object.values(routes).map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')))].sort(),
  )
})

describe('schedules', () => {
  type Answer = {
    revision: string
    inputs: object[]
    subjects: { condition: string; wanted: string; because: string; override: object | null }[]
  }
  const call = async (service: Started, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.origin}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Origin: service.origin, ...headers },
    })
    return { status: response.status, json: (await response.json()) as Answer }
  }
  const always = (change: object = {}) => ({
    id: 'all',
    name: 'Always',
    isEnabled: true,
    targets: [{ kind: 'tag', name: 'warm' }],
    timeZone: 'Europe/Berlin',
    rules: [],
    otherwise: 'pause',
    finishMinutes: 0,
    ...change,
  })

  test('are kept on the machine, wait for a person, and say why', async () => {
    const attic = await client(clientData({ groups: { '': { config: { paused: false, finish: false } } } }))
    const service = await start(`${machineOf(attic, ['state'])}\ntags = ["warm"]`)
    await untilConnected(service)
    const page = await openPage(service)
    await stateOf(page)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'wus' })
    const { revision } = (await call(service, '/api/server/schedules')).json
    const saved = await call(service, '/api/server/schedules', { revision, schedules: [always()] })
    expect(saved.status).toBe(200)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'pause' })
    attic.say(['groups', '', 'config', 'paused', true])
    const until = async (condition: string): Promise<Answer> => {
      for (;;) {
        const { json } = await call(service, '/api/server/schedules')
        if (json.subjects[0]?.condition === condition) return json
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
    expect((await until('kept')).subjects).toMatchObject([
      { wanted: 'pause', because: 'Schedule “Always”: no rule applies', override: null },
    ])
    expect(await service.store.actions(1)).toMatchObject([
      { who: 'schedules', command: 'pause', reason: 'Schedule “Always”: no rule applies', outcome: 'confirmed' },
    ])
    // Of two changes of the same schedules, the second is refused.
    expect((await call(service, '/api/server/schedules', { revision, schedules: [] })).status).toBe(409)
    expect(
      (await call(service, '/api/server/schedules', { revision, schedules: [always({ timeZone: 'x' })] })).status,
    ).toBe(400)

    expect((await call(service, '/api/server/machines/1/override', { state: 'fold', minutes: 120 })).status).toBe(200)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'fold' })
    attic.say(['groups', '', 'config', 'paused', false])
    expect((await until('kept')).subjects).toMatchObject([{ wanted: 'fold', override: { by: 'local' } }])
    expect((await call(service, '/api/server/machines/1/override', { state: 'fold', group: 'none' })).status).toBe(404)
    expect((await call(service, '/api/server/machines/2/override', { state: 'fold' })).status).toBe(404)
    expect((await call(service, '/api/server/machines/1/follow', {})).status).toBe(200)
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'pause' })
    attic.say(['groups', '', 'config', 'paused', true])

    // A command of a page wins until the next boundary.
    await until('kept')
    page.send('{"cmd":"state","state":"finish"}')
    expect(await attic.nextCommand()).toMatchObject({ cmd: 'state', state: 'finish' })
    attic.say(['groups', '', 'config', 'paused', false], ['groups', '', 'config', 'finish', true])
    for (let by: unknown; by !== 'local';) {
      const { json } = await call(service, '/api/server/schedules')
      by = (json.subjects[0]?.override as { by?: string } | null)?.by
    }
    const kept = await service.store.schedules.load(0)
    expect(kept).toMatchObject({
      schedules: [{ id: 'all' }],
      states: { [Object.keys(kept.states)[0] ?? '']: { saved: { override: { state: 'finish' } } } },
    })
  })

  test('inputs come from programs with their own scope, and only where the settings allow it anything is sent', async () => {
    const attic = await client()
    const service = await start(`${machineOf(attic)}\ntags = ["warm"]\n${people()}\n${programs()}`)
    const token = { Authorization: `Bearer ${TOKENS.inputs}` }
    expect((await call(service, '/api/server/inputs/price', { value: 12.5 }, token)).status).toBe(200)
    expect((await call(service, '/api/server/inputs/Not a name', { value: 1 }, token)).status).toBe(400)
    expect((await call(service, '/api/server/inputs/price', { value: 'high' }, token)).status).toBe(400)
    expect((await call(service, '/api/server/schedules', undefined, token)).status).toBe(403)
    const operator = { Cookie: await signIn(service, 'operator') }
    const { json } = await call(service, '/api/server/schedules', undefined, operator)
    expect(json.inputs).toMatchObject([{ name: 'price', value: 12.5 }])
    expect((await call(service, '/api/server/machines/1/override', { state: 'pause' }, operator)).status).toBe(403)
    expect((await call(service, '/api/server/session', undefined, operator)).json).toMatchObject({
      name: 'operator',
      mayControl: true,
      canSignOut: true,
      machines: [{ number: 1, commands: [] }],
    })
    const viewer = { Cookie: await signIn(service, 'viewer') }
    expect((await call(service, '/api/server/session', undefined, viewer)).json).toMatchObject({ mayControl: false })
  })
})

describe('pages of this server', () => {
  const callJson = async (service: Started, path: string, body?: object, cookie?: string) => {
    const response = await fetch(`${service.origin}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Origin: service.origin, ...(cookie === undefined ? {} : { Cookie: cookie }) },
    })
    return { status: response.status, json: (await response.json()) as unknown }
  }

  test('read the history, and give the units that only they have, once and only of known machines', async () => {
    const attic = await client()
    const service = await start(machineOf(attic))
    await untilConnected(service)
    const ended = { id: 'u1', group: '', result: 'credited', end_time: '2027-01-01T00:00:00Z', run_time: 1000, ppd: 9 }
    attic.say(['wus', [{ ...ended, wu_progress: 1, assignment: { project: 18200, credit: 7 } }]])
    await expect.poll(async () => (await service.store.units({}, 10)).units.length, { timeout: 10_000 }).toBe(1)
    const id =
      ((await callJson(service, '/api/server/machines')).json as { machines: { id: string }[] }).machines[0]?.id ?? ''
    const own = [
      { machine: id, ...ended, ppd: 8 },
      { machine: id, ...ended, id: 'u0', end_time: '2026-01-01T00:00:00Z' },
      { machine: 'unknown', ...ended, id: 'u9' },
      { machine: id, id: 'running', number: 3 },
    ]
    const body = {
      machines: [
        { id, name: 'Attic' },
        { id: 'unknown', name: 'x' },
      ],
      units: own,
    }
    expect((await callJson(service, '/api/server/history', body)).json).toEqual({ taken: 1, known: 1 })
    expect((await callJson(service, '/api/server/history', body)).json).toEqual({ taken: 0, known: 2 })
    const read = async (path: string) => (await callJson(service, path)).json as HistoryAnswer
    const json = await read('/api/server/history?limit=1')
    const rest = await read(`/api/server/history?limit=1&after=${encodeURIComponent(json.next ?? '')}`)
    expect([json.machines.map(machine => machine.id), rest.machines, rest.next]).toEqual([[id], [], null])
    expect([...json.units, ...rest.units]).toMatchObject([
      { unit: 'u1', pointsPerDay: 9, tpf: 10, progress: 1, project: 18200 },
      { unit: 'u0', runTime: 1000 },
    ])
    // What a page makes of it is the unit that the client reported.
    const { units } = excerptOf(json)
    expect(units).toMatchObject([
      {
        key: `${id} u1`,
        machine: id,
        unit: { id: 'u1', end_time: '2027-01-01T00:00:00Z', run_time: 1000, tpf_secs: 10 },
      },
    ])
    expect(await service.store.actions(5)).toMatchObject([{ command: 'take in 1 units of a page', who: 'local' }])
    expect((await callJson(service, '/api/server/history', { machines: [], units: [{ id: 'x' }] })).status).toBe(400)
  })

  test('have tags and views in common: an operator changes them, others are told', async () => {
    const service = await start(`${machineOf(await client())}\n${people()}\n${programs()}`)
    const [viewer, operator] = [await signIn(service, 'viewer'), await signIn(service, 'operator')]
    const events = await fetch(`${service.origin}/api/server/events`, { headers: { Cookie: viewer } })
    const reader = events.body?.getReader()
    const change = (body: object, cookie: string) => callJson(service, '/api/server/shared', body, cookie)
    const add = { type: 'tags.add', machines: ['a'], tag: ' attic ' }
    expect((await change(add, viewer)).status).toBe(403)
    expect(await change(add, operator)).toEqual({ status: 200, json: { revision: '1' } })
    expect(await change({ type: 'views.save', name: 'Paused', params: { filter: 'x', other: 'y' } }, operator)).toEqual(
      {
        status: 200,
        json: { revision: '2' },
      },
    )
    expect((await change({ type: 'views.move', name: 'Paused', by: 5 }, operator)).status).toBe(400)
    let text = ''
    while (!text.includes('event: shared')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
    await reader?.cancel()
    expect((await callJson(service, '/api/server/session', undefined, viewer)).json).toMatchObject({ shared: '2' })
    expect((await callJson(service, '/api/server/shared', undefined, viewer)).json).toEqual({
      revision: '2',
      tags: { a: ['attic'] },
      views: { views: [{ name: 'Paused', params: { filter: 'x' } }] },
    })
    // A list of many machines is larger than other bodies may be.
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`m${at}`, ['x'.repeat(900)]]))
    expect(await change({ type: 'tags.import', tags: many, mode: 'replace' }, operator)).toMatchObject({ status: 200 })
  })

  test('see channels, people and trials as administrators, and subscribe browsers of their users', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foldboard-push-'))
    const service = await start(
      `${machineOf(await client())}\n${people()}\n${programs()}
[store]
folder = "${folder}"
[[channels]]
name = "browser"
kind = "push"
contact = "mailto:ana@example.org"
[[channels]]
name = "hook"
kind = "webhook"
url = "http://127.0.0.1:9/"
[[alerts]]
name = "ana"
channels = ["browser", "hook"]
quiet = { from = "22:00", until = "07:00", zone = "Europe/Berlin", except = ["grave"] }`,
    )
    const admin = await signIn(service, 'administrator')
    const viewer = await signIn(service, 'viewer')
    const alerts = async () => (await callJson(service, '/api/server/alerts', undefined, admin)).json as AlertsAnswer
    const before = await alerts()
    expect(before.channels).toEqual([
      { name: 'browser', kind: 'push', last: null, waiting: 0, retrying: 0 },
      { name: 'hook', kind: 'webhook', last: null, waiting: 0, retrying: 0 },
    ])
    expect(before.people).toMatchObject([
      { name: 'ana', channels: ['browser', 'hook'], kinds: null, escalateMinutes: 30, quiet: { except: ['grave'] } },
    ])
    expect((await callJson(service, '/api/server/alerts/test', { channel: 'hook' }, admin)).json).toMatchObject({
      outcome: 'failed',
    })
    const after = await alerts()
    expect(after.channels[1]?.last).toMatchObject({ outcome: 'failed', isTrial: true })
    expect(v.safeParse(alertsAnswer, after).success).toBe(true)

    const keys = { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) }
    const subscribe = (endpoint: string, cookie: string) =>
      callJson(service, '/api/server/push/subscribe', { endpoint, keys }, cookie)
    expect((await subscribe('https://10.0.0.1/x', viewer)).status).toBe(400)
    expect((await subscribe('https://fcm.googleapis.com/fcm/send/a', viewer)).json).toMatchObject({ browsers: 1 })
    expect((await callJson(service, '/api/server/push', undefined, admin)).json).toMatchObject({ browsers: 0 })
    const gone = { endpoint: 'https://fcm.googleapis.com/fcm/send/a' }
    await callJson(service, '/api/server/push/unsubscribe', gone, admin)
    expect(await service.store.push.list('viewer')).toHaveLength(1)
    expect((await callJson(service, '/api/server/push/unsubscribe', gone, viewer)).json).toMatchObject({ browsers: 0 })
    const token = await fetch(`${service.origin}/api/server/push/subscribe`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKENS.read}` },
      body: JSON.stringify({ endpoint: gone.endpoint, keys }),
    })
    expect(token.status).toBe(403)
  })
})

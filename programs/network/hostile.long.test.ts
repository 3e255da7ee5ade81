import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectSecurely, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLoopbackCertificate } from './certificate.ts'
import { chance, pick } from './clients/random.ts'
import { part } from '../../test/network/test-client.ts'
import { startNetwork } from './index.ts'
import type { Network } from './index.ts'
import { createRelay } from './node/relay.ts'
import type { Relay } from './node/relay.ts'
import { createBroadcastStore } from './node/broadcast-store.ts'
import { openTestSocket } from '../../test/network/test-socket.ts'
import { openPage, signIn } from '../../test/network/page.ts'
import type { SignedIn } from '../../test/network/page.ts'

/** What peers can do to connections, tried on every port. None of it may end or block anything else. */

const REQUEST_MS = 300
const SEED = 20_261_122

let network: Network
let secureRelay: Relay
let me: SignedIn
const uncaught: unknown[] = []
const lines: string[] = []
function noteUncaught(error: unknown): void {
  uncaught.push(error)
}

beforeAll(async () => {
  process.on('uncaughtException', noteUncaught)
  process.on('unhandledRejection', noteUncaught)
  network = await startNetwork({
    port: 0,
    seed: 3,
    machines: 1,
    accountKeyBits: 2_048,
    keyBits: 1_024,
    commandDelayMs: 0,
    relayPaceMs: 0,
    reconnectMs: 100,
    retryMs: 200,
    requestMs: REQUEST_MS,
    client: { host: '127.0.0.1', port: 1 },
    dist: '/nowhere',
    report: line => {
      lines.push(line)
    },
  })
  await network.online()
  me = await signIn(network.apiUrl, network.account)
  secureRelay = createRelay({
    port: 0,
    broadcasts: createBroadcastStore([], () => undefined),
    paceMs: 0,
    tls: createLoopbackCertificate(),
    requestMs: REQUEST_MS,
  })
  await secureRelay.start()
})

afterAll(async () => {
  await secureRelay.stop()
  await network.stop()
  process.off('uncaughtException', noteUncaught)
  process.off('unhandledRejection', noteUncaught)
})

type Target = { name: string; port: number; path: string; origin: string | undefined; isSecure?: boolean }

function portOf(url: string): number {
  return Number(new URL(url).port)
}

function targets(): readonly Target[] {
  const origin = network.dashboardUrl
  const relay = portOf(network.nodeUrl)
  return [
    { name: 'dashboard', port: portOf(network.dashboardUrl), path: '/api/websocket', origin },
    { name: 'API and provider', port: portOf(network.apiUrl), path: '/provider', origin: undefined },
    { name: 'statistics', port: portOf(network.apiUrl), path: '/statistics', origin },
    { name: 'relay, pages', port: relay, path: '/ws/account', origin },
    { name: 'relay, machines', port: relay, path: '/ws/client', origin: undefined },
    { name: 'local client', port: portOf(`ws://${network.directAddress}`), path: '/api/websocket', origin: undefined },
    { name: 'relay with TLS', port: secureRelay.port(), path: '/ws/account', origin: undefined, isSecure: true },
  ]
}

const TRIES = 5

async function open(
  target: Target,
  speaksTls = target.isSecure,
  allowHalfOpen = false,
  tries = TRIES,
): Promise<Socket> {
  const { port } = target
  const socket =
    speaksTls === true
      ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect({ port, host: '127.0.0.1', allowHalfOpen })
  socket.on('error', () => undefined)
  try {
    await once(socket, speaksTls === true ? 'secureConnect' : 'connect')
    return socket.resume()
  } catch (error) {
    // On a busy client many TLS handshakes at once take longer than the time for a request.
    if (speaksTls !== true || tries <= 1) throw error
    return open(target, speaksTls, allowHalfOpen, tries - 1)
  }
}

/** Whether the connection was closed or reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    if (socket.closed) resolve()
    else
      socket.once('close', () => {
        resolve()
      })
  })
}

function handshake({ port, path, origin }: Target, headers: Record<string, string> = {}): string {
  const all = {
    Host: `localhost:${port}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...(origin === undefined ? {} : { Origin: origin }),
    ...headers,
  }
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${fields.join('')}\r\n`
}

/** A masked frame with a mask of zeros. `length` is the declared length. */
function frame(opcode: number, payload: Buffer, length = payload.length, fin = true): Buffer {
  const head = Buffer.alloc(14)
  head[0] = (fin ? 0x80 : 0) | opcode
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}

function noise(length: number, ...keys: readonly (string | number)[]): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => Math.floor(256 * chance(SEED, ...keys, index))))
}

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** Invalid data after a handshake, sent to every kind of socket. */
const afterHandshake: Readonly<Record<string, (turn: number) => readonly Buffer[]>> = {
  nothing: () => [],
  garbage: turn => [noise(200, 'frames', turn)],
  'an opcode that does not exist': () => [frame(0xb, Buffer.from('x'))],
  'text that is no UTF-8': () => [frame(1, Buffer.from([0xff, 0xfe, 0xc3, 0x28]))],
  'a frame that says it is huge': () => [frame(1, Buffer.from('{'), 2 ** 52)],
  'a frame above every limit': () => [frame(1, Buffer.alloc(2_000_000, 'x'))],
  'an unfinished message': () => [frame(1, Buffer.from('{"type":'), undefined, false)],
  'a continuation of nothing': () => [frame(0, Buffer.from('x'))],
  'a long ping': () => [frame(9, Buffer.alloc(200, 'x'))],
  'many pings': () => Array.from({ length: 200 }, () => frame(9, Buffer.from('p'))),
  'a close code that does not exist': () => [frame(8, Buffer.from([0, 1]))],
  'an unmasked frame': () => [Buffer.from([0x81, 0x02, 0x68, 0x69])],
  'messages that are not understood': () =>
    ['', 'x', 'null', '[]', '{}', '{"type":"login"}', '{"type":"login","payload":{"time":"","session":""}}'].map(text =>
      frame(1, Buffer.from(text)),
    ),
  'a login with keys that are none': () => {
    const login = { type: 'login', payload: { time: new Date().toISOString(), session: 's', account: 'a', key: 'k' } }
    return ['', 'AAAA', 'x'.repeat(5_000)].map(pubkey =>
      frame(1, Buffer.from(JSON.stringify({ ...login, pubkey, signature: pubkey }))),
    )
  },
  'nested too deeply': () => [frame(1, Buffer.from(deep)), frame(1, Buffer.from(`{"cmd":"config","config":${deep}}`))],
}

/** Invalid and unusual requests. */
const requests: Readonly<Record<string, (target: Target, turn: number) => string | Buffer>> = {
  garbage: (_target, turn) => noise(300, 'request', turn),
  'a header without end': () => `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}`,
  'many headers': () => `GET / HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(20_000)}\r\n`,
  'no host': () => 'GET / HTTP/1.1\r\n\r\n',
  'a host that is none': () => 'GET / HTTP/1.1\r\nHost: [\r\n\r\n',
  'two slashes': () => 'GET // HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an address that is none': () => 'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a broken escape': () => 'GET /%E0%A4%A?%=% HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an asterisk': () => 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'a tunnel': () => 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'an upgrade to something else': target => handshake(target, { Upgrade: 'h2c' }),
  'an upgrade elsewhere': target => handshake({ ...target, path: '/elsewhere' }),
  'an upgrade from elsewhere': target => handshake(target, { Origin: 'https://evil.example' }),
  'an old version of WebSockets': target => handshake(target, { 'Sec-WebSocket-Version': '8' }),
  'a key that is none': target => handshake(target, { 'Sec-WebSocket-Key': 'x' }),
  'two lengths': () =>
    'PUT /account HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'a broken chunk': () =>
    'PUT /register HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n',
  'a body that breaks off': () =>
    `PUT /reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n{"email":"${'x'.repeat(1_000)}`,
  'a body that is too large': () =>
    `PUT /register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(2_000_000)}`,
  'one request after another': () => 'GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50),
}

/** Ways to end a connection. */
const endings: Readonly<Record<string, (socket: Socket) => void>> = {
  reset: socket => {
    // Node cannot reset a TLS connection.
    if (socket instanceof TLSSocket || socket.destroyed) socket.destroy()
    else socket.resetAndDestroy()
  },
  close: socket => {
    socket.destroy()
  },
  'half-close': socket => {
    socket.end()
  },
}

function settled(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 10)
  })
}

/** Sends a part of the text, in one or two pieces, and ends the connection in one of these ways. */
async function attack(target: Target, texts: readonly (string | Buffer)[], turn: number): Promise<void> {
  const keys = [target.name, turn]
  const socket = await open(target)
  const whole = Buffer.concat(texts.map(text => Buffer.from(text)))
  const isWhole = chance(SEED, ...keys, 'whole') < 0.5
  const length = isWhole ? whole.length : Math.floor(chance(SEED, ...keys, 'length') * whole.length)
  const cut = Math.floor(chance(SEED, ...keys, 'cut') * length)
  socket.write(whole.subarray(0, cut))
  if (chance(SEED, ...keys, 'pause') < 0.3) await settled()
  if (!socket.destroyed) socket.write(whole.subarray(cut, length))
  if (chance(SEED, ...keys, 'wait') < 0.5) await settled()
  pick(Object.values(endings), SEED, ...keys, 'end')(socket)
  await closed(socket)
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, timeout: 5_000 }, response => {
      response.resume().once('end', () => {
        resolve(response.statusCode)
      })
    }).on('error', reject)
  })
}

/** Expects every port to work. */
async function expectAllToAnswer(): Promise<void> {
  expect(await statusOf(network.dashboardUrl)).toBe(503)
  expect(await statusOf(`${network.apiUrl}/release/latest.json`)).toBe(200)
  expect(await statusOf(`${network.nodeUrl.replace('ws', 'http')}/ping`)).toBe(200)
  expect(await statusOf(`http://${network.directAddress}/ping?callback=f`)).toBe(200)

  const statistics = await openTestSocket(`${network.apiUrl.replace('http', 'ws')}/statistics`)
  statistics.send('{"type":"subscribe","timeseries":"team.score","team":4242,"$ref":"r"}')
  expect(await statistics.next()).toContain('"$ref":"r"')
  statistics.drop()

  const passed = await openTestSocket(`${network.dashboardUrl.replace('http', 'ws')}/api/websocket`, {
    Origin: network.dashboardUrl,
  })
  expect(await passed.next()).toContain(network.local.id)
  passed.drop()

  const page = await openPage(network.nodeUrl, me.keys)
  const [client] = network.clients()
  const opened = await page.client(client?.id ?? '')
  expect((await opened.until(() => true)).info.id).toBe(client?.id)
  page.drop()
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter(name => name === 'TCPSocketWrap').length
}

test(
  'whatever peers do to their connections, every port still answers and no connection stays',
  { timeout: 30_000 },
  async () => {
    await expectAllToAnswer()
    const before = openSockets()
    let turn = 0
    for (const target of targets()) {
      const attacks = [
        ...Object.values(requests).map(request => (round: number) => [request(target, round)]),
        ...Object.values(afterHandshake).map(frames => (round: number) => [handshake(target), ...frames(round)]),
      ]
      for (let round = 0; round < 3; round += 1)
        await Promise.all(attacks.map(texts => attack(target, texts(round), (turn += 1))))
    }

    await expectAllToAnswer()
    expect(uncaught).toEqual([])
    expect(lines.filter(line => line.includes('failed'))).toEqual([])
    await expect.poll(openSockets, { timeout: 5_000 }).toBeLessThanOrEqual(before)
  },
)

test.each(['reset', 'half-close'])('a %s at every stage of a handshake ends that connection alone', async end => {
  for (const target of targets()) {
    const text = handshake(target)
    const stages = [0, 1, text.length - 2, text.length - 1, text.length]
    await Promise.all(
      stages.map(async stage => {
        const socket = await open(target)
        socket.write(text.slice(0, stage))
        endings[end]?.(socket)
        await closed(socket)
      }),
    )
  }

  await expectAllToAnswer()
  expect(uncaught).toEqual([])
})

const slow: readonly (readonly [string, (target: Target) => string])[] = [
  ['says nothing', () => ''],
  ['never ends its headers', () => 'GET / HTTP/1.1\r\nHost: localhost\r\nX: '],
  ['never sends its body', () => 'PUT /register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{'],
]

test.each(slow)('a peer that %s is dropped, on every port', async (_what, text) => {
  await Promise.all(
    targets().map(async target => {
      const socket = await open(target)
      socket.write(text(target))
      await closed(socket)
    }),
  )
})

test('a half-open connection is dropped after a refusal', async () => {
  const before = openSockets()
  const plain = targets().filter(({ isSecure }) => isSecure !== true)
  const peers = await Promise.all(plain.map(target => open(target, false, true)))
  for (const [index, socket] of peers.entries()) {
    const target = plain[index]
    if (target !== undefined) socket.write(handshake({ ...target, path: '/elsewhere' }))
  }

  await expect.poll(openSockets, { timeout: 5_000 }).toBeLessThanOrEqual(before + peers.length)
  for (const socket of peers) socket.destroy()
})

test('an invalid node in an account disconnects its clients, which log in again after a correction', async () => {
  const account = await me.account()
  const client = network.clients()[0]
  if (client === undefined) throw new Error('No machine')
  expect((await me.api('PUT', '/account', { node: '127.0.0.1:99999', team: 99 })).status).toBe(200)
  network.relay.dropClient(client.id)
  // It has read its account, and with it the node.
  await expect.poll(() => part(client.client.snapshotForStore(), 'config', 'team')).toBe(99)
  expect(client.isOnline()).toBe(false)
  expect((await me.api('PUT', '/account', { node: account.node ?? '', team: account.team ?? 0 })).status).toBe(200)

  await expect.poll(() => client.isOnline(), { timeout: 10_000 }).toBe(true)
  expect(uncaught).toEqual([])
})

test('connections without a complete TLS handshake are dropped', async () => {
  const target = targets().find(({ isSecure }) => isSecure)
  if (target === undefined) throw new Error('No port with TLS')
  const silent = await open(target, false)
  const wrong = await open(target, false)
  wrong.write('GET / HTTP/1.1\r\n\r\n')

  await Promise.all([closed(silent), closed(wrong)])
  expect(uncaught).toEqual([])
})

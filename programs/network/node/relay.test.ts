import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  createBroadcast,
  createLogin,
  createSessionCipher,
  openClientLogin,
} from '../../../src/protocol/crypto/envelope.ts'
import { generateKeyPair } from '../../../src/protocol/crypto/keys.ts'
import type { AccountKeys } from '../../../src/protocol/crypto/keys.ts'
import { createClientLogin } from '../../../test/client-envelope.ts'
import { decodeNodeToClientMessage, decodeRelayMessage } from '../../../src/protocol/relay/relay-message.ts'
import { openTestSocket } from '../../../test/network/test-socket.ts'
import type { TestSocket } from '../../../test/network/test-socket.ts'
import { createRelay } from './relay.ts'
import type { Relay, RelayOptions } from './relay.ts'
import { createBroadcastStore } from './broadcast-store.ts'

const account = await generateKeyPair(2048)
const clientKeys = await generateKeyPair(2048)
function now(): string {
  return new Date().toISOString()
}
const relays: Relay[] = []
const sockets: TestSocket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.drop()
  for (const relay of relays.splice(0)) await relay.stop()
})

async function startRelay(options: Partial<RelayOptions> = {}): Promise<Relay> {
  const relay = createRelay({ port: 0, broadcasts: createBroadcastStore([], () => undefined), paceMs: 0, ...options })
  await relay.start()
  relays.push(relay)
  return relay
}

async function open(relay: Relay, side: 'account' | 'client'): Promise<TestSocket> {
  const socket = await openTestSocket(`ws://127.0.0.1:${relay.port()}/ws/${side}`)
  sockets.push(socket)
  return socket
}

async function page(relay: Relay, session = 'page-1', keys: AccountKeys = account): Promise<TestSocket> {
  const socket = await open(relay, 'account')
  socket.send(await createLogin(keys, { time: now(), session }))
  return socket
}

async function client(relay: Relay) {
  const socket = await open(relay, 'client')
  const side = await createClientLogin(clientKeys, account.publicKey, now())
  socket.send(side.login)
  return { socket, ...side }
}

async function received(socket: TestSocket, type: string) {
  const message = decodeRelayMessage(await socket.next(text => text.includes(`"type":"${type}"`)))
  if (!message.ok) throw new Error(message.fault.kind)
  return message.value
}

async function cipherOf(connected: Awaited<ReturnType<typeof received>>, session: string) {
  if (connected.type !== 'connect') throw new Error(`No connect but ${connected.type}`)
  const login = await openClientLogin(account, connected.client)
  if (!login.ok) throw new Error(login.fault.kind)
  return createSessionCipher({ client: login.value.id, session, key: login.value.sessionKey })
}

test('a page gets the logins of connected clients, and of those that connect later', async () => {
  const relay = await startRelay()
  const early = await page(relay, 'early')
  const { login } = await client(relay)
  expect(await early.next()).toBe(`{"type":"connect","client":${login}}`)
  const late = await page(relay, 'late')

  expect(await late.next()).toBe(`{"type":"connect","client":${login}}`)
})

test('a session works in both directions and is encrypted for the node', async () => {
  const relay = await startRelay()
  const reader = await page(relay)
  const folder = await client(relay)
  const cipher = await cipherOf(await received(reader, 'connect'), 'page-1')

  reader.send(await cipher.sealOpen())
  const order = decodeNodeToClientMessage(await folder.socket.next())
  if (!order.ok || order.value.type !== 'message') throw new Error('No message arrived')
  const opened = await folder.cipher.open(order.value)
  expect(opened).toMatchObject({ ok: true, value: { type: 'session-open', session: 'page-1' } })

  folder.socket.send(await folder.cipher.seal('page-1', { info: { version: '8.5.7' } }))
  const answer = await received(reader, 'message')
  if (answer.type !== 'message') throw new Error('No message came back')
  expect(await cipher.open(answer)).toMatchObject({ ok: true, value: { info: { version: '8.5.7' } } })
})

test('pages are notified when a client disconnects; sessions end when their page disconnects', async () => {
  const relay = await startRelay()
  const reader = await page(relay)
  const onlooker = await page(relay, 'page-2')
  const folder = await client(relay)
  const cipher = await cipherOf(await received(reader, 'connect'), 'page-1')
  reader.send(await cipher.sealOpen())
  await folder.socket.next()

  reader.drop()
  expect(await folder.socket.next()).toBe('{"type":"session-close","session":"page-1"}')
  folder.socket.drop()
  expect(await onlooker.next(text => text.includes('disconnect'))).toBe(`{"type":"disconnect","id":"${clientKeys.id}"}`)
})

test('a page that logs in again ends its sessions at clients and gets their logins again; others go on', async () => {
  const relay = await startRelay()
  const { socket: clientSocket, login, cipher } = await client(relay)
  const [reader, other] = [await page(relay), await page(relay, 'page-2')]
  for (const [socket, session] of [
    [reader, 'page-1'],
    [other, 'page-2'],
  ] as const) {
    const pageCipher = await cipherOf(await received(socket, 'connect'), session)
    socket.send(await pageCipher.sealOpen())
    await clientSocket.next(text => text.includes('"type":"message"'))
  }
  reader.send(await createLogin(account, { time: now(), session: 'page-1' }))

  expect(await clientSocket.next()).toBe('{"type":"session-close","session":"page-1"}')
  expect(await reader.next()).toBe(`{"type":"connect","client":${login}}`)
  clientSocket.send(await cipher.seal('page-2', ['info', 'version', '8']))
  expect((await received(other, 'message')).type).toBe('message')
})

test.each([
  ['under another session', account, 'page-9'],
  ['of another account', clientKeys, 'page-1'],
])('a page that logs in again %s is dropped', async (_, keys, session) => {
  const relay = await startRelay()
  await client(relay)
  const reader = await page(relay)
  await reader.next()
  reader.send(await createLogin(keys, { time: now(), session }))

  await reader.closed
})

test('a client that logs in again is first disconnected, then connected with its new key', async () => {
  const relay = await startRelay()
  const reader = await page(relay)
  await client(relay)
  await received(reader, 'connect')
  const again = await client(relay)

  expect(await reader.next()).toBe(`{"type":"disconnect","id":"${clientKeys.id}"}`)
  expect(await reader.next()).toBe(`{"type":"connect","client":${again.login}}`)
})

test.each([
  [
    'a time 16 minutes ago',
    async () => createLogin(account, { time: new Date(Date.now() - 16 * 60_000).toISOString(), session: 's' }),
  ],
  [
    'a time 16 minutes ahead',
    async () => createLogin(account, { time: new Date(Date.now() + 16 * 60_000).toISOString(), session: 's' }),
  ],
  [
    'another payload than the one that was signed',
    async () => (await createLogin(account, { time: now(), session: 's' })).replace('"session":"s"', '"session":"t"'),
  ],
  [
    'another key than the one that signed',
    async () =>
      (await createLogin(account, { time: now(), session: 's' })).replace(account.publicKey, clientKeys.publicKey),
  ],
  ['no JSON', () => Promise.resolve('login please')],
  ['a message before any login', () => Promise.resolve('{"type":"message","id":"x","iv":"","payload":""}')],
])('a page that logs in with %s is dropped without a close frame', async (_what, login) => {
  const socket = await open(await startRelay(), 'account')
  socket.send(await login())

  expect(await socket.closed).toBe(1006)
})

test('connections without a login in time are dropped', async () => {
  const relay = await startRelay({ loginMs: 20 })

  expect(await (await open(relay, 'account')).closed).toBe(1006)
  expect(await (await open(relay, 'client')).closed).toBe(1006)
})

test('of two pages with the same session the newer is served, and the older dropped at its next message', async () => {
  const relay = await startRelay()
  const older = await page(relay)
  const { login } = await client(relay)
  await older.next()
  const newer = await page(relay)
  expect(await newer.next()).toBe(`{"type":"connect","client":${login}}`)

  older.send('{"type":"message","id":"x","iv":"","payload":""}')
  expect(await older.closed).toBe(1006)
})

test('a broadcast reaches clients and pages, including its sender; an older or equal one is not sent', async () => {
  const relay = await startRelay()
  const sender = await page(relay)
  const folder = await client(relay)
  await received(sender, 'connect')
  const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString()
  const first = await createBroadcast(account, { cmd: 'state', time: at(10), state: 'pause' })
  const sameSecond = await createBroadcast(account, {
    cmd: 'state',
    time: at(10).replace('.000', '.900'),
    state: 'fold',
  })
  const otherKind = await createBroadcast(account, { cmd: 'restart', time: at(3) })

  for (const text of [first, sameSecond, otherKind]) sender.send(text)

  expect(await folder.socket.next()).toEqual(first)
  expect(await folder.socket.next()).toEqual(otherKind)
  expect(await sender.next()).toEqual(first)
  expect(await sender.next()).toEqual(otherKind)
})

test.each([
  [
    'is wrongly signed',
    async () =>
      (await createBroadcast(account, { cmd: 'state', time: now(), state: 'pause' })).replace('"pause"', '"fold"'),
  ],
  ['is no command', () => createBroadcast(account, { cmd: 'chat', time: now(), text: 'hello' })],
  ['is too long', () => createBroadcast(account, { cmd: 'config', time: now(), config: { user: 'x'.repeat(70_000) } })],
])('a broadcast that %s is neither sent nor stored', async (_what, create) => {
  const commands: string[] = []
  const relay = await startRelay({
    broadcasts: createBroadcastStore([], (_account, { cmd }) => {
      commands.push(cmd)
    }),
  })
  const sender = await page(relay)
  sender.send(await create())
  const good = await createBroadcast(account, { cmd: 'restart', time: now() })
  sender.send(good)

  expect(await sender.next()).toBe(good)
  expect(commands).toEqual(['restart'])
})

test('pages and clients of unknown accounts are dropped', async () => {
  const relay = await startRelay({ isAccount: id => Promise.resolve(id === account.id) })
  expect(await (await page(relay, 'page-1', clientKeys)).closed).toBe(1006)
  const stranger = await open(relay, 'client')
  stranger.send((await createClientLogin(clientKeys, clientKeys.publicKey, now())).login)
  expect(await stranger.closed).toBe(1006)

  const reader = await page(relay)
  await client(relay)
  expect((await received(reader, 'connect')).type).toBe('connect')
})

test.each([
  ['a page of another site', { Origin: 'https://evil.example' }, 403],
  ['a sandboxed page', { Origin: 'null' }, 403],
  ['a page whose name was rebound to this computer', { Origin: 'http://board.example', Host: 'evil.example' }, 403],
  ['a page of ours', { Origin: 'http://board.example' }, 101],
  ['a program', {}, 101],
])('%s is accepted or refused by its Origin and Host', async (_who, headers, status) => {
  const relay = await startRelay({ allowedOrigins: ['http://board.example'] })
  for (const side of ['account', 'client']) {
    const asked = openTestSocket(`ws://127.0.0.1:${relay.port()}/ws/${side}`, headers)
    if (status === 101) sockets.push(await asked)
    else await expect(asked).rejects.toThrow(String(status))
  }
})

test.each(['account', 'client'] as const)(
  '%s: a connection that sends too much before its login is dropped',
  async side => {
    const relay = await startRelay({ isAccount: () => new Promise(() => undefined) })
    const login =
      side === 'account'
        ? await createLogin(account, { time: now(), session: 's' })
        : (await createClientLogin(clientKeys, account.publicKey, now())).login
    const [large, unfinished, many] = [await open(relay, side), await open(relay, side), await open(relay, side)]
    large.send(`{"type":"login","x":"${'x'.repeat(100_000)}"}`)
    unfinished.socket.send('x'.repeat(100_000), { fin: false })
    many.send(login)
    for (let count = 0; count < 20; count++) many.send('{}')

    expect(await Promise.all([large.closed, unfinished.closed, many.closed])).toEqual([1006, 1006, 1006])
  },
)

test('a page that sends a message too large for clients is dropped', async () => {
  const reader = await page(await startRelay())
  reader.send(`{"type":"message","id":"x","iv":"","payload":"${'A'.repeat(1_100_000)}"}`)

  expect(await reader.closed).toBe(1006)
})

test('a page gets stored broadcasts of any age at login; a client those of the last five minutes', async () => {
  const stored = (cmd: string, age: number) => {
    const seconds = Math.floor(Date.now() / 1000) - age
    const message = JSON.stringify({
      type: 'broadcast',
      payload: { cmd, time: new Date(seconds * 1000).toISOString() },
      signature: '',
    })
    return { account: account.id, cmd, time: seconds, message }
  }
  const [old, fresh] = [stored('config', 86_400), stored('restart', 120)]
  const relay = await startRelay({ broadcasts: createBroadcastStore([old, fresh], () => undefined) })
  const reader = await page(relay)
  expect(await reader.next()).toEqual(old.message)
  expect(await reader.next()).toEqual(fresh.message)

  const folder = await client(relay)
  await received(reader, 'connect')
  reader.send(await createBroadcast(account, { cmd: 'state', time: now(), state: 'fold' }))
  expect(await folder.socket.next()).toBe(fresh.message)
  expect(await folder.socket.next()).toContain('"cmd":"state"')
})

test('pages of another account get nothing', async () => {
  const relay = await startRelay()
  const stranger = await page(relay, 'page-1', clientKeys)
  const reader = await page(relay)
  await client(relay)
  await received(reader, 'connect')
  const text = await createBroadcast(clientKeys, { cmd: 'restart', time: now() })
  stranger.send(text)

  expect(await stranger.next()).toBe(text)
})

test('a message to a client that is not connected is ignored', async () => {
  const relay = await startRelay()
  const reader = await page(relay)
  const text = await createBroadcast(account, { cmd: 'restart', time: now() })
  reader.send('{"type":"message","id":"nobody","iv":"AA","payload":"AA"}')
  reader.send(text)

  expect(await reader.next()).toBe(text)
})

test('a client that sends messages under another id is dropped', async () => {
  const relay = await startRelay()
  const { socket } = await client(relay)
  socket.send('{"type":"message","client":"somebody","session":"page-1","iv":"AA","payload":"AA"}')

  expect(await socket.closed).toBe(1006)
})

test('a relay that stops drops all sockets, and listens on the same port when it starts again', async () => {
  const relay = await startRelay()
  const reader = await page(relay)
  const { port } = { port: relay.port() }
  await relay.stop()
  expect(await reader.closed).toBe(1006)
  await relay.start()

  expect(relay.port()).toBe(port)
  await client(relay)
  expect((await received(await page(relay), 'connect')).type).toBe('connect')
})

test('a client that names the whole address in its request is let in, as those before 8.5 do', async () => {
  const address = `127.0.0.1:${(await startRelay()).port()}`
  const socket = connect({ host: '127.0.0.1', port: Number(address.split(':')[1]) })
  const fields = [
    'Connection: upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  ]
  socket.write([`GET wss://${address}/ws/client HTTP/1.1`, `Host: ${address}`, ...fields, '', ''].join('\r\n'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /)
  socket.destroy()
})

import { createServer } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RawData, WebSocket as ServerSocket } from 'ws'
import { WebSocket, WebSocketServer } from 'ws'
import { createBroadcast } from '../../protocol/envelope.ts'
import type { Json } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/keys.ts'
import { generateKeyPair, verifyText, compactText } from '../../protocol/keys.ts'
import type { MachineCipher, MachineSide } from '../../protocol/machine-envelope.ts'
import { createMachineLogin } from '../../protocol/machine-envelope.ts'
import type { SessionMessage } from '../../protocol/relay-message.ts'
import { decodeAccountMessage } from '../../protocol/relay-message.ts'
import type { Hub } from './hub.ts'
import { createHub } from './hub.ts'
import type { Batch, LinkFact, RelayFact } from './hub.types.ts'
import { openSocketWith } from './socket.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const data = { info: {}, config: {}, groups: {}, units: [] }

/** A hub with everything it posts, taken at once; `until` waits for something to be posted. */
const listening = () => {
  const facts = new Map<number, (LinkFact | RelayFact)[]>()
  const order: string[] = []
  let wake = () => {}
  const take = (batch: Batch) => {
    for (const { channel, facts: news } of [...batch.links, ...batch.relays]) {
      facts.set(channel, [...facts.get(channel) ?? [], ...news])
      order.push(...news.map(fact => `${channel} ${fact.type}`))
    }
    queueMicrotask(() => hub.receive({ type: 'take', after: 0 }))
    wake()
  }
  const hub = createHub({ openSocket: openSocketWith(url => new WebSocket(url)), now: () => NOW, later: (_, run) => run(), post: take })
  const of = (channel: number) => facts.get(channel) ?? []
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>(resolve => (wake = resolve))
  }
  const untilCount = (channel: number, count: number) => until(() => of(channel).length >= count)
  return { hub, of, order, until, untilCount }
}

const servers: WebSocketServer[] = []
const hubs: Hub[] = []

afterEach(() => {
  for (const hub of hubs.splice(0)) hub.stop()
  for (const server of servers.splice(0)) {
    for (const client of server.clients) client.terminate()
    server.close()
  }
})

const textOf = (raw: RawData) => (Array.isArray(raw) ? Buffer.concat(raw) : Buffer.from(raw as ArrayBuffer)).toString()

/** A server whose sockets and messages can be waited for in order. */
const serve = async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 200 * 1024 * 1024 })
  servers.push(server)
  const messages: string[] = []
  const sockets: ServerSocket[] = []
  let wake = () => {}
  server.on('connection', socket => {
    sockets.push(socket)
    socket.on('message', raw => {
      messages.push(textOf(raw))
      wake()
    })
    wake()
  })
  await new Promise<void>(resolve => server.once('listening', resolve))
  const address = server.address()
  const next = async <T>(list: T[]): Promise<T> => {
    while (list.length === 0) await new Promise<void>(resolve => (wake = resolve))
    return list.shift() as T
  }
  return {
    url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    socket: () => next(sockets),
    message: () => next(messages),
  }
}

const start = () => {
  const listened = listening()
  hubs.push(listened.hub)
  return listened
}

describe('A direct client', () => {
  const connect = async () => {
    const listened = start()
    const server = await serve()
    listened.hub.receive({ type: 'direct.open', channel: 1, url: server.url })
    const socket = await server.socket()
    await listened.untilCount(1, 1)
    return { ...listened, server, socket }
  }

  it('is heard in order, and pings are signs of life', async () => {
    const { of, untilCount, socket } = await connect()
    socket.send(JSON.stringify(data))
    socket.send('["units",0,{"id":"u"}]')
    socket.send('"ping"')
    socket.send('["log",["a"]]')
    await untilCount(1, 5)
    expect(of(1)).toEqual([
      { type: 'socket.opened' }, { type: 'snapshot.received', data }, { type: 'changes.received', changes: [['units', 0, { id: 'u' }]] },
      { type: 'ping.received' }, { type: 'log.received', replace: true, lines: ['a'] },
    ])
  })

  it('receives commands as they are, with the corrected time where there is none', async () => {
    const { hub, server } = await connect()
    hub.receive({ type: 'clock.correct', offset: 90_000 })
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'state', state: 'fold', time: '2026-01-01T00:00:00.000Z' } })
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'restart' } })
    expect(await server.message()).toBe('{"cmd":"state","state":"fold","time":"2026-01-01T00:00:00.000Z"}')
    expect(await server.message()).toBe('{"cmd":"restart","time":"2026-11-20T12:01:30.000Z"}')
  })

  it('may send garbage: faults, and the next message is heard', async () => {
    const { of, untilCount, socket } = await connect()
    socket.send('no json')
    socket.send(Buffer.from([0xff, 0, 1, 2, 0xfe]))
    socket.send(Buffer.from('"ping"'))
    socket.send(`${'['.repeat(100)}${']'.repeat(100)}`)
    socket.send('{"__proto__":{"polluted":1},"units":[]}')
    await untilCount(1, 7)
    expect(of(1).slice(1)).toEqual([
      { type: 'fault.found', fault: { kind: 'not-json' } }, { type: 'fault.found', fault: { kind: 'not-json' } }, { type: 'ping.received' },
      { type: 'fault.found', fault: { kind: 'too-deep', limit: 64 } }, { type: 'fault.found', fault: { kind: 'unsafe-key', key: '__proto__' } },
      { type: 'snapshot.received', data },
    ])
  })

  it('may send more than 64 MiB: a fault, as text and as bytes', async () => {
    const { of, untilCount, socket } = await connect()
    const large = Buffer.alloc(64 * 1024 * 1024 + 1, 0x20)
    socket.send(large, { binary: false })
    socket.send(large, { binary: true })
    await untilCount(1, 3)
    const fault = { type: 'fault.found', fault: { kind: 'too-large', limit: 64 * 1024 * 1024 } }
    expect(of(1).slice(1)).toEqual([fault, fault])
  })

  it('that drops the connection is told to be closed, once', async () => {
    const { hub, of, untilCount, socket } = await connect()
    socket.terminate()
    await untilCount(1, 2)
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'restart' } })
    expect(of(1)).toEqual([{ type: 'socket.opened' }, { type: 'socket.closed' }])
  })

  it('that was closed from here is not heard any more', async () => {
    const { hub, of, socket } = await connect()
    const closed = new Promise(resolve => socket.once('close', resolve))
    hub.receive({ type: 'close', channel: 1 })
    socket.send('"ping"')
    await closed
    expect(of(1)).toEqual([{ type: 'socket.opened' }])
  })

  it('that nobody serves, and an address that is none, are closed', async () => {
    const { hub, of, untilCount } = start()
    const port = await new Promise<number>(resolve => {
      const unused = createServer().listen(0, '127.0.0.1', () => {
        const address = unused.address()
        unused.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
    })
    hub.receive({ type: 'direct.open', channel: 1, url: `ws://127.0.0.1:${port}` })
    hub.receive({ type: 'direct.open', channel: 2, url: 'not an address' })
    await untilCount(1, 1)
    await untilCount(2, 1)
    expect([of(1), of(2)]).toEqual([[{ type: 'socket.closed' }], [{ type: 'socket.closed' }]])
  })
})

describe('A relay', () => {
  let keys: AccountKeys
  let machine: AccountKeys
  let others: AccountKeys
  beforeAll(async () => {
    [keys, machine, others] = await Promise.all([generateKeyPair(2048), generateKeyPair(2048), generateKeyPair(2048)])
  })

  const RELAY = 1
  const TIME = '2026-11-20T11:59:58Z'

  const connect = async () => {
    const listened = start()
    const server = await serve()
    listened.hub.receive({ type: 'clock.correct', offset: 2000 })
    listened.hub.receive({ type: 'relay.open', channel: RELAY, url: server.url, keys, session: 'sid' })
    const socket = await server.socket()
    const login = await server.message()
    await listened.untilCount(RELAY, 1)
    const post = (message: object) => socket.send(JSON.stringify(message))
    const join = async (who = machine): Promise<MachineSide> => {
      const side = await createMachineLogin(who, keys.publicKey, TIME)
      socket.send(`{"type":"connect","client":${side.login}}`)
      return side
    }
    const joined = async (count = 1) => listened.until(() => listened.of(RELAY).filter(fact => fact.type === 'client.connected').length >= count)
    /** The next message to the machine, opened by it. */
    const opened = async (cipher: MachineCipher): Promise<SessionMessage> => {
      const message = decodeAccountMessage(await server.message())
      if (!message.ok || message.value.type !== 'message') throw new Error('no message')
      const plain = await cipher.open(message.value)
      if (!plain.ok) throw new Error(plain.fault.kind)
      return plain.value
    }
    const say = async (cipher: MachineCipher, ...contents: Json[]) => {
      for (const content of contents) socket.send(await cipher.seal('sid', content))
    }
    return { ...listened, server, socket, login, post, join, joined, opened, say }
  }

  const withSession = async () => {
    const relay = await connect()
    const { cipher } = await relay.join()
    await relay.joined()
    relay.hub.receive({ type: 'session.open', channel: 2, relay: RELAY, client: machine.id })
    expect(await relay.opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
    await relay.say(cipher, data)
    await relay.untilCount(2, 2)
    return { ...relay, cipher }
  }

  it('is logged in to by the corrected clock, with a signature that holds', async () => {
    const { login, of } = await connect()
    const decoded = decodeAccountMessage(login)
    if (!decoded.ok || decoded.value.type !== 'login') throw new Error('no login')
    const { payload, pubkey, signature } = decoded.value
    expect({ payload, pubkey }).toEqual({ payload: { time: '2026-11-20T12:00:02.000Z', session: 'sid' }, pubkey: keys.publicKey })
    expect(await verifyText(pubkey, signature, compactText(payload))).toBe(true)
    expect(of(RELAY)).toEqual([{ type: 'socket.opened' }])
  })

  it('tells of machines that come and go, in order', async () => {
    const { of, post, join, untilCount } = await connect()
    await join()
    post({ type: 'disconnect', id: machine.id })
    await join()
    post({ type: 'disconnect', id: 'never seen' })
    await untilCount(RELAY, 4)
    const came = { type: 'client.connected', id: machine.id, loginTime: Date.parse(TIME), at: NOW }
    expect(of(RELAY).slice(1)).toEqual([came, { type: 'client.disconnected', id: machine.id }, came])
  })

  it('refuses machines with a wrong signature or of another account, and goes on', async () => {
    const { of, socket, join, untilCount } = await connect()
    const wrong = await createMachineLogin(others, keys.publicKey, TIME)
    socket.send(`{"type":"connect","client":${wrong.login.replace(TIME, '2026-11-20T11:59:59Z')}}`)
    socket.send(`{"type":"connect","client":${(await createMachineLogin(others, others.publicKey, TIME)).login}}`)
    await join()
    await untilCount(RELAY, 4)
    expect(of(RELAY).slice(1)).toEqual([
      { type: 'fault.found', fault: { kind: 'invalid-machine-signature' } },
      { type: 'fault.found', fault: { kind: 'wrong-account', login: others.id, account: keys.id } },
      { type: 'client.connected', id: machine.id, loginTime: Date.parse(TIME), at: NOW },
    ])
  })

  it('tells of broadcasts that the account signed, and of no other', async () => {
    const { of, socket, untilCount } = await connect()
    const payload = { cmd: 'restart', time: TIME }
    socket.send(await createBroadcast(others, payload))
    socket.send((await createBroadcast(keys, payload)).replace('restart', 'config'))
    socket.send(await createBroadcast(keys, payload))
    await untilCount(RELAY, 4)
    const bad = { type: 'fault.found', fault: { kind: 'bad-broadcast-signature' } }
    expect(of(RELAY).slice(1)).toEqual([bad, bad, { type: 'broadcast.received', cmd: 'restart', time: Date.parse(TIME), payload }])
  })

  it('may send garbage: faults, and the next message is heard', async () => {
    const { of, socket, post, untilCount } = await connect()
    socket.send('garbage')
    socket.send(Buffer.from([0, 0xff]))
    post({ type: 'dance' })
    post({ type: 'message', client: 'nobody', session: 'sid', iv: 'x', payload: 'y' })
    socket.send(await createBroadcast(keys, { cmd: 'restart', time: TIME }))
    await untilCount(RELAY, 6)
    expect(of(RELAY).slice(1, 5)).toEqual([
      { type: 'fault.found', fault: { kind: 'not-json' } }, { type: 'fault.found', fault: { kind: 'not-json' } },
      { type: 'fault.found', fault: { kind: 'unsupported-message', type: 'dance' } }, { type: 'fault.found', fault: { kind: 'wrong-session' } },
    ])
    expect(of(RELAY)[5]?.type).toBe('broadcast.received')
  })

  it('signs what is broadcast, and stamps it when it is sent', async () => {
    const { hub, server } = await connect()
    hub.receive({ type: 'broadcast', channel: RELAY, payload: { cmd: 'state', state: 'pause' } })
    const decoded = decodeAccountMessage(await server.message())
    if (!decoded.ok || decoded.value.type !== 'broadcast') throw new Error('no broadcast')
    const { payload, signature } = decoded.value
    expect(payload).toEqual({ cmd: 'state', time: '2026-11-20T12:00:02.000Z', state: 'pause' })
    expect(await verifyText(keys.publicKey, signature, compactText(payload))).toBe(true)
  })

  it('opens a session, whose first facts come with the client\'s first message', async () => {
    const { of } = await withSession()
    expect(of(2)).toEqual([{ type: 'session.opened' }, { type: 'snapshot.received', data }])
  })

  it('keeps each session\'s messages in order, whatever their size', async () => {
    const { of, say, cipher, until } = await withSession()
    const lines = Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? `${n} ${'x'.repeat(200_000)}` : String(n)))
    await say(cipher, ...lines.map((line): Json => ['log', -2, [line]]))
    await until(() => of(2).length >= 42)
    expect(of(2).slice(2)).toEqual(lines.map(line => ({ type: 'log.received', replace: false, lines: [line] })))
  })

  it('carries commands to the machine, in order', async () => {
    const { hub, opened, cipher } = await withSession()
    for (const cmd of ['log', 'wus', 'restart']) hub.receive({ type: 'send', channel: 2, command: { cmd, time: TIME } })
    const contents = [await opened(cipher), await opened(cipher), await opened(cipher)].map(message => 'content' in message && message.content['cmd'])
    expect(contents).toEqual(['log', 'wus', 'restart'])
  })

  it('tells what cannot be opened in the session that it is for', async () => {
    const { of, say, socket, cipher, untilCount } = await withSession()
    const message = await cipher.seal('sid', ['config', 'user', 'x'])
    socket.send(message)
    socket.send(message)
    const stranger = await createMachineLogin(machine, keys.publicKey, TIME)
    await say(stranger.cipher, ['config', 'user', 'a value of some length'])
    await untilCount(2, 5)
    expect(of(2).slice(2)).toEqual([
      { type: 'changes.received', changes: [['config', 'user', 'x']] },
      { type: 'fault.found', fault: { kind: 'iv-reused' } }, { type: 'fault.found', fault: { kind: 'undecryptable' } },
    ])
  })

  it('ends a session when its machine goes, before the machine is told to have gone', async () => {
    const { hub, of, order, post, say, cipher, untilCount } = await withSession()
    await say(cipher, ['config', 'user', 'last words'])
    post({ type: 'disconnect', id: machine.id })
    await untilCount(RELAY, 3)
    expect(of(2).slice(2)).toEqual([{ type: 'changes.received', changes: [['config', 'user', 'last words']] }, { type: 'session.closed' }])
    expect(order.indexOf('2 session.closed')).toBeLessThan(order.indexOf('1 client.disconnected'))
    hub.receive({ type: 'session.open', channel: 3, relay: RELAY, client: machine.id })
    await untilCount(3, 1)
    expect(of(3)).toEqual([{ type: 'session.closed' }])
  })

  it('ends a session when its machine comes back with a new key, with which the next is opened', async () => {
    const { hub, of, order, join, joined, opened, say, untilCount } = await withSession()
    const { cipher } = await join()
    await joined(2)
    expect(of(2).at(-1)).toEqual({ type: 'session.closed' })
    expect(order.indexOf('2 session.closed')).toBeLessThan(order.lastIndexOf('1 client.connected'))
    hub.receive({ type: 'session.open', channel: 3, relay: RELAY, client: machine.id })
    expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
    await say(cipher, data)
    await untilCount(3, 2)
    expect(of(3)).toEqual([{ type: 'session.opened' }, { type: 'snapshot.received', data }])
  })

  it('that is lost ends its sessions first', async () => {
    const { of, order, socket, until } = await withSession()
    socket.terminate()
    await until(() => of(RELAY).at(-1)?.type === 'socket.closed')
    expect(of(2).at(-1)).toEqual({ type: 'session.closed' })
    expect(order.slice(-2)).toEqual(['2 session.closed', '1 socket.closed'])
  })

  it('that is closed from here ends its sessions and is heard no more', async () => {
    const { hub, of, until } = await withSession()
    const before = of(RELAY).length
    hub.receive({ type: 'close', channel: RELAY })
    await until(() => of(2).at(-1)?.type === 'session.closed')
    expect(of(RELAY).length).toBe(before)
  })

  it('is probed by opening a session again, which then streams what it did before', async () => {
    const { hub, of, opened, say, cipher, untilCount } = await withSession()
    hub.receive({ type: 'send', channel: 2, command: { cmd: 'log', enable: true, time: TIME } })
    await opened(cipher)
    hub.receive({ type: 'probe', channel: RELAY, client: machine.id })
    expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
    expect(await opened(cipher)).toEqual({ type: 'message', session: 'sid', content: { cmd: 'log', enable: true, time: TIME } })
    await say(cipher, data)
    await untilCount(2, 3)
    expect(of(2)).toEqual([{ type: 'session.opened' }, { type: 'snapshot.received', data }, { type: 'snapshot.received', data }])
  })

  it('sends nothing of what a closed session asked', async () => {
    const { hub, opened, cipher } = await withSession()
    hub.receive({ type: 'close', channel: 2 })
    hub.receive({ type: 'send', channel: 2, command: { cmd: 'restart' } })
    hub.receive({ type: 'session.open', channel: 3, relay: RELAY, client: machine.id })
    expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
  })
})

describe('A page that is slow', () => {
  it('gets nothing until it has taken what it got, and then everything at once', async () => {
    const server = await serve()
    const batches: Batch[] = []
    let wake = () => {}
    const hub = createHub({
      openSocket: openSocketWith(url => new WebSocket(url)), now: () => NOW, later: () => undefined,
      post: batch => {
        batches.push(batch)
        wake()
      },
    })
    hubs.push(hub)
    hub.receive({ type: 'direct.open', channel: 1, url: server.url })
    const socket = await server.socket()
    while (batches.length === 0) await new Promise<void>(resolve => (wake = resolve))
    for (let n = 0; n < 100; n++) socket.send(`["units",0,"wu_progress",${n / 100}]`)
    socket.send('["config","user","x"]')
    socket.close()
    // The hub answers a close frame after everything before it.
    await new Promise(resolve => socket.once('close', resolve))
    expect(batches).toEqual([{ links: [{ channel: 1, at: NOW, facts: [{ type: 'socket.opened' }] }], relays: [] }])
    hub.receive({ type: 'take', after: 0 })
    expect(batches[1]?.links[0]?.facts[0])
      .toEqual({ type: 'changes.received', changes: [['units', 0, 'wu_progress', 0.99], ['config', 'user', 'x']] })
  })

  it('that is hidden gets the next batch when its time has come', () => {
    const timers: [number, () => void][] = []
    const batches: Batch[] = []
    const hub = createHub({
      openSocket: (_, listener) => {
        listener.opened()
        return { send: () => undefined, close: () => undefined }
      },
      now: () => NOW, later: (ms, run) => timers.push([ms, run]), post: batch => batches.push(batch),
    })
    hub.receive({ type: 'direct.open', channel: 1, url: 'ws://a' })
    hub.receive({ type: 'take', after: 250 })
    hub.receive({ type: 'direct.open', channel: 2, url: 'ws://b' })
    expect([batches.length, timers.map(([ms]) => ms)]).toEqual([1, [250]])
    timers[0]?.[1]()
    expect(batches[1]?.links).toEqual([{ channel: 2, at: NOW, facts: [{ type: 'socket.opened' }] }])
  })
})

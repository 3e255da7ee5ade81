import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createBroadcast } from '../../protocol/crypto/envelope.ts'
import type { Json } from '../../protocol/json.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import { compactText, generateKeyPair, verifyText } from '../../protocol/crypto/keys.ts'
import type { WebSocket as ServerSocket } from 'ws'
import type { ClientCipher, ClientSide } from '../../../test/client-envelope.ts'
import { createClientLogin } from '../../../test/client-envelope.ts'
import { packLines } from '../../protocol/client/packed-lines.ts'
import type { SessionMessage } from '../../protocol/relay/relay-message.ts'
import { decodeAccountMessage } from '../../protocol/relay/relay-message.ts'
import { webSocketUrl } from '../../../test/urls.ts'
import { NODE_CHECK } from '../pacing.ts'
import type { HubDeps } from './hub.types.ts'
import { openRelay } from './relay.ts'
import { closeAll, data, NOW, serve, start } from '../../../test/wire-peers.ts'

afterEach(closeAll)

describe('A relay', () => {
  let keys: AccountKeys
  let client: AccountKeys
  let others: AccountKeys
  beforeAll(async () => {
    ;[keys, client, others] = await Promise.all([generateKeyPair(2048), generateKeyPair(2048), generateKeyPair(2048)])
  })

  const RELAY = 1
  const TIME = '2026-11-20T11:59:58Z'

  const connectOf = ({ login }: ClientSide): string => `{"type":"connect","client":${login}}`

  const connect = async (later?: HubDeps['later'], now?: HubDeps['now']) => {
    const listened = start(later, now === undefined ? {} : { now })
    const server = await serve()
    listened.hub.receive({ type: 'clock.correct', offset: 2000 })
    listened.hub.receive({ type: 'relay.open', channel: RELAY, url: server.url, keys, session: 'sid' })
    const socket = await server.socket()
    const login = await server.message()
    await listened.untilCount(RELAY, 1)
    const post = (message: object) => socket.send(JSON.stringify(message))
    const join = async (who = client): Promise<ClientSide> => {
      const side = await createClientLogin(who, keys.publicKey, TIME)
      socket.send(connectOf(side))
      return side
    }
    const joined = async (count = 1) =>
      listened.until(() => listened.of(RELAY).filter(fact => fact.type === 'client.connected').length >= count)
    /** The next message to the client, opened by it. Logins are for the node. */
    const opened = async (cipher: ClientCipher): Promise<SessionMessage> => {
      const message = decodeAccountMessage(await server.message())
      if (message.ok && message.value.type === 'login') {
        logins += 1
        return opened(cipher)
      }
      if (!message.ok || message.value.type !== 'message') throw new Error('no message')
      const plain = await cipher.open(message.value)
      if (!plain.ok) throw new Error(plain.fault.kind)
      return plain.value
    }
    const say = async (cipher: ClientCipher, ...contents: Json[]) => {
      for (const content of contents) socket.send(await cipher.seal('sid', content))
    }
    let logins = 0
    /** Of the second connection: when it opens, and when its session ends, whose signature may come after later messages. */
    const untilSessionEnds = async () => {
      for (; logins < 2; logins += 1) expect(decodeAccountMessage(await server.message()).ok).toBe(true)
    }
    let second: ServerSocket | undefined
    /** Opens a session, whose first state is requested over the second connection before changes are followed. */
    const openSession = async (channel: number, cipher: ClientCipher) => {
      listened.hub.receive({ type: 'session.open', channel, relay: RELAY, client: client.id })
      second ??= await server.socket()
      const { session } = await opened(cipher)
      second.send(await cipher.seal(session, data))
      expect(session).not.toBe('sid')
      expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
      await say(cipher, data)
      return { second, session }
    }
    /** What was reported of a session since its first state, without the way in which it is learned. */
    const of = (channel: number) => {
      const facts = listened.of(channel).filter(({ type }) => type !== 'session.entered')
      const isSession = facts[0]?.type === 'session.opened'
      return isSession ? facts.toSpliced(1, 1) : facts
    }
    const untilCount = (channel: number, count: number) => listened.until(() => of(channel).length >= count)
    return {
      ...listened,
      server,
      socket,
      login,
      post,
      join,
      joined,
      opened,
      say,
      openSession,
      untilSessionEnds,
      of,
      untilCount,
    }
  }

  const withSession = async (later?: HubDeps['later'], now?: HubDeps['now']) => {
    const relay = await connect(later, now)
    const side = await relay.join()
    const { cipher } = side
    await relay.joined()
    const other = await relay.openSession(2, cipher)
    await relay.untilCount(2, 2)
    await relay.untilSessionEnds()
    return { ...relay, ...other, cipher, connected: connectOf(side) }
  }

  it('gets a login with the corrected time and a valid signature [7.31]', async () => {
    const { login, of } = await connect()
    const decoded = decodeAccountMessage(login)
    if (!decoded.ok || decoded.value.type !== 'login') throw new Error('no login')
    const { payload, pubkey, signature } = decoded.value
    expect({ payload, pubkey }).toEqual({
      payload: { time: '2026-11-20T12:00:02Z', session: 'sid' },
      pubkey: keys.publicKey,
    })
    expect(await verifyText(pubkey, signature, compactText(payload))).toBe(true)
    expect(of(RELAY)).toEqual([{ type: 'socket.opened' }])
  })

  it('reports clients that connect and disconnect, in order [7.32]', async () => {
    const { of, post, join, untilCount } = await connect()
    await join()
    post({ type: 'disconnect', id: client.id })
    await join()
    post({ type: 'disconnect', id: 'never seen' })
    await untilCount(RELAY, 4)
    const came = { type: 'client.connected', id: client.id }
    expect(of(RELAY).slice(1)).toEqual([came, { type: 'client.disconnected', id: client.id }, came])
  })

  it('decrypts two logins at a time, each after earlier messages', async () => {
    const turns: (() => void)[] = []
    let wake = () => {}
    const { of, join, joined } = await connect((ms, run) => {
      if (ms === 0) turns.push(run)
      wake()
      return () => undefined
    })
    const turn = async (count: number) => {
      while (turns.length < count) await new Promise<void>(resolve => (wake = resolve))
    }
    for (const who of [client, others, keys]) await join(who)
    await turn(2)
    expect(of(RELAY)).toEqual([{ type: 'socket.opened' }])
    turns[1]?.()
    await turn(3)
    expect(of(RELAY)).toEqual([{ type: 'socket.opened' }])
    turns[2]?.()
    turns[0]?.()
    await joined(3)
    expect(
      of(RELAY)
        .slice(1)
        .map(fact => 'id' in fact && fact.id),
    ).toEqual([client.id, others.id, keys.id])
    expect(turns).toHaveLength(3)
  })

  it('decrypts no logins after it is closed', async () => {
    const turns: (() => void)[] = []
    let wake = () => {}
    const { hub, of, join } = await connect((ms, run) => {
      if (ms === 0) turns.push(run)
      wake()
      return () => undefined
    })
    await join()
    while (turns.length === 0) await new Promise<void>(resolve => (wake = resolve))
    hub.receive({ type: 'close', channel: RELAY })
    turns[0]?.()
    const decrypt = vi.spyOn(crypto.subtle, 'decrypt')
    await new Promise(setImmediate)
    expect(decrypt.mock.calls.length).toBe(0)
    expect(of(RELAY)).toEqual([{ type: 'socket.opened' }])
    decrypt.mockRestore()
  })

  it('refuses clients with a wrong signature or of another account', async () => {
    const { of, socket, join, untilCount } = await connect()
    const wrong = await createClientLogin(others, keys.publicKey, TIME)
    socket.send(`{"type":"connect","client":${wrong.login.replace(TIME, '2026-11-20T11:59:59Z')}}`)
    socket.send(`{"type":"connect","client":${(await createClientLogin(others, others.publicKey, TIME)).login}}`)
    await join()
    await untilCount(RELAY, 4)
    expect(of(RELAY).slice(1)).toEqual([
      { type: 'fault.found', fault: { kind: 'invalid-machine-signature' } },
      { type: 'fault.found', fault: { kind: 'wrong-account', login: others.id, account: keys.id } },
      { type: 'client.connected', id: client.id },
    ])
  })

  it('reports only broadcasts that the account signed [6.7, 7.32, 12.1]', async () => {
    const { of, socket, untilCount } = await connect()
    const payload = { cmd: 'restart', time: TIME }
    socket.send(await createBroadcast(others, payload))
    socket.send((await createBroadcast(keys, payload)).replace('restart', 'config'))
    socket.send(await createBroadcast(keys, payload))
    await untilCount(RELAY, 4)
    const bad = { type: 'fault.found', fault: { kind: 'bad-broadcast-signature' } }
    expect(of(RELAY).slice(1)).toEqual([
      bad,
      bad,
      { type: 'broadcast.received', cmd: 'restart', time: Date.parse(TIME), payload },
    ])
  })

  it('reports a broadcast once that its node sends again, and the next one of the same command', async () => {
    const { of, socket, untilCount } = await connect()
    const sent = await createBroadcast(keys, { cmd: 'restart', time: TIME })
    const later = { cmd: 'restart', time: '2026-11-20T11:59:59Z' }
    socket.send(sent)
    socket.send(sent)
    socket.send(await createBroadcast(keys, later))
    await untilCount(RELAY, 3)
    expect(of(RELAY).map(fact => 'time' in fact && fact.time)).toEqual([
      false,
      Date.parse(TIME),
      Date.parse(later.time),
    ])
  })

  it('may send garbage: faults, and later messages are received', async () => {
    const { of, socket, post, untilCount } = await connect()
    socket.send('garbage')
    socket.send(Buffer.from([0, 0xff]))
    post({ type: 'dance' })
    post({ type: 'message', client: 'nobody', session: 'sid', iv: 'x', payload: 'y' })
    socket.send(await createBroadcast(keys, { cmd: 'restart', time: TIME }))
    await untilCount(RELAY, 6)
    expect(of(RELAY).slice(1, 5)).toEqual([
      { type: 'fault.found', fault: { kind: 'not-json' } },
      { type: 'fault.found', fault: { kind: 'not-json' } },
      { type: 'fault.found', fault: { kind: 'unsupported-message', type: 'dance' } },
      { type: 'fault.found', fault: { kind: 'wrong-session' } },
    ])
    expect(of(RELAY)[5]?.type).toBe('broadcast.received')
  })

  it('signs broadcasts, and adds the time [7.31]', async () => {
    const { hub, server } = await connect()
    hub.receive({ type: 'broadcast', channel: RELAY, payload: { cmd: 'state', state: 'pause' } })
    const decoded = decodeAccountMessage(await server.message())
    if (!decoded.ok || decoded.value.type !== 'broadcast') throw new Error('no broadcast')
    const { payload, signature } = decoded.value
    expect(payload).toEqual({ cmd: 'state', time: '2026-11-20T12:00:02Z', state: 'pause' })
    expect(await verifyText(keys.publicKey, signature, compactText(payload))).toBe(true)
  })

  it('opens a session, whose first facts come with the client’s first message [7.33]', async () => {
    const { of } = await withSession()
    expect(of(2)).toEqual([{ type: 'session.opened' }, { type: 'snapshot.received', data }])
  })

  it("keeps each session's messages in order, whatever their size [12.5]", async () => {
    const { of, say, cipher, until } = await withSession()
    const lines = Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? `${n} ${'x'.repeat(20_000)}` : String(n)))
    await say(cipher, ...lines.map((line): Json => ['log', -2, [line]]))
    await until(() => of(2).length >= 42)
    expect(of(2).slice(2)).toEqual(
      lines.map(line => ({ type: 'log.received', replace: false, lines: packLines([line]) })),
    )
  })

  it('carries commands to the client, in order', async () => {
    const { hub, opened, cipher } = await withSession()
    for (const cmd of ['log', 'wus', 'restart']) hub.receive({ type: 'send', channel: 2, command: { cmd, time: TIME } })
    const contents = [await opened(cipher), await opened(cipher), await opened(cipher)].map(
      message => 'content' in message && message.content['cmd'],
    )
    expect(contents).toEqual(['log', 'wus', 'restart'])
  })

  it('reports what cannot be decrypted in its session', async () => {
    const { of, say, socket, cipher, untilCount } = await withSession()
    const message = await cipher.seal('sid', ['config', 'user', 'x'])
    socket.send(message)
    socket.send(message)
    const stranger = await createClientLogin(client, keys.publicKey, TIME)
    await say(stranger.cipher, ['config', 'user', 'a value of some length'])
    await untilCount(2, 5)
    expect(of(2).slice(2)).toEqual([
      { type: 'changes.received', changes: [['config', 'user', 'x']] },
      { type: 'fault.found', fault: { kind: 'iv-reused' } },
      // Padding that another key makes fits by chance once in 256 times.
      { type: 'fault.found', fault: { kind: expect.stringMatching(/^(?:undecryptable|not-json)$/) as string } },
    ])
  })

  it('requests the full state after a message that cannot be decrypted', async () => {
    const { hub, of, opened, say, socket, cipher, untilCount } = await withSession()
    hub.receive({ type: 'send', channel: 2, command: { cmd: 'log', enable: true, time: TIME } })
    await opened(cipher)
    const message = await cipher.seal('sid', ['config', 'user', 'x'])
    socket.send(message.replace(/("payload":"[^"]{7})[^"]+/, '$1'))
    expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
    expect(await opened(cipher)).toEqual({
      type: 'message',
      session: 'sid',
      content: { cmd: 'log', enable: true, time: TIME },
    })
    await say(cipher, data)
    await untilCount(2, 4)
    expect(of(2).slice(2)).toEqual([
      { type: 'fault.found', fault: { kind: 'undecryptable' } },
      { type: 'snapshot.received', data },
    ])
  })

  it('ignores the repeated login of a connected client, and refuses replayed messages and logins of the past', async () => {
    const { hub, of, post, socket, cipher, connected, untilCount } = await withSession()
    const recorded = await cipher.seal('sid', ['config', 'user', 'of yesterday'])
    socket.send(recorded)
    await untilCount(2, 3)
    socket.send(connected)
    socket.send(recorded)
    await untilCount(2, 4)
    expect(of(RELAY).map(({ type }) => type)).toEqual(['socket.opened', 'client.connected'])
    expect(of(2).slice(2)).toEqual([
      { type: 'changes.received', changes: [['config', 'user', 'of yesterday']] },
      { type: 'fault.found', fault: { kind: 'iv-reused' } },
    ])
    post({ type: 'disconnect', id: client.id })
    socket.send(connected)
    await untilCount(RELAY, 4)
    expect(of(RELAY).slice(-2)).toEqual([
      { type: 'client.disconnected', id: client.id },
      { type: 'fault.found', fault: { kind: 'login-reused' } },
    ])
    hub.receive({ type: 'session.open', channel: 3, relay: RELAY, client: client.id })
    await untilCount(3, 1)
    expect(of(3)).toEqual([{ type: 'session.closed' }])
  })

  it('reports once a second that messages come, also after this computer’s clock was set back', () => {
    let at = NOW
    let say: (text: string) => void = () => undefined
    const signs: number[] = []
    openRelay(
      { url: webSocketUrl('wss://node'), keys, session: 'sid' },
      {
        openSocket: (_, { received }) => {
          say = received
          return { send: () => undefined, close: () => undefined }
        },
        now: () => at,
        later: () => () => undefined,
        random: () => 0,
        post: () => undefined,
      },
      () => 0,
      (time, facts) => {
        if (facts.length === 0) signs.push(time)
      },
    )
    for (const step of [0, 500, 500, -3_600_000, 500]) {
      at += step
      say('garbage')
    }
    expect(signs).toEqual([NOW, NOW + 1000, NOW + 1000 - 3_600_000])
  })

  describe('when its account logs in again', () => {
    const sessionOf = (text: string): string | undefined => {
      const message = decodeAccountMessage(text)
      return message.ok && message.value.type === 'login' ? message.value.payload.session : undefined
    }

    it('opens the sessions again that follow changes', async () => {
      const { hub, server, opened, cipher } = await withSession()
      hub.receive({ type: 'relay.logInAgain', channel: RELAY })
      expect(sessionOf(await server.message())).toBe('sid')
      expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
    })

    it('reports the login, and that something has arrived after it', async () => {
      const { hub, server, post, of, until } = await withSession()
      hub.receive({ type: 'relay.logInAgain', channel: RELAY })
      expect(sessionOf(await server.message())).toBe('sid')
      await until(() => of(RELAY).some(({ type }) => type === 'login.sent'))
      expect(of(RELAY).some(({ type }) => type === 'login.answered')).toBe(false)
      post({ type: 'disconnect', id: 'never seen' })
      await until(() => of(RELAY).some(({ type }) => type === 'login.answered'))
    })

    it('does so where nothing comes, also after this computer’s clock was set back', async () => {
      let at = NOW
      const timers: (() => void)[] = []
      const { hub, server } = await withSession(
        (ms, run) => {
          if (ms <= 50) setImmediate(run)
          else if (ms === NODE_CHECK) timers.push(run)
          return () => undefined
        },
        () => at,
      )
      hub.receive({ type: 'check', channel: 2 })
      for (const step of [-3_600_000, NODE_CHECK]) {
        at += step
        timers.shift()?.()
      }
      let session: string | undefined
      do session = sessionOf(await server.message())
      while (session !== 'sid')
    })

    it('ends the session at a client when the page closes it, with one login for several', async () => {
      const { hub, server } = await withSession()
      hub.receive({ type: 'close', channel: 2 })
      hub.receive({ type: 'broadcast', channel: RELAY, payload: { cmd: 'restart' } })
      const sent = [await server.message(), await server.message()]
      expect(sent.map(sessionOf).filter(session => session !== undefined)).toEqual(['sid'])
    })
  })

  describe('of a page that is hidden', () => {
    it('requests full states by logins over a second connection, which end their sessions', async () => {
      let at = NOW
      const relay = await withSession(
        (ms, run) => {
          if (ms <= 50) setImmediate(run)
          return () => undefined
        },
        () => at,
      )
      const { hub, of, server, cipher, second: socket, session: other, post, untilCount } = relay
      at += 5000
      hub.receive({ type: 'relay.sample', channel: RELAY, interval: 1 })
      const messages = [await server.message(), await server.message(), await server.message()]
      const logins = messages.flatMap(text => {
        const message = decodeAccountMessage(text)
        return message.ok && message.value.type === 'login' ? [message.value.payload.session] : []
      })
      expect(logins.toSorted()).toEqual([other, 'sid'].toSorted())
      const request = messages.map(decodeAccountMessage).find(message => message.ok && message.value.type === 'message')
      if (request?.ok !== true || request.value.type !== 'message') throw new Error('no request')
      expect(await cipher.open(request.value)).toMatchObject({
        ok: true,
        value: { type: 'session-open', session: other },
      })
      post({ type: 'disconnect', id: 'never seen' })
      socket.send('garbage')
      socket.send(JSON.stringify({ type: 'disconnect', id: client.id }))
      const state = await cipher.seal(other, data)
      socket.send(state)
      await untilCount(2, 4)
      expect(of(2).slice(2)).toEqual([
        { type: 'session.dated', asOf: at },
        { type: 'snapshot.received', data },
      ])
      socket.send(state)
      await untilCount(2, 5)
      expect(of(2).at(-1)).toEqual({ type: 'fault.found', fault: { kind: 'iv-reused' } })
      const closed = new Promise(resolve => socket.once('close', resolve))
      hub.receive({ type: 'close', channel: RELAY })
      await closed
    })
  })

  it('ends a session before its client is reported disconnected', async () => {
    const { hub, of, order, post, say, cipher, untilCount } = await withSession()
    await say(cipher, ['config', 'user', 'last words'])
    post({ type: 'disconnect', id: client.id })
    await untilCount(RELAY, 3)
    expect(of(2).slice(2)).toEqual([
      { type: 'changes.received', changes: [['config', 'user', 'last words']] },
      { type: 'session.closed' },
    ])
    expect(order.indexOf('2 session.closed')).toBeLessThan(order.indexOf('1 client.disconnected'))
    hub.receive({ type: 'session.open', channel: 3, relay: RELAY, client: client.id })
    await untilCount(3, 1)
    expect(of(3)).toEqual([{ type: 'session.closed' }])
  })

  it('ends a session when its client reconnects with a new key', async () => {
    const { of, order, join, joined, openSession, untilCount } = await withSession()
    const { cipher } = await join()
    await joined(2)
    expect(of(2).at(-1)).toEqual({ type: 'session.closed' })
    expect(order.indexOf('2 session.closed')).toBeLessThan(order.lastIndexOf('1 client.connected'))
    await openSession(3, cipher)
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

  it('that is closed from here ends its sessions and reports nothing more', async () => {
    const { hub, of, until } = await withSession()
    const before = of(RELAY).length
    hub.receive({ type: 'close', channel: RELAY })
    await until(() => of(2).at(-1)?.type === 'session.closed')
    expect(of(RELAY).length).toBe(before)
  })

  it('tells when all is known that a client said until it was checked', async () => {
    const { hub, second, session, cipher, opened, of, until } = await withSession()
    hub.receive({ type: 'watch', channel: 2, isWatched: true })
    hub.receive({ type: 'check', channel: 2 })
    expect(await opened(cipher)).toEqual({ type: 'session-open', session })
    second.send(await cipher.seal(session, data))
    await until(() => of(2).some(({ type }) => type === 'session.seen'))
    expect(of(2).at(-1)).toEqual({ type: 'session.seen', until: NOW + 2000 })
  })

  it('is probed by opening a session again, whose streams are restarted', async () => {
    const { hub, of, opened, say, cipher, untilCount } = await withSession()
    hub.receive({ type: 'send', channel: 2, command: { cmd: 'log', enable: true, time: TIME } })
    await opened(cipher)
    hub.receive({ type: 'probe', channel: RELAY, client: client.id })
    expect(await opened(cipher)).toEqual({ type: 'session-open', session: 'sid' })
    expect(await opened(cipher)).toEqual({
      type: 'message',
      session: 'sid',
      content: { cmd: 'log', enable: true, time: TIME },
    })
    await say(cipher, data)
    await untilCount(2, 3)
    expect(of(2)).toEqual([
      { type: 'session.opened' },
      { type: 'snapshot.received', data },
      { type: 'snapshot.received', data },
    ])
  })

  it('sends no commands of a closed session', async () => {
    const { hub, openSession, cipher } = await withSession()
    hub.receive({ type: 'close', channel: 2 })
    hub.receive({ type: 'send', channel: 2, command: { cmd: 'restart' } })
    await openSession(3, cipher)
  })
})

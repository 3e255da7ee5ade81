import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { connectAsync } from 'mqtt'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { createLoopbackCertificate } from '../../../network/certificate.ts'
import type { Attempt } from '../../machines/delivery/delivery.events.ts'
import { openServerStore } from '../../store/sqlite.ts'
import { testMessage, type Message } from '../message.ts'
import type { Channel, ChannelDeps } from './channel.ts'
import type { channelKinds } from './channel-kinds.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import { callHttp } from './http-call.ts'
import { NOTHING_USED } from '../../../../src/folding/power/energy.ts'
import { createMqttInputs, inputValue, type MqttReader } from './mqtt-inputs.ts'
import { createMqttPublisher, type PublishedClient } from './mqtt-publisher.ts'
import { ntfy } from './ntfy.ts'
import { slack } from './slack.ts'
import { signatureOf, webhook } from './webhook.ts'

const NOW = Date.parse('2027-01-01T12:00:00Z')
const running: (() => unknown)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const stop of running.splice(0).reverse()) await stop()
})
function stopLater<Started>(started: Started, stop: (started: Started) => unknown): Started {
  running.push(() => stop(started))
  return started
}
function portOf(server: { address: () => unknown }): number {
  return (server.address() as AddressInfo).port
}

const message: Message = {
  id: 'd-1',
  title: 'attic <b>*1*</b> & co: Work units fail in a row',
  body: '2 work units of group “” failed.\n@everyone <!channel>',
  gravity: 'grave',
  at: NOW,
  link: 'https://folding.example.org/attention',
  incidents: [],
}

function reasonOf(result: Attempt): string {
  return result.kind === 'failed' ? result.reason : result.kind
}

type Call = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }

type Answer = number | [number, Record<string, string>, string?]

/** A receiver on loopback that answers with these statuses, one after another. */
async function receiver(...answers: readonly Answer[]) {
  const calls: Call[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const answer = answers[Math.min(calls.length, answers.length - 1)] ?? 200
      calls.push({ headers: request.headers, body, path: request.url ?? '' })
      const [status, headers, text] = typeof answer === 'number' ? [answer, {}, ''] : answer
      response.writeHead(status, headers).end(text)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  stopLater(server, started => {
    started.closeAllConnections()
    started.close()
  })
  return { calls, url: `http://127.0.0.1:${portOf(server)}` }
}
function bodyOf({ calls }: { calls: readonly Call[] }, at = 0): unknown {
  return JSON.parse(calls[at]?.body ?? 'null')
}
const store = await openServerStore(undefined)
afterAll(() => store.close())
const deps: ChannelDeps = { now: () => NOW, subscriptions: store.push, pushKeys: undefined, mqtt: undefined }

/** A channel named `phone` of these settings. */
function open(kind: (typeof channelKinds)[number], settings: Readonly<Record<string, unknown>>): Channel {
  return stopLater(kind.open({ kind: kind.kind, name: 'phone', ...settings }, deps), channel => channel.stop?.())
}

/** Answers connections as the test says. */
async function rawServer(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    serve(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return stopLater(server, started => {
    for (const socket of sockets) socket.destroy()
    started.close()
  })
}
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}
/** Deadlines of attempts pass after a moment. */
function atOnce(): void {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const late = new AbortController()
    setTimeout(() => late.abort(new DOMException('Late', 'TimeoutError')), 300)
    return late.signal
  })
}

describe('HTTP', () => {
  test('a webhook is signed over id, time and body, with the same id at each attempt', async () => {
    const hook = await receiver(500, 200)
    const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`
    const channel = open(webhook, { url: `${hook.url}/hook`, secret })
    expect(await channel.send(message)).toEqual({ kind: 'failed', reason: 'phone answered with status 500' })
    expect(await channel.send(message)).toEqual({ kind: 'sent' })
    const [first, second] = hook.calls
    expect(first?.headers['webhook-id']).toBe('d-1')
    expect(second?.headers['webhook-id']).toBe('d-1')
    expect(first?.path).toBe('/hook')
    expect(second?.headers['webhook-signature']).toBe(signatureOf(secret, 'd-1', NOW / 1000, second?.body ?? ''))
    expect(second?.headers['webhook-signature']).not.toBe(
      signatureOf('another secret', 'd-1', NOW / 1000, second?.body ?? ''),
    )
    expect(bodyOf(hook)).toMatchObject({ id: 'd-1', title: message.title, gravity: 'grave', link: message.link })
    // The vector of the specification of Standard Webhooks.
    expect(
      signatureOf(
        'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
        'msg_p5jXN8AQM9LWM0D4loKWxJek',
        1_614_265_330,
        '{"test": 2432232314}',
      ),
    ).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('ntfy gets topic, priority and token; Discord and Slack get texts without mentions and markup', async () => {
    const target = await receiver()
    await open(ntfy, { url: target.url, topic: 'farm', token: 'tk_1' }).send(message)
    await open(discord, { url: target.url }).send(message)
    await open(slack, { url: target.url }).send(message)
    expect(target.calls[0]?.headers.authorization).toBe('Bearer tk_1')
    expect(bodyOf(target)).toMatchObject({ topic: 'farm', priority: 5, tags: ['rotating_light'], click: message.link })
    expect(bodyOf(target, 1)).toMatchObject({
      allowed_mentions: { parse: [] },
      embeds: [{ title: 'attic \\<b\\>\\*1\\*\\</b\\> & co: Work units fail in a row' }],
    })
    const { text } = bodyOf(target, 2) as { text: string }
    expect(text).toContain('attic &lt;b&gt;∗1∗&lt;/b&gt; &amp; co')
    expect(text).not.toContain('<!channel>')
    expect(await open(ntfy, { url: target.url, topic: 'farm' }).send(testMessage('t', NOW, undefined))).toEqual({
      kind: 'sent',
    })
    expect(bodyOf(target, 3)).toMatchObject({ priority: 3, tags: ['white_check_mark'] })
  })

  test.each<[string, Answer, object]>([
    ['a refusal is final', 404, { kind: 'refused', reason: 'x answered with status 404' }],
    ['a limit is waited for', [429, { 'Retry-After': '90' }], { kind: 'failed', wait: 90_000 }],
    ['a failure is tried again', 503, { kind: 'failed', reason: 'x answered with status 503' }],
    ['a redirect is not followed', [302, { Location: 'http://127.0.0.1:9/' }], { kind: 'refused' }],
    ['a huge answer is not read', [200, {}, 'x'.repeat(5_000_000)], { kind: 'sent' }],
  ])('%s', async (_, answer, result) => {
    const target = await receiver(answer)
    expect(await callHttp('x', target.url, { method: 'POST', body: '{}' }, () => NOW)).toMatchObject(result)
    expect(target.calls).toHaveLength(1)
  })

  test.each<[string, string, Partial<Attempt>]>([
    ['without an answer', '', { kind: 'unknown', reason: 'x did not answer: UND_ERR_SOCKET' }],
    [
      'after half an answer that takes it',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
      { kind: 'unknown', reason: 'x answered with status 200, but not to the end: UND_ERR_SOCKET' },
    ],
    [
      'after half an answer that does not take it',
      'HTTP/1.1 503 Busy\r\nContent-Length: 100\r\n\r\nhalf',
      { kind: 'failed', reason: 'x answered with status 503' },
    ],
  ])('a connection that is closed %s', async (_, answer, result) => {
    const server = await rawServer(socket => socket.once('data', () => socket.end(answer)))
    const url = `http://127.0.0.1:${portOf(server)}`
    expect(await callHttp('x', url, { method: 'POST', body: '{}' }, () => NOW)).toEqual(result)
  })

  test('a receiver that answers byte by byte has one deadline for the whole answer', async () => {
    atOnce()
    const server = await rawServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n')
      drip(socket, 'x')
    })
    expect(await callHttp('x', `http://127.0.0.1:${portOf(server)}`, { method: 'GET' })).toEqual({
      kind: 'unknown',
      reason: 'x answered with status 200, but not to the end: no answer in time',
    })
  })

  test('a reason names neither address nor secret', async () => {
    const result = await callHttp('hook', 'http://127.0.0.1:9/secret-path', { method: 'GET' })
    expect(reasonOf(result)).toMatch(/^hook cannot be reached: [A-Za-z_ ]+$/)
  })
})

describe('email', () => {
  type Mail = { readonly to: string[]; readonly from: string; readonly text: string }
  const smtp = async (reply?: { code: number }) => {
    const mails: Mail[] = []
    const { cert, key } = createLoopbackCertificate()
    const server = new SMTPServer({
      cert,
      key,
      authOptional: true,
      logger: false,
      onAuth: ({ username, password }, _, done) =>
        password === 'right' ? done(null, { user: username }) : done(new Error('wrong')),
      onRcptTo: (_, __, done) =>
        done(reply === undefined ? null : Object.assign(new Error('no'), { responseCode: reply.code })),
      onData: (stream, session, done) => {
        let text = ''
        stream.setEncoding('utf8').on('data', (part: string) => (text += part))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          mails.push({
            to: rcptTo.map(({ address }) => address),
            from: mailFrom === false ? '' : mailFrom.address,
            text,
          })
          done()
        })
      },
    })
    server.on('error', () => undefined)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    stopLater(server, started => new Promise<void>(resolve => started.close(() => resolve())))
    return { mails, port: portOf(server.server) }
  }
  const mailTo = (port: number, change: Readonly<Record<string, unknown>> = {}): Channel =>
    open(email, {
      name: 'mail',
      host: '127.0.0.1',
      port,
      tls: 'none',
      from: 'Foldboard <fold@example.org>',
      to: ['ana@example.org', 'bo@example.org'],
      ...change,
    })

  test('comes to all receivers, with the same id at each attempt, and marked as automatic', async () => {
    const { mails, port } = await smtp()
    expect(await mailTo(port).send(message)).toEqual({ kind: 'sent' })
    await mailTo(port).send(message)
    expect(mails).toHaveLength(2)
    expect(mails[0]).toMatchObject({ from: 'fold@example.org', to: ['ana@example.org', 'bo@example.org'] })
    for (const { text } of mails) {
      expect(text).toContain('Message-ID: <d-1@foldboard.server>')
      expect(text).toContain('Auto-Submitted: auto-generated')
      expect(text).toContain('https://folding.example.org/attention')
    }
  })

  test('a refused receiver is final; a wrong login, a busy server and an unencrypted one are not', async () => {
    const refusing = await smtp({ code: 550 })
    expect(await mailTo(refusing.port).send(message)).toEqual({
      kind: 'refused',
      reason: 'mail answered with status 550',
    })
    const busy = await smtp({ code: 451 })
    expect(await mailTo(busy.port).send(message)).toMatchObject({ kind: 'failed' })
    const { mails, port } = await smtp()
    // The certificate is not one that this computer trusts, so nothing is sent, above all no password.
    expect(await mailTo(port, { tls: 'start', user: 'ana', password: 'right' }).send(message)).toMatchObject({
      kind: 'failed',
    })
    expect(reasonOf(await mailTo(9).send(message))).toMatch(/^mail cannot be reached: [A-Z]+$/)
    expect(mails).toEqual([])
  })
})

describe('email whose server', () => {
  /** Talks SMTP until the whole message has come, and answers to that with `atEnd`. */
  const smtpServer = (
    atEnd: (socket: Socket) => void,
    atData = (socket: Socket): unknown => socket.write('354 go\r\n'),
  ) =>
    rawServer(socket => {
      let said = ''
      let isMessage = false
      socket.write('220 test\r\n')
      socket.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (isMessage) {
          if (!said.endsWith('\r\n.\r\n')) return
          isMessage = false
          atEnd(socket)
        } else if (/^DATA/m.test(said)) {
          isMessage = true
          atData(socket)
        } else if (said.includes('\n')) socket.write('250 ok\r\n')
        said = ''
      })
    })
  const sendTo = async (server: { address: () => unknown }): Promise<Attempt> => {
    const mail = open(email, {
      kind: 'email',
      name: 'mail',
      host: '127.0.0.1',
      port: portOf(server),
      tls: 'none',
      from: 'fold@example.org',
      to: ['ana@example.org'],
    })
    return mail.send(message)
  }

  test('closes the connection after it got the message may have delivered it', async () => {
    expect(await sendTo(await smtpServer(socket => socket.end()))).toEqual({
      kind: 'unknown',
      reason: 'mail did not answer to the message: ECONNECTION',
    })
  })

  test('closes the connection before it got the message has not delivered it', async () => {
    const server = await smtpServer(
      () => undefined,
      socket => socket.end(),
    )
    expect(await sendTo(server)).toMatchObject({ kind: 'failed' })
  })

  test('refuses or postpones the message has not delivered it', async () => {
    expect(await sendTo(await smtpServer(socket => socket.write('554 no\r\n')))).toMatchObject({ kind: 'refused' })
    expect(await sendTo(await smtpServer(socket => socket.write('451 later\r\n')))).toMatchObject({ kind: 'failed' })
  })

  test('answers byte by byte has one deadline for the whole attempt, before the message and after it', async () => {
    atOnce()
    expect(await sendTo(await rawServer(socket => drip(socket, '220-x\r\n')))).toEqual({
      kind: 'failed',
      reason: 'mail cannot be reached: no answer in time',
    })
    expect(await sendTo(await smtpServer(socket => drip(socket, '250-x\r\n')))).toEqual({
      kind: 'unknown',
      reason: 'mail did not answer to the message: no answer in time',
    })
  })
})

describe('MQTT', () => {
  const client: PublishedClient = {
    number: 1,
    address: 'attic:7396',
    name: 'attic',
    isConnected: true,
    ppd: 1234.6,
    runningUnits: 2,
    failedUnits: 0,
    incidents: 1,
    isFolding: true,
    canAct: true,
    version: '8.5.7',
  }
  const start = async () => {
    const broker = await Aedes.createBroker()
    const server = createTcpServer(broker.handle)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    running.push(
      () => new Promise<void>(resolve => broker.close(() => resolve())),
      () => server.close(),
    )
    const url = `mqtt://127.0.0.1:${portOf(server)}`
    const seen = new Map<string, string>()
    const reader = stopLater(await connectAsync(url), client => client.endAsync(true))
    const waiting = new Set<() => void>()
    reader.on('message', (topic, payload) => {
      seen.set(topic, payload.toString())
      for (const wake of waiting) wake()
    })
    await reader.subscribeAsync('#')
    const until = async (test: () => boolean): Promise<void> => {
      while (!test())
        await new Promise<void>(resolve => {
          const wake = () => {
            waiting.delete(wake)
            resolve()
          }
          waiting.add(wake)
        })
    }
    return { url, seen, reader, until }
  }
  const settings = (url: string) => ({
    url,
    topic: 'farm',
    discovery: 'homeassistant',
    switches: true,
    'find-meters': false,
  })
  const publisherOf = (
    url: string,
    clients: () => readonly PublishedClient[],
    acts: string[] = [],
    inputs: MqttReader = createMqttInputs(
      [],
      () => undefined,
      () => undefined,
    ),
  ) =>
    stopLater(
      createMqttPublisher({
        settings: settings(url),
        readers: [inputs],
        machines: clients,
        act: (number, state) => acts.push(`${number} ${state}`),
        version: '1.2.3',
        currency: () => 'EUR',
        onTrouble: () => undefined,
      }),
      publisher => publisher.stop(),
    )
  const topicWith = (seen: ReadonlyMap<string, string>, part: string): string =>
    [...seen.keys()].find(topic => topic.includes(part)) ?? ''

  test('clients and totals are entities of Home Assistant; what changed is published', async () => {
    const { url, seen, until } = await start()
    let clients = [client, { ...client, number: 2, address: 'cellar:7396', name: 'cellar', canAct: false }]
    const publisher = publisherOf(url, () => clients)
    await until(() => seen.has('farm/total/state') && topicWith(seen, 'switch/') !== '')
    expect(JSON.parse(seen.get('farm/total/state') ?? '')).toEqual({
      points_per_day: 2469,
      running_units: 4,
      machines: 2,
      connected_machines: 2,
      incidents: 2,
      power: null,
      energy: null,
      energy_cost: null,
    })
    expect(seen.get('farm/status')).toBe('online')
    const configs = [...seen]
      .filter(([topic]) => topic.endsWith('/config'))
      .map(([, text]) => JSON.parse(text) as Record<string, unknown>)
    expect(configs.filter(config => config['command_topic'] !== undefined)).toHaveLength(1)
    expect(new Set(configs.map(config => config['unique_id'])).size).toBe(configs.length)
    expect(configs.find(config => String(config['unique_id']).endsWith('_points_per_day'))).toMatchObject({
      state_class: 'measurement',
      availability_mode: 'all',
    })
    const availability = [...seen.keys()].filter(topic => topic.endsWith('/availability'))
    expect(availability.map(topic => seen.get(topic))).toEqual(['online', 'online'])
    clients = [{ ...client, isConnected: false }]
    publisher.publish()
    await until(() => availability.some(topic => seen.get(topic) === 'offline'))
  })

  test('energy is what the energy board of Home Assistant takes, and configurations of other programs stay', async () => {
    const { url, seen, reader, until } = await start()
    const other = 'homeassistant/sensor/plug/config'
    await reader.publishAsync(other, '{"device_class":"power"}', { qos: 1, retain: true })
    const total = { ...NOTHING_USED, wattHours: 1234.5678, cost: -0.5 }
    const power = { watts: 250.25, origin: 'measured', total } as const
    const read: string[] = []
    const all = { topics: ['homeassistant/sensor/+/config'], flush: () => undefined }
    publisherOf(url, () => [{ ...client, power }], [], { ...all, receive: topic => read.push(topic) })
    await until(
      () => read.includes(other) && topicWith(seen, 'total_energy_cost/') !== '' && seen.has('farm/total/state'),
    )
    const configOf = (part: string) => JSON.parse(seen.get(topicWith(seen, part)) ?? '{}') as unknown
    expect(configOf('total_energy/')).toMatchObject({
      device_class: 'energy',
      state_class: 'total_increasing',
      unit_of_measurement: 'kWh',
    })
    expect(configOf('total_energy_cost/')).toMatchObject({ device_class: 'monetary', unit_of_measurement: 'EUR' })
    expect(JSON.parse(seen.get('farm/total/state') ?? '')).toMatchObject({
      power: 250.3,
      energy: 1.235,
      energy_cost: -0.5,
    })
    await reader.publishAsync('farm/end', 'x', { qos: 1 })
    await until(() => seen.has('farm/end'))
    expect(seen.get(other)).not.toBe('')
  })

  test('values of clients that are away, or not connected yet, are unknown and not zero', async () => {
    const { url, seen, until } = await start()
    const away = { ...client, isConnected: false, ppd: 0, runningUnits: 0 }
    const cellar = { ...away, number: 2, address: 'cellar:7396', name: 'cellar' }
    let clients = [away, cellar]
    const publisher = publisherOf(url, () => clients)
    const total = (): unknown => JSON.parse(seen.get('farm/total/state') ?? '{}')
    const states = (): readonly unknown[] =>
      [...seen].flatMap(([topic, text]) => (/machines\/.*\/state$/.test(topic) ? [JSON.parse(text) as unknown] : []))
    const unknown = { points_per_day: null, running_units: null }
    await until(() => seen.has('farm/total/state') && states().length === 2)
    expect(total()).toMatchObject({ ...unknown, connected_machines: 0, machines: 2 })
    expect(states()).toMatchObject([unknown, unknown])
    clients = [client, cellar]
    publisher.publish()
    await until(() => /"connected_machines":1/.test(seen.get('farm/total/state') ?? ''))
    expect(total()).toMatchObject({ points_per_day: 1235, running_units: 2 })
    expect(states()).toEqual(expect.arrayContaining([expect.objectContaining(unknown)]))
  })

  test('a switch acts where it may, and an old command that the broker kept does nothing', async () => {
    const { url, seen, reader, until } = await start()
    const acts: string[] = []
    const locked = { ...client, number: 2, address: 'cellar:7396', name: 'cellar', canAct: false }
    const first = publisherOf(url, () => [client, locked], acts)
    await until(
      () => topicWith(seen, 'switch/') !== '' && [...seen.keys()].filter(name => name.endsWith('/state')).length === 3,
    )
    const commandTopic = String(
      (JSON.parse(seen.get(topicWith(seen, 'switch/')) ?? '{}') as Record<string, unknown>)['command_topic'],
    )
    const other = [...seen.keys()]
      .filter(name => /machines\/.*\/state$/.test(name))
      .map(name => name.replace(/state$/, 'set'))
      .find(name => name !== commandTopic)
    await reader.publishAsync(commandTopic, 'ON', { qos: 1, retain: true })
    await reader.publishAsync(other ?? '', 'OFF', { qos: 1 })
    await reader.publishAsync(commandTopic, 'nonsense', { qos: 1 })
    await reader.publishAsync(commandTopic, 'OFF', { qos: 1 })
    while (acts.length < 2) await new Promise(resolve => setImmediate(resolve))
    expect(acts).toEqual(['1 fold', '1 pause'])
    await first.stop()
    await until(() => seen.get('farm/status') === 'offline')
    seen.clear()
    const second = publisherOf(url, () => [client], acts)
    await until(() => seen.get('farm/status') === 'online')
    // The entities of the client that was removed from the settings are deleted.
    await until(() => [...seen.values()].filter(text => text === '').length > 3)
    expect(await second.channel('home').send(message)).toEqual({ kind: 'sent' })
    expect(acts).toEqual(['1 fold', '1 pause'])
  })

  test('messages of topics are inputs of schedules: the newest of each, and no value that was known before', async () => {
    const { url, reader, until, seen } = await start()
    const received: unknown[] = []
    await reader.publishAsync('meter/price', '12.5', { qos: 1, retain: true })
    await reader.publishAsync('meter/old', '7', { qos: 1, retain: true })
    const inputs = createMqttInputs(
      [
        { name: 'price', topic: 'meter/price' },
        { name: 'old', topic: 'meter/old' },
        { name: 'solar', topic: 'meter/solar', path: 'ENERGY.Power.0' },
        { name: 'home', topic: 'phone/state' },
      ],
      name => (name === 'old' ? 7 : undefined),
      (name, value) => received.push([name, value]),
    )
    const publisher = publisherOf(url, () => [], [], inputs)
    await until(() => seen.get('farm/status') === 'online')
    for (const watt of [100, 200])
      await reader.publishAsync('meter/solar', `{"ENERGY":{"Power":[${watt}]}}`, { qos: 1 })
    for (const text of ['{}', 'no JSON', '{"ENERGY":{"Power":["NaN"]}}'])
      await reader.publishAsync('meter/solar', text, { qos: 1 })
    await reader.publishAsync('phone/state', 'not_home', { qos: 1 })
    while (received.length < 3) {
      publisher.publish()
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(Object.fromEntries(received as [string, number][])).toEqual({ price: 12.5, solar: 200, home: 0 })
  })

  test.each([
    ['23.4', undefined, 23.4],
    [' ON ', undefined, 1],
    ['off', undefined, 0],
    ['true', undefined, 1],
    ['', undefined, undefined],
    ['1e13', undefined, undefined],
    ['warm', undefined, undefined],
    ['{"a":{"b":false}}', 'a.b', 0],
    ['{"a":{"b":"3"}}', 'a.b', 3],
    ['{"a":null}', 'a.b', undefined],
    ['{"a":1}', '__proto__.a', undefined],
    ['[4,5]', '1', 5],
  ])('the value of %s at %s is %s', (text, path, value) => {
    expect(inputValue({ path }, Buffer.from(text))).toBe(value)
  })

  test('an alert is an event, and fails while there is no broker', async () => {
    const { url, seen, until } = await start()
    const publisher = publisherOf(url, () => [client])
    await until(() => seen.has('farm/status'))
    const channel = publisher.channel('home')
    expect(await channel.send(message)).toEqual({ kind: 'sent' })
    await until(() => seen.has('farm/alerts'))
    expect(JSON.parse(seen.get('farm/alerts') ?? '')).toMatchObject({ event_type: 'open', id: 'd-1', gravity: 'grave' })
    await channel.send(testMessage('t', NOW, undefined))
    await until(() => seen.get('farm/alerts')?.includes('"trial"') === true)
    const lonely = publisherOf('mqtt://127.0.0.1:9', () => [])
    expect(await lonely.channel('home').send(message)).toMatchObject({ kind: 'failed' })
  })
})

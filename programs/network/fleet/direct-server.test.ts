import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSchedule, createSimulatedClient, localProfile, systemClock } from '../clients/index.ts'
import type { ClientProfile } from '../clients/types.ts'
import { openTestSocket } from '../../../test/network/test-socket.ts'
import type { TestSocket } from '../../../test/network/test-socket.ts'
import { createDirectServer } from './direct-server.ts'
import type { DirectServer } from './direct-server.ts'
import { createOriginRule } from './origins.ts'
import type { DirectTimes } from './direct-socket.ts'

const QUICK: DirectTimes = { commandDelayMs: 0, silenceMs: 60_000, pingMs: 60_000, pongDelayMs: 0, closeDelayMs: 0 }
const LARGE = 1_048_577
/** Paused and without units, so it sends nothing by itself. */
const QUIET: ClientProfile = { ...localProfile.profile, groups: { '': { cpus: 4 } }, units: [] }
const stops: (() => void | Promise<void>)[] = []
let schedule: ReturnType<typeof createSchedule>

beforeEach(() => {
  schedule = createSchedule(systemClock)
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  schedule.stop()
})

async function start(times: Partial<DirectTimes> = {}, origins: readonly string[] = []): Promise<DirectServer> {
  const client = createSimulatedClient({ name: 'quiet', profile: QUIET, id: 'local-machine', seed: 5, schedule })
  const server: DirectServer = createDirectServer({
    client,
    port: 0,
    allows: createOriginRule(() => server.port(), origins),
    times: { ...QUICK, ...times },
    redirect: 'http://localhost:7400/',
  })
  await server.start()
  stops.push(
    () => {
      client.stop()
    },
    () => server.stop(),
  )
  return server
}

async function open(server: DirectServer, origin?: string): Promise<TestSocket> {
  const socket = await openTestSocket(
    `ws://127.0.0.1:${server.port()}/api/websocket`,
    origin === undefined ? {} : { Origin: origin },
  )
  stops.push(() => {
    socket.drop()
  })
  return socket
}

test('a reader gets the full state first, then changes by others', async () => {
  const server = await start()
  const [reader, other] = [await open(server), await open(server)]
  expect(Object.keys(JSON.parse(await reader.next()) as object)).toEqual(['info', 'config', 'groups', 'units'])
  other.send('{"cmd":"config","config":{"user":"Ada"}}')

  expect(await reader.next(text => text.includes('user'))).toBe('["config","user","Ada"]')
})

test.each([
  ['what is not JSON', 'fold!'],
  ['nothing', ''],
  ['a word', '"ping"'],
  ['a number', '5'],
  ['a list', '[]'],
  ['null', 'null'],
  ['half of a character', '{"cmd":"\\ud83d"}'],
  ['a unit to dump that is not there', '{"cmd":"dump","unit":"none"}'],
  ['a state without its word', '{"cmd":"state"}'],
  ['too much', `{"cmd":"${'x'.repeat(LARGE)}"}`],
])('after %s only this socket is dropped, without a close frame', async (_what, text) => {
  const server = await start()
  const [careless, other] = [await open(server), await open(server)]
  await Promise.all([careless.next(), other.next()])
  careless.send(text)
  expect(await careless.closed).toBe(1006)
  other.send('{"cmd":"config","config":{"user":"Still here"}}')

  expect(await other.next(found => found.includes('user'))).toBe('["config","user","Still here"]')
})

test('a page that sends a Close frame gets none back', async () => {
  const socket = await open(await start())
  await socket.next()
  socket.socket.close(1000)

  expect(await socket.closed).toBe(1006)
})

test('the text "ping" is sent after silence', async () => {
  const socket = await open(await start({ silenceMs: 30 }))
  await socket.next()

  expect(await socket.next()).toBe('"ping"')
  expect(await socket.next()).toBe('"ping"')
})

test('pings are sent one after another, and several of a page get one late pong for the last', async () => {
  const socket = await open(await start({ pingMs: 20, pongDelayMs: 40 }))
  await once(socket.socket, 'ping')
  await once(socket.socket, 'ping')
  const answers: string[] = []
  socket.socket.on('pong', payload => answers.push(payload.toString()))
  socket.socket.ping('one')
  socket.socket.ping('two')
  await once(socket.socket, 'pong')

  expect(answers).toEqual(['two'])
})

test('commands run one after another, each after a delay', async () => {
  const socket = await open(await start({ commandDelayMs: 40 }))
  await socket.next()
  const began = performance.now()
  socket.send('{"cmd":"config","config":{"user":"first"}}')
  socket.send('{"cmd":"config","config":{"team":7},"time":"2030-01-01T00:00:00"}')
  socket.send('{"cmd":"wus","enable":true}')
  await socket.next(text => text.startsWith('["wus"'))

  expect(performance.now() - began).toBeGreaterThan(110)
})

test('a long message is sent in several frames', async () => {
  const server = await start()
  const socket = await open(server)
  await socket.next()
  socket.send('{"cmd":"log","enable":true}')
  for (let line = 0; line < 20; line += 1) socket.send(JSON.stringify({ cmd: `nothing ${'x'.repeat(60_000)}` }))
  const again = await open(server)
  await again.next()
  again.send('{"cmd":"log","enable":true}')

  expect((await again.next(text => text.startsWith('["log"'))).length).toBeGreaterThan(65_535)
})

test.each<[string | undefined, boolean]>([
  [undefined, true],
  ['http://localhost:PORT', true],
  ['http://127.0.0.1:PORT', true],
  ['https://foldingathome.org', true],
  ['https://v8-5.foldingathome.org', true],
  ['http://localhost:7400', true],
  ['http://localhost:1', false],
  ['https://localhost:PORT', false],
  ['http://foldingathome.org', false],
  ['https://foldingathome.org.evil.example', false],
  ['https://evilfoldingathome.org', false],
  ['null', false],
  ['', false],
])('with port 7400 allowed, a page of %s is accepted: %s', async (origin, isAllowed) => {
  const server = await start({}, ['http://localhost:7400'])
  const opened = open(server, origin?.replace('PORT', String(server.port())))

  if (isAllowed) await expect(opened).resolves.toBeDefined()
  else await expect(opened).rejects.toThrow('401')
})

test('HTTP requests are redirected to the dashboard', async () => {
  const server = await start()
  const at = `http://127.0.0.1:${server.port()}`
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(at + path, { redirect: 'manual', ...init })
    return [response.status, response.headers.get('Location'), await response.text()]
  }

  expect(await ask('/anything')).toEqual([307, 'http://localhost:7400/', ''])
  expect(await ask('/ping')).toEqual([307, 'http://localhost:7400/', ''])
  expect(await ask('/ping?callback=f')).toEqual([200, null, 'f({"redirect":"http://localhost:7400/"})'])
  expect(await ask('/ping?callback=%3Cscript%3E')).toEqual([400, null, ''])
  expect(await ask('/api/websocket')).toEqual([400, null, ''])
  expect(await ask('/', { method: 'POST' })).toEqual([404, null, 'Not found'])
})

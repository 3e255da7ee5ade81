import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { askRaw, sendBytes } from '../../test/raw-request.ts'
import {
  clientOf,
  programs,
  signIn,
  stateOf,
  TOKENS,
  untilConnected,
  useService,
  type StartedService,
} from '../../test/server-service.ts'

/* What slow and many callers do to a server: it takes seconds to minutes. */

const { client, openPage, people, start, stopLater } = useService()

const MEGABYTE = 1_048_576
function portOf({ origin }: StartedService): number {
  return Number(new URL(origin).port)
}
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / MEGABYTE
}
/** Connects without a request. */
async function dial(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined)
  socket.resume()
  await once(socket, 'connect')
  stopLater({ stop: () => socket.destroy() })
  return socket
}

test('sixty pages that ask for a long log and do not read it take little memory, and others get theirs', async () => {
  const attic = await client()
  const service = await start(`${clientOf(attic)}\n${people()}\n${programs()}`)
  await untilConnected(service, { Authorization: `Bearer ${TOKENS.read}` })
  const [viewer, operator] = [await signIn(service, 'viewer'), await signIn(service, 'operator')]
  const line = `12:00:00:I1:${'x'.repeat(480)}`
  const stalled = await Promise.all(Array.from({ length: 60 }, () => openPage(service, { Cookie: viewer })))
  const quick = await openPage(service, { Cookie: operator })
  await stateOf(quick)
  quick.send('{"cmd":"log","enable":true}')
  await vi.waitFor(() => expect(attic.untakenCommands()).toContainEqual({ cmd: 'log', enable: true }), 20_000)
  let written = 0
  const say = (lines: number): void => {
    attic.say(['log', ...(written === 0 ? [] : [-2]), Array.from({ length: lines }, () => line)])
    written += lines
  }
  let read = 0
  const readTo = async (lines: number): Promise<void> => {
    while (read < lines) {
      const [, ...rest] = JSON.parse(await quick.next(text => text.startsWith('["log"'))) as [string, ...unknown[]]
      read += (rest.at(-1) as readonly string[]).length
    }
  }
  for (let part = 0; part < 40; part++) {
    say(1_000)
    await readTo(written)
  }
  const before = memory()
  for (const { socket } of stalled) {
    socket.send('{"cmd":"log","enable":true}')
    socket.pause()
  }
  let most = 0
  for (let second = 0; second < 10; second++) {
    say(10)
    await readTo(written)
    await new Promise(resolve => setTimeout(resolve, 300))
    most = Math.max(most, memory() - before)
  }
  // 60 logs of 20 MB would be 1.2 GB.
  expect(most).toBeLessThan(200)
  expect(read).toBe(40_100)
})

test('twenty pages that stop reading are ended before much waits, and one that reads misses nothing', async () => {
  const attic = await client()
  const service = await start(`${clientOf(attic)}\n${people()}\n${programs()}`)
  await untilConnected(service, { Authorization: `Bearer ${TOKENS.read}` })
  const viewer = await signIn(service, 'viewer')
  const stalled = await Promise.all(Array.from({ length: 20 }, () => openPage(service, { Cookie: viewer })))
  const quick = await openPage(service, { Cookie: viewer })
  await stateOf(quick)
  for (const { socket } of stalled) socket.pause()
  const before = memory()
  let most = 0
  for (let change = 0; change < 1_000; change++) {
    attic.say(['config', 'user', `${change} ${'x'.repeat(20_000)}`])
    expect((await quick.next()).slice(0, 40)).toBe(`["config","user","${change} ${'x'.repeat(40)}`.slice(0, 40))
    if (change % 50 === 0) most = Math.max(most, memory() - before)
  }
  // 20 times 20 MB would be 400 MB.
  expect(most).toBeLessThan(250)
  for (const { socket } of stalled) socket.resume()
  await Promise.any(stalled.map(({ closed }) => closed))
  quick.send('{"cmd":"wus","enable":true}')
  expect(quick.socket.readyState).toBe(quick.socket.OPEN)
})

test('forty programs that ask for a long history and do not read it are ended before much waits', async () => {
  const service = await start(`${people()}\n${programs()}`)
  const long = 'x'.repeat(195)
  const rows = Array.from({ length: 10_000 }, (_, number) => ({
    key: `attic ${number}`,
    machine: long,
    unit: `unit ${number} ${long.slice(20)}`,
    number,
    group_name: long,
    resource: long,
    project: 18_201,
    run: 0,
    clone: 0,
    gen: 0,
    core: long,
    result: 'credited',
    credit: 1,
    ppd: null,
    run_time: 1,
    assigned: null,
    ended: number,
  }))
  for (let at = 0; at < rows.length; at += 1_000) await service.store.addUnits(rows.slice(at, at + 1_000))
  const path = '/api/server/units?limit=10000'
  const authorization = `Authorization: Bearer ${TOKENS.read}`
  const before = memory()
  const sockets: Socket[] = []
  for (let count = 0; count < 40; count++) {
    const socket = await dial(portOf(service))
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`)
    sockets.push(socket)
  }
  // Another user, whose budget is their own.
  const cookie = await signIn(service, 'viewer')
  const { status, text } = await askRaw(portOf(service), { path, headers: { Cookie: cookie } })
  expect(status).toBe(200)
  expect(text.length > 11 * MEGABYTE).toBe(true)
  // 40 answers of 12 MB would be 480 MB.
  expect(memory() - before).toBeLessThan(350)
  let whole = 0
  await Promise.all(
    sockets.map(async socket => {
      let bytes = 0
      socket.on('data', part => (bytes += part.length)).resume()
      await once(socket, 'close')
      if (bytes > text.length) whole++
    }),
  )
  expect(whole > 0).toBe(true)
  expect(whole < 20).toBe(true)
}, 120_000)

test('a thousand connections without a request are dropped, and so are those whose header or body comes byte by byte', async () => {
  const service = await start(people())
  const port = portOf(service)
  const sockets: Socket[] = []
  for (let count = 0; count < 1_000; count++) sockets.push(await dial(port))
  expect((await askRaw(port, { path: '/healthz' })).status).toBe(200)
  const drip = (head: string, part: string) =>
    new Promise<number>((resolve, reject) => {
      const from = performance.now()
      const socket = connect({ host: '127.0.0.1', port })
      const timer = setInterval(() => socket.write(part), 250)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          clearInterval(timer)
          resolve((performance.now() - from) / 1_000)
        })
      socket.on('connect', () => socket.write(head, error => error && reject(error)))
      socket.resume()
    })
  const host = `Host: 127.0.0.1:${port}\r\nOrigin: ${service.origin}\r\n`
  const [header, body] = await Promise.all([
    drip(`GET / HTTP/1.1\r\n${host}`, 'X-A: b\r\n'),
    drip(`POST /api/server/login HTTP/1.1\r\n${host}Content-Length: 5000\r\n\r\n`, 'x'),
  ])
  expect(header < 20).toBe(true)
  expect(body < 45).toBe(true)
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => !closed)).toEqual([]), {
    timeout: 70_000,
    interval: 500,
  })
  expect((await askRaw(port, { path: '/healthz' })).status).toBe(200)
}, 180_000)

test('bytes that are no request end only the connection they came on', async () => {
  const service = await start(people())
  const port = portOf(service)
  let seed = 1
  const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  const garbage = (length: number): string =>
    Array.from({ length }, () => String.fromCharCode(Math.floor(random() * 256))).join('')
  const attempts = [
    garbage(1),
    garbage(10_000),
    '\r\n'.repeat(50_000),
    `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(20_000)}\r\n`,
    `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
    'GET / HTTP/9.9\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    'GET / HTTP/1.1\r\nHost: x\r\n continued\r\n\r\n',
    'GET / HTTP/1.1\nHost: x\n\n',
    'POST /api/server/login HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
    'POST /api/server/login HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
    'POST /api/server/login HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n',
    'GET /api/websocket HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'GET /api/websocket HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x\r\n\r\n',
  ]
  for (const bytes of attempts) {
    const answer = await sendBytes(port, bytes)
    expect(bytes.slice(0, 40)).toEqual(bytes.slice(0, 40))
    expect(/^HTTP\/1\.1 2/.test(answer)).toBe(false)
  }
  for (let round = 0; round < 200; round++) {
    const socket = await dial(port)
    socket.write(`POST /api/server/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 100\r\n\r\nhalf`)
    socket.resetAndDestroy()
  }
  expect((await askRaw(port, { path: '/healthz' })).status).toBe(200)
})

test('five hundred HEADs of the event stream leave room for everybody else', async () => {
  const service = await start('')
  for (let count = 0; count < 500; count++)
    expect((await askRaw(portOf(service), { method: 'HEAD', path: '/api/server/events' })).status).toBe(200)
  const { status, headers } = await askRaw(portOf(service), { path: '/api/server/events' }, true)
  expect({ status, contentType: headers['content-type'] }).toEqual({ status: 200, contentType: 'text/event-stream' })
})

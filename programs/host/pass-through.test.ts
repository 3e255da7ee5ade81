import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { openServer } from './server.ts'
import { createSocketEndpoint } from './sockets.ts'
import { openTestSocket } from '../../test/network/test-socket.ts'
import { directAddresses, serveDashboard } from './dashboard.ts'
import type { Dashboard } from './dashboard.ts'

type FakeClient = { port: number; asked: IncomingMessage[]; sockets: WebSocket[]; stop: () => Promise<void> }

async function startClient(greeting: string, wanted = 0): Promise<FakeClient> {
  const asked: IncomingMessage[] = []
  const sockets: WebSocket[] = []
  const door = createSocketEndpoint({}, (socket, request) => {
    asked.push(request)
    sockets.push(socket)
    socket.on('message', (data: Buffer) => {
      socket.send(`${greeting} received ${data.toString('utf8')}`)
    })
  })
  const { port, close } = await openServer({
    place: { what: 'a test', port: wanted, option: '' },
    answer: (_request, response) => {
      response.writeHead(404).end()
    },
    upgrade: () => door.accept,
  })
  return { port, asked, sockets, stop: close }
}

let client: FakeClient
let standIn: FakeClient
let dashboard: Dashboard
let lines: string[]
let behind: boolean[]

beforeEach(async () => {
  lines = []
  behind = []
  client = await startClient('The client')
  standIn = await startClient('The stand-in')
  dashboard = await serveDashboard({
    port: 0,
    folder: '/nowhere',
    client: { host: '127.0.0.1', port: client.port },
    standIn: () => ({ host: '127.0.0.1', port: standIn.port }),
    onClientBehind: isThere => {
      behind.push(isThere)
    },
    lookMs: 50,
    settings: () => ({}),
    report: line => {
      lines.push(line)
    },
  })
  await dashboard.findPeer()
})

afterEach(async () => {
  await dashboard.stop()
  await client.stop()
  await standIn.stop()
})

/** The status line of the answer to a handshake with these headers. */
async function statusFor(
  headers: Readonly<Record<string, string>>,
  { port } = dashboard,
  host = '127.0.0.1',
  path = '/api/websocket',
): Promise<string> {
  const socket = connect(port, host)
  const all = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }
  socket.write(
    `GET ${path} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n')}\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString('utf8').split('\r\n')[0]?.slice(9) ?? ''
}

function pageSocket(name = 'localhost') {
  return openTestSocket(`ws://127.0.0.1:${dashboard.port}/api/websocket`, {
    Host: `${name}:${dashboard.port}`,
    Origin: `http://${name}:${dashboard.port}`,
  })
}

test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('a page of this server at %s is accepted', async name => {
  const status = await statusFor({
    Host: `${name}:${dashboard.port}`,
    Origin: `http://${name.toLowerCase()}:${dashboard.port}`,
  })

  expect(status).toBe('101 Switching Protocols')
})

test.each<[string, string, string | undefined]>([
  ['another site’s page', 'localhost:PORT', 'https://evil.example'],
  ['a page whose name was rebound to this computer', 'evil.example:PORT', 'http://evil.example:PORT'],
  ['a page of another local server', 'localhost:PORT', 'http://localhost:3000'],
  ['a page on another port of the same name', '127.0.0.1:PORT', 'http://127.0.0.1:1'],
  ['a page under the other local name', 'localhost:PORT', 'http://127.0.0.1:PORT'],
  ['a page by the wrong scheme', 'localhost:PORT', 'https://localhost:PORT'],
  ['a page without an origin', 'localhost:PORT', undefined],
  ['a sandboxed page', 'localhost:PORT', 'null'],
  ['a page that asks for another port', 'localhost:1', 'http://localhost:1'],
  ['a page that asks without a port', 'localhost', 'http://localhost'],
  ['a page on a look-alike host', 'localhost.evil.example:PORT', 'http://localhost.evil.example:PORT'],
  ['a page on the local network', '192.168.0.10:PORT', 'http://192.168.0.10:PORT'],
])('%s is refused with 403 and not forwarded', async (_who, host, origin) => {
  const at = (text: string): string => text.replaceAll('PORT', String(dashboard.port))
  const status = await statusFor({ Host: at(host), ...(origin === undefined ? {} : { Origin: at(origin) }) })

  expect(status).toBe('403 Forbidden')
  expect(client.asked).toEqual([])
})

const address = Object.values(networkInterfaces())
  .flatMap(ofOne => ofOne ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test.skipIf(address === undefined)(
  'who does not connect from this computer gets pages and no client, whatever its headers say, unless the port is published',
  async () => {
    const answersWhere = async (isPublished: boolean) => {
      const open = await serveDashboard({
        port: 0,
        listen: '0.0.0.0',
        isPublished,
        folder: '/nowhere',
        client: { host: '127.0.0.1', port: client.port },
        standIn: () => undefined,
        settings: () => ({}),
        report: line => {
          lines.push(line)
        },
      })
      const Host = `localhost:${open.port}`
      const plain = { Host, Connection: 'close', 'Sec-Fetch-Site': 'same-origin' }
      const answers = [
        await statusFor({ Host, Origin: open.url }, open, address),
        await statusFor(plain, open, address, '/api/client'),
        await statusFor(plain, open, address, '/api/client/show'),
      ]
      await open.stop()
      return answers
    }
    lines = []
    expect(await answersWhere(false)).toEqual(['403 Forbidden', '404 Not Found', '404 Not Found'])
    expect(client.asked).toEqual([])
    expect(lines).toEqual([
      'Only programs of this computer reach the client, unless --published says that the port is published to it alone.',
    ])
    expect(await answersWhere(true)).toEqual(['101 Switching Protocols', '200 OK', '303 See Other'])
  },
)

test.skipIf(address === undefined)('it names the address at which it is reached', async () => {
  const open = await serveDashboard({
    port: 0,
    listen: address ?? '',
    folder: '/nowhere',
    client: { host: '127.0.0.1', port: client.port },
    standIn: () => undefined,
    settings: () => ({}),
    report: () => undefined,
  })
  expect(open.url).toBe(`http://${address ?? ''}:${open.port}`)
  expect((await fetch(open.url)).status).toBe(503)
  await open.stop()
})

test('an invalid WebSocket handshake is refused', async () => {
  const pageHeaders = { Host: `localhost:${dashboard.port}`, Origin: `http://localhost:${dashboard.port}` }

  expect(await statusFor({ ...pageHeaders, 'Sec-WebSocket-Version': '8' })).toBe('400 Bad Request')
  expect((await fetch(`http://127.0.0.1:${dashboard.port}/api/websocket`)).status).toBe(400)
})

test('the client gets no Origin and no cookie, and messages are forwarded both ways', async () => {
  const page = await pageSocket()
  page.send('hello')

  expect(await page.next()).toBe('The client received hello')
  const { origin, cookie, host } = client.asked[0]?.headers ?? {}
  expect({ origin, cookie, host }).toEqual({ origin: undefined, cookie: undefined, host: `127.0.0.1:${client.port}` })
  page.drop()
})

test('a large message is forwarded whole', async () => {
  const page = await pageSocket()
  const text = 'x'.repeat(3_000_000)
  page.send(text)

  expect(await page.next()).toBe(`The client received ${text}`)
  page.drop()
})

test("a dropped client connection drops the page's, without a close frame", async () => {
  const page = await pageSocket()
  page.send('hello')
  await page.next()
  client.sockets[0]?.terminate()

  expect(await page.closed).toBe(1006)
})

test("a dropped page connection drops the client's", async () => {
  const page = await pageSocket()
  page.send('hello')
  await page.next()
  const [socket] = client.sockets
  if (socket === undefined) throw new Error('No socket at the client')
  const closed = once(socket, 'close') as Promise<[number]>
  page.drop()

  expect((await closed)[0]).toBe(1006)
})

test('a simulated client replaces a missing one, and stays when that is there until the page shows it', async () => {
  const { port } = client
  await client.stop()
  const page = await pageSocket()
  page.send('hello')
  expect(await page.next()).toBe('The stand-in received hello')
  page.drop()

  const somethingElse = await openServer({
    place: { what: 'a test', port, option: '' },
    answer: (_request, response) => {
      response.writeHead(404).end()
    },
    upgrade: () => 404,
  })
  const other = await pageSocket()
  other.send('still')
  expect(await other.next()).toBe('The stand-in received still')
  other.drop()
  await somethingElse.close()

  const started = await startClient('The client', port)
  const kept = await pageSocket()
  kept.send('kept')
  expect(await kept.next()).toBe('The stand-in received kept')
  await vi.waitFor(() => expect(behind).toEqual([true]), { timeout: 20_000 })
  const show = (site: string) =>
    fetch(`http://127.0.0.1:${dashboard.port}/api/client/show`, {
      headers: { 'Sec-Fetch-Site': site },
      redirect: 'manual',
    })
  expect((await show('cross-site')).status).toBe(404)
  expect((await show('same-origin')).headers.get('location')).toBe('/machines')
  expect(await kept.closed).toBe(1006)
  const shown = await pageSocket()
  shown.send('shown')
  expect(await shown.next()).toBe('The client received shown')
  shown.drop()
  await started.stop()

  expect(behind).toEqual([true, false])
  expect(lines).toEqual([
    `Local client: the one at 127.0.0.1:${port}.`,
    `Local client: nothing listens at 127.0.0.1:${port}, a simulated one takes its place.`,
    `Local client: the one at 127.0.0.1:${port}.`,
  ])
})

test('several clients are passed through, each at its own path, with the same checks', async () => {
  const reported: string[] = []
  const several = await serveDashboard({
    port: 0,
    folder: '/nowhere',
    client: { host: '127.0.0.1', port: client.port },
    otherClients: [
      { host: '127.0.0.1', port: standIn.port },
      { host: '127.0.0.1', port: 1 },
    ],
    standIn: () => ({ host: '127.0.0.1', port: standIn.port }),
    settings: () => ({}),
    report: line => {
      reported.push(line)
    },
  })
  const socketAt = (path: string, headers: Readonly<Record<string, string>> = { Origin: several.url }) =>
    openTestSocket(`ws://localhost:${several.port}${path}`, headers)
  const received: string[] = []
  for (const path of ['/api/websocket', '/clients/2/api/websocket']) {
    const page = await socketAt(path)
    page.send('hello')
    received.push(await page.next())
    page.drop()
  }
  const before = standIn.asked.length

  expect(received).toEqual(['The client received hello', 'The stand-in received hello'])
  expect(standIn.asked.at(-1)?.headers.origin).toBeUndefined()
  expect(standIn.asked.at(-1)?.url).toBe('/api/websocket')
  for (const origin of ['https://evil.example', `http://127.0.0.1:${several.port}`, 'null'])
    await expect(socketAt('/clients/2/api/websocket', { Origin: origin })).rejects.toThrow('403')
  await expect(socketAt('/clients/2/api/websocket', {})).rejects.toThrow('403')
  await expect(
    socketAt('/clients/2/api/websocket', { Host: 'evil.example', Origin: 'http://evil.example' }),
  ).rejects.toThrow('403')
  expect(standIn.asked).toHaveLength(before)
  // Only the first client has a replacement.
  await expect(socketAt('/clients/3/api/websocket')).rejects.toThrow('502')
  for (const path of ['/clients/1/api/websocket', '/clients/4/api/websocket', '/clients/02/api/websocket'])
    await expect(socketAt(path)).rejects.toThrow('404')
  await several.findPeer()
  expect(reported).toEqual([
    `Client 1: the one at 127.0.0.1:${client.port}.`,
    `Client 2: the one at 127.0.0.1:${standIn.port}.`,
    'Client 3: nothing listens at 127.0.0.1:1 (another address: --client HOST:PORT).',
  ])
  await several.stop()
})

test('the page’s setting names each client', () => {
  expect(directAddresses(0)).toBe('self')
  expect(directAddresses(2)).toBe('self, self/2, self/3')
})

test('connections wait until the network is ready', async () => {
  let open = (): void => undefined
  const ready = new Promise<void>(resolve => {
    open = resolve
  })
  const late: { port?: number } = {}
  const early = await serveDashboard({
    port: 0,
    folder: '/nowhere',
    client: { host: '127.0.0.1', port: 1 },
    standIn: () => (late.port === undefined ? undefined : { host: '127.0.0.1', port: late.port }),
    settings: () => ({}),
    report: () => undefined,
    ready,
  })
  const answers: string[] = []
  const asked = [
    fetch(early.url).then(({ status }) => answers.push(`page ${status}`)),
    openTestSocket(`ws://localhost:${early.port}/api/websocket`, { Origin: early.url }).then(page => {
      answers.push('socket')
      page.drop()
    }),
  ]
  // A later request has been answered, and these still wait.
  expect((await fetch(`http://127.0.0.1:${dashboard.port}/`)).status).toBe(503)
  expect(answers).toEqual([])
  late.port = standIn.port
  open()
  await Promise.all(asked)

  expect(answers.sort()).toEqual(['page 503', 'socket'])
  await early.stop()
})

test('a page waits for a client that starts together with the server', async () => {
  await client.stop()
  const early = await serveDashboard({
    port: 0,
    folder: '/nowhere',
    client: { host: '127.0.0.1', port: client.port },
    standIn: () => undefined,
    settings: () => ({}),
    report: line => {
      lines.push(line)
    },
    startTimeoutMs: 60_000,
  })
  const found = (port: number): Promise<unknown> =>
    fetch(`http://127.0.0.1:${port}/api/client`).then(answer => answer.json())
  const waiting = openTestSocket(`ws://localhost:${early.port}/api/websocket`, { Origin: early.url })
  await expect(found(early.port)).resolves.toEqual({ client: `127.0.0.1:${client.port}`, peer: 'none' })
  const started = await startClient('The client', client.port)
  const page = await waiting
  page.drop()
  await expect(found(early.port)).resolves.toMatchObject({ peer: 'client' })
  await started.stop()
  await early.stop()
})

test.each<[string, (socket: Socket) => void, string]>([
  [
    'a program that speaks HTTP alone',
    socket => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'),
    'other',
  ],
  ['a program that speaks something else', socket => socket.end('SSH-2.0-something\r\n'), 'other'],
  ['a program that hangs up', socket => socket.resetAndDestroy(), 'other'],
])('a page learns of %s', async (_who, answer, peer) => {
  const program = createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      answer(socket)
    })
  }).listen(0, '127.0.0.1')
  await once(program, 'listening')
  const { port } = program.address() as AddressInfo
  const other = await serveDashboard({
    port: 0,
    folder: '/nowhere',
    client: { host: '127.0.0.1', port },
    standIn: () => undefined,
    settings: () => ({}),
    report: () => undefined,
  })
  const answered = await fetch(`http://127.0.0.1:${other.port}/api/client`)
  expect(await answered.json()).toEqual({ client: `127.0.0.1:${port}`, peer })
  expect(answered.headers.get('Access-Control-Allow-Origin')).toBeNull()
  await other.stop()
  program.close()
})

test('a page learns that a simulated client replaces the real one', async () => {
  await client.stop()
  const answered = await fetch(`http://127.0.0.1:${dashboard.port}/api/client`)
  expect(await answered.json()).toMatchObject({ peer: 'simulated' })
})

test('without any client the page’s socket fails', async () => {
  await client.stop()
  await standIn.stop()

  await expect(pageSocket()).rejects.toThrow('502')
})

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { openServer } from '../../host/server.ts'
import { endAbruptly, textOf } from '../../host/abrupt-socket.ts'
import { openTestSocket, type TestSocket } from '../../../test/network/test-socket.ts'
import { createFaults, type Faults } from './faults.ts'
import type { FrameFault, SocketChannel } from './kinds.ts'

const endings: (() => unknown)[] = []

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** A socket with faults and its peer. */
async function meet(faults: Faults, way: SocketChannel) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const speaking = new Promise<WebSocket>(resolve => {
    server.on('connection', socket => {
      endAbruptly(socket)
      faults.onSocket(socket, way)
      resolve(socket)
    })
  })
  const received: string[] = []
  const socket: TestSocket = await openTestSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const speaker = await speaking
  speaker.on('message', data => received.push(textOf(data)))
  endings.push(() => {
    socket.drop()
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return { socket, speaker, received }
}

const NUMBERS = Array.from({ length: 40 }, (_, index) => JSON.stringify({ index }))
const LAST = '"that is all"'

async function listen(
  fault: FrameFault | undefined,
  {
    seed = 3,
    way = 'direct',
    share = 0.3,
    texts = NUMBERS,
  }: { seed?: number; way?: SocketChannel; share?: number; texts?: readonly string[] } = {},
) {
  const faults = createFaults(seed)
  const { socket, speaker } = await meet(faults, way)
  if (fault !== undefined) faults.begin(way, fault, share)
  for (const text of texts) speaker.send(text)
  faults.end()
  if (speaker.readyState === speaker.OPEN) speaker.send(LAST)
  const ended = socket.closed.then(() => undefined)
  const received: string[] = []
  for (;;) {
    const text = await Promise.race([socket.next(), ended])
    if (text === undefined || text === LAST) return { received, isHungUp: text === undefined }
    received.push(text)
  }
}

function sealed(index: number) {
  return JSON.stringify({ type: 'message', client: 'one', session: 's', iv: `iv${index}`, payload: 'QUJD'.repeat(60) })
}

describe('a connection', () => {
  test('is not changed while no faults are active', async () => {
    expect(await listen(undefined)).toEqual({ received: NUMBERS, isHungUp: false })
  })

  test('loses some frames, and is terminated when the faults end, since no reader can notice', async () => {
    const { received, isHungUp } = await listen('drop')
    expect(received.length).toBeLessThan(NUMBERS.length)
    expect(received).toEqual(NUMBERS.filter(text => received.includes(text)))
    expect(isHungUp).toBe(true)
  })

  test('delays frames without loss or reordering', async () => {
    expect(await listen('delay')).toEqual({ received: NUMBERS, isHungUp: false })
  })

  test('duplicates some frames', async () => {
    const { received, isHungUp } = await listen('duplicate')
    expect(received.filter((text, at) => text !== received[at - 1])).toEqual(NUMBERS)
    expect(received.length).toBeGreaterThan(NUMBERS.length)
    expect(isHungUp).toBe(true)
  })

  test('swaps consecutive frames', async () => {
    const { received, isHungUp } = await listen('reorder')
    expect(received).not.toEqual(NUMBERS)
    expect([...received].sort()).toEqual([...NUMBERS].sort())
    expect(isHungUp).toBe(true)
  })

  test.each(['truncate', 'garble'] as const)('makes messages invalid JSON: %s', async fault => {
    const { received, isHungUp } = await listen(fault)
    const broken = received.filter(text => !NUMBERS.includes(text))
    expect(broken.length).toBeGreaterThan(4)
    for (const text of broken) expect(() => JSON.parse(text) as unknown, text).toThrow(SyntaxError)
    expect(isHungUp).toBe(false)
  })

  test.each(['truncate', 'garble'] as const)(
    'leaves what is sealed a message that cannot be opened: %s',
    async fault => {
      const texts = Array.from({ length: 20 }, (_, index) => sealed(index))
      const { received, isHungUp } = await listen(fault, { way: 'page', texts })
      const broken = received.filter(text => !texts.includes(text)).map(text => JSON.parse(text) as { payload: string })
      expect(broken.length).toBeGreaterThan(2)
      for (const { payload } of broken) expect(payload.length % 4 === 0 && payload.startsWith('QUJD')).toBe(false)
      expect(isHungUp).toBe(false)
    },
  )

  test('sends forged messages before genuine ones', async () => {
    const genuine = JSON.stringify({
      type: 'connect',
      client: { type: 'login', payload: {}, signature: 'Zm9v', pubkey: 'x' },
    })
    const { received } = await listen('forge', { way: 'page', share: 1, texts: [genuine] })
    expect(received).toEqual([genuine.replace('Zm9v', 'Am9v'), genuine])
  })

  test('sends a broadcast with a wrong signature to a relay before the genuine one', async () => {
    const faults = createFaults(1)
    const { socket, received } = await meet(faults, 'page')
    faults.begin('page', 'forge', 1)
    const genuine = '{"type":"broadcast","payload":{"cmd":"state"},"signature":"x"}'
    socket.send(genuine)
    socket.send(LAST)
    await expect.poll(() => received.at(-1)).toBe(LAST)
    expect(received).toEqual([genuine.replace('"x"', '"A"'), genuine, LAST])
  })

  test('replays encrypted messages', async () => {
    const { received } = await listen('replay', {
      way: 'page',
      share: 1,
      texts: [sealed(0), NUMBERS[0] ?? '', sealed(1)],
    })
    expect(received).toEqual([sealed(0), NUMBERS[0], sealed(0), sealed(1), sealed(0)])
  })

  test('has the same faults with the same seed, and others with another', async () => {
    const [first, again, other] = [
      await listen('drop', { seed: 8 }),
      await listen('drop', { seed: 8 }),
      await listen('drop', { seed: 9 }),
    ]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  test('has faults in the other direction too', async () => {
    const faults = createFaults(4)
    const { socket, received } = await meet(faults, 'machine')
    faults.begin('machine', 'duplicate', 1)
    socket.send('{"type":"login"}')
    await expect.poll(() => received).toEqual(['{"type":"login"}', '{"type":"login"}'])
  })

  test('is terminated again and again until the faults end', async () => {
    const faults = createFaults(5)
    faults.begin('page', 'flap')
    for (const round of [1, 2]) expect(await (await meet(faults, 'page')).socket.closed, `round ${round}`).toBe(1006)
    faults.end()
    const { socket, speaker } = await meet(faults, 'page')
    speaker.send(LAST)
    expect(await socket.next()).toBe(LAST)
  })
})

describe('an API', () => {
  const start = async () => {
    const faults = createFaults(6)
    const calls: string[] = []
    const answer = getRequestListener(
      faults.onCalls(request => {
        const { pathname } = new URL(request.url)
        calls.push(pathname)
        return new Response('{"fine":true}', {
          headers: { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': 'http://localhost:7400' },
        })
      }),
    )
    const { port, close } = await openServer({
      place: { what: 'a test', port: 0, option: '' },
      answer,
      upgrade: () => 404,
    })
    endings.push(close)
    const ask = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/account`)
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    return { faults, calls, ask }
  }

  const several = async <T>(ask: () => Promise<T>) => [
    await ask(),
    await ask(),
    await ask(),
    await ask(),
    await ask(),
    await ask(),
  ]

  test('is not changed while no faults are active', async () => {
    const { ask, faults } = await start()
    faults.begin('api', 'error', 1)
    faults.end()
    expect(await ask()).toMatchObject({ status: 200, text: '{"fine":true}' })
  })

  test.each([
    ['error', { status: 500, text: '{"error":"Internal server error"}' }],
    ['html', { status: 200, text: expect.stringContaining('<h1>') as string }],
  ] as const)('answers with %s, which pages may read, and has done half of what was asked', async (fault, answer) => {
    const { ask, faults, calls } = await start()
    faults.begin('api', fault, 1)
    for (const { status, text, headers } of await several(ask)) {
      expect({ status, text }).toEqual(answer)
      expect(headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:7400')
    }
    expect(new Set(calls)).toEqual(new Set(['/account', '/nothing']))
  })

  test.each(['truncate', 'garble'] as const)('makes answers invalid JSON: %s', async fault => {
    const { ask, faults } = await start()
    faults.begin('api', fault, 1)
    const { text } = await ask()
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })

  test('closes the connection', async () => {
    const { ask, faults, calls } = await start()
    faults.begin('api', 'drop', 1)
    await several(() => expect(ask()).rejects.toThrow('fetch failed'))
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.length).toBeLessThan(6)
  })

  test('delays answers', async () => {
    const { ask, faults } = await start()
    faults.begin('api', 'delay', 1)
    const began = performance.now()
    expect(await ask()).toMatchObject({ status: 200, text: '{"fine":true}' })
    expect(performance.now() - began).toBeGreaterThan(90)
  })

  test('can have a wrong clock', async () => {
    const { ask, faults } = await start()
    faults.setClock(3_600_000)
    const date = Date.parse((await ask()).headers.get('Date') ?? '')
    expect(Math.abs(date - Date.now() - 3_600_000)).toBeLessThan(5_000)
  })
})

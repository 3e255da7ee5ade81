import type { SocketUrl } from '../../protocol/url.ts'
import { webSocketUrl } from '../../../test/urls.ts'
import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createHub } from './hub.ts'
import type { Batch } from './hub.types.ts'
import { openSocketWith } from './socket.ts'
import { closeAll, data, hubs, NOW, serve, start } from '../../../test/wire-peers.ts'
import { packLines, unpackLines } from '../../protocol/client/packed-lines.ts'

afterEach(closeAll)

describe('A direct client', () => {
  const connect = async () => {
    const listened = start()
    const server = await serve()
    listened.hub.receive({ type: 'direct.open', channel: 1, url: server.url })
    const socket = await server.socket()
    await listened.untilCount(1, 1)
    return { ...listened, server, socket }
  }

  it('is received in order, and pings are signs of life', async () => {
    const { of, untilCount, socket } = await connect()
    socket.send(JSON.stringify(data))
    socket.send('["units",0,{"id":"u"}]')
    socket.send('"ping"')
    socket.send('["log",["a"]]')
    await untilCount(1, 5)
    expect(of(1)).toEqual([
      { type: 'socket.opened', took: 0 },
      { type: 'snapshot.received', data },
      { type: 'changes.received', changes: [['units', 0, { id: 'u' }]] },
      { type: 'log.received', replace: true, lines: packLines(['a']) },
      { type: 'ping.received' },
    ])
  })

  it('that a server keeps is as old as the server says, until when all is known by the clock of commands', async () => {
    const { hub, of, untilCount, socket } = await connect()
    hub.receive({ type: 'clock.correct', offset: 90_000 })
    socket.send(JSON.stringify(data))
    socket.send('["age",18000]')
    socket.send('["age",null]')
    await untilCount(1, 6)
    expect(of(1).slice(2)).toEqual([
      { type: 'session.dated', asOf: NOW - 18_000 },
      { type: 'session.seen', until: NOW - 18_000 + 90_000 },
      { type: 'session.dated', asOf: undefined },
      { type: 'session.seen', until: NOW + 90_000 },
    ])
  })

  it('has the end of a long log posted before the whole log', async () => {
    const { of, untilCount, socket } = await connect()
    const log = Array.from({ length: 9000 }, (_, number) => `12:00:00:I1:line ${number} of a long log`)
    socket.send(JSON.stringify(['log', log]))
    await untilCount(1, 3)
    const [, tail, whole] = of(1)
    if (tail?.type !== 'log.tailReceived' || whole?.type !== 'log.received') throw new Error('Other facts were posted.')
    const last = unpackLines(tail.lines)
    expect(last).toEqual(log.slice(-last.length))
    expect(unpackLines(whole.lines)).toEqual(log)
  })

  it('receives commands as they are, with the corrected time where there is none', async () => {
    const { hub, server } = await connect()
    hub.receive({ type: 'clock.correct', offset: 90_000 })
    hub.receive({
      type: 'send',
      channel: 1,
      command: { cmd: 'state', state: 'fold', time: '2026-01-01T00:00:00.000Z' },
    })
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'restart' } })
    expect(await server.message()).toBe('{"cmd":"state","state":"fold","time":"2026-01-01T00:00:00.000Z"}')
    expect(await server.message()).toBe('{"cmd":"restart","time":"2026-11-20T12:01:30Z"}')
  })

  it('may send garbage: faults, and the next message is received', async () => {
    const { of, untilCount, socket } = await connect()
    socket.send('no json')
    socket.send(Buffer.from([0xff, 0, 1, 2, 0xfe]))
    socket.send(Buffer.from('"ping"'))
    socket.send(`${'['.repeat(100)}${']'.repeat(100)}`)
    socket.send('{"__proto__":{"polluted":1},"info":{}}')
    await untilCount(1, 7)
    expect(of(1).slice(1)).toEqual([
      { type: 'fault.found', fault: { kind: 'not-json' } },
      { type: 'fault.found', fault: { kind: 'not-json' } },
      { type: 'ping.received' },
      { type: 'fault.found', fault: { kind: 'too-deep', limit: 64 } },
      { type: 'fault.found', fault: { kind: 'unsafe-key', key: '__proto__' } },
      { type: 'snapshot.received', data },
    ])
  })

  it('replaces what it said before only by a message that has info', async () => {
    const { of, untilCount, socket } = await connect()
    socket.send(JSON.stringify(data))
    socket.send('{}')
    socket.send('{"units":[]}')
    await untilCount(1, 4)
    expect(of(1).slice(1)).toEqual([
      { type: 'snapshot.received', data },
      { type: 'fault.found', fault: { kind: 'unknown-message', found: 'object' } },
      { type: 'fault.found', fault: { kind: 'wrong-type', path: ['info'], expected: 'object', found: 'undefined' } },
    ])
  })

  it('is asked for everything again after a message that could not be read, on a second socket that takes over', async () => {
    const { hub, server, of, order, untilCount, until, socket } = await connect()
    socket.send(JSON.stringify(data))
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'log', enable: true, time: 'now' } })
    await server.message()
    socket.send('["config","us')
    const second = await server.socket()
    socket.send('["config","user","still heard here"]')
    await untilCount(1, 4)
    const isLeft = new Promise(resolve => socket.once('close', resolve))
    second.send(JSON.stringify({ ...data, config: { user: 'as it is' } }))
    await isLeft
    expect(await server.message()).toBe('{"cmd":"log","enable":true,"time":"now"}')
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'restart', time: 'now' } })
    expect(await server.message()).toBe('{"cmd":"restart","time":"now"}')
    second.terminate()
    await until(() => order.includes('1 socket.closed'))
    expect(of(1).slice(2)).toEqual([
      { type: 'fault.found', fault: { kind: 'not-json' } },
      { type: 'changes.received', changes: [['config', 'user', 'still heard here']] },
      { type: 'snapshot.received', data: { ...data, config: { user: 'as it is' } } },
      { type: 'socket.closed' },
    ])
  })

  it('that is closed from here while it is asked again leaves no socket behind', async () => {
    const { hub, server, socket } = await connect()
    socket.send('no json')
    const second = await server.socket()
    const areLeft = [socket, second].map(each => new Promise(resolve => each.once('close', resolve)))
    hub.receive({ type: 'close', channel: 1 })
    await Promise.all(areLeft)
  })

  it.each([
    ['text', false],
    ['bytes', true],
  ])('that sends more than 64 MiB as %s is a fault, and the connection is closed', async (_, binary) => {
    const { of, untilCount, socket } = await connect()
    const isLeft = new Promise(resolve => socket.once('close', resolve))
    socket.send(Buffer.alloc(64 * 1024 * 1024 + 1, 0x20), { binary })
    socket.send('["config", "user", "not heard any more"]')
    await untilCount(1, 3)
    await isLeft
    const fault = { type: 'fault.found', fault: { kind: 'too-large', limit: 64 * 1024 * 1024 } }
    expect(of(1).slice(1)).toEqual([fault, { type: 'socket.closed' }])
  })

  it('that drops the connection is reported closed, once', async () => {
    const { hub, of, untilCount, socket } = await connect()
    socket.terminate()
    await untilCount(1, 2)
    hub.receive({ type: 'send', channel: 1, command: { cmd: 'restart' } })
    expect(of(1)).toEqual([{ type: 'socket.opened', took: 0 }, { type: 'socket.closed' }])
  })

  it('that was closed from here reports nothing more', async () => {
    const { hub, of, socket } = await connect()
    const closed = new Promise(resolve => socket.once('close', resolve))
    hub.receive({ type: 'close', channel: 1 })
    socket.send('"ping"')
    await closed
    expect(of(1)).toEqual([{ type: 'socket.opened', took: 0 }])
  })

  it('that is not served, or has an invalid address, is reported closed', async () => {
    const { hub, of, untilCount } = start()
    const port = await new Promise<number>(resolve => {
      const unused = createServer().listen(0, '127.0.0.1', () => {
        const address = unused.address()
        unused.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
    })
    hub.receive({ type: 'direct.open', channel: 1, url: webSocketUrl(`ws://127.0.0.1:${port}`) })
    hub.receive({ type: 'direct.open', channel: 2, url: 'not an address' as SocketUrl })
    await untilCount(1, 1)
    await untilCount(2, 1)
    expect(of(1)).toEqual([{ type: 'socket.closed' }])
    expect(of(2)).toEqual([{ type: 'socket.closed' }])
  })
})

describe('A page that is slow', () => {
  it('gets nothing until it is ready, and then everything at once', async () => {
    const server = await serve()
    const batches: Batch[] = []
    let wake = () => {}
    const hub = createHub({
      openSocket: openSocketWith(url => new WebSocket(url)),
      now: () => NOW,
      random: () => 0,
      later: () => () => undefined,
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
    expect(batches.map(({ links }) => links.flatMap(({ facts }) => facts.map(({ type }) => type)))).toEqual([
      ['socket.opened'],
    ])
    hub.receive({ type: 'take' })
    expect(batches[1]?.links[0]?.facts).toEqual([
      {
        type: 'changes.received',
        changes: [
          ['config', 'user', 'x'],
          ['units', 0, 'wu_progress', 0.99],
        ],
      },
      { type: 'socket.closed' },
    ])
  })
})

import { webSocketUrl } from '../../../test/urls.ts'
import { describe, expect, it, vi } from 'vitest'
import type { WorkerCondition } from '../../loading/supervise-worker.ts'
import type { AccountKeys } from '../../protocol/crypto/keys.ts'
import type { Batch, HubCommand, LinkEntry } from './hub.types.ts'
import { connectWire } from './wire.ts'

const keys = { publicKey: 'p', id: 'i' } as AccountKeys

function page(early?: string) {
  const sent: HubCommand[] = []
  const frames: (() => void)[] = []
  let post: (batch: Batch) => void = () => undefined
  let notify: (condition: WorkerCondition) => void = () => undefined
  let isHidden = false
  let now = 0
  const wire = connectWire({
    port: {
      post: command => sent.push(command),
      listen: listener => (post = listener),
      follow: listener => (notify = listener),
      restart: () => undefined,
      stop: () => sent.push({ type: 'take' }),
    },
    requestFrame: run => frames.push(run),
    isHidden: () => isHidden,
    now: () => now,
    epochNow: () => 1000 + now,
    ...(early === undefined ? {} : { early: webSocketUrl(early) }),
  })
  return {
    wire,
    sent,
    post: (batch: Partial<Batch>) => post({ links: [], relays: [], hasFigures: false, ...batch }),
    notify: (condition: WorkerCondition) => notify(condition),
    paint: () => {
      for (const run of frames.splice(0)) run()
    },
    hide: () => (isHidden = true),
    work: (ms: number) => (now += ms),
  }
}

const heardEntry: LinkEntry = { at: 5, facts: [{ type: 'ping.received' }] }
function entry(channel: number, isWatched = true) {
  return { channel, isWatched, ...heardEntry }
}

describe("The page's side of the wire", () => {
  it('asks the hub for what it wants, by channel', () => {
    const { wire, sent } = page()
    const direct = wire.openDirect(webSocketUrl('ws://a'), () => undefined)
    const relay = wire.openRelay({ url: webSocketUrl('wss://n'), keys }, () => undefined)
    const session = wire.openSession('m', () => undefined)
    direct.send({ cmd: 'restart' })
    session.send({ cmd: 'log', enable: true })
    relay.broadcast({ cmd: 'restart' })
    relay.probe('m')
    wire.correctClock(-500)
    direct.close()
    wire.stop()
    const sid = sent.flatMap(command => (command.type === 'relay.open' ? command.session : []))[0] ?? ''
    expect(sid).toMatch(/^[\w-]{16}$/)
    expect(sent).toEqual([
      { type: 'direct.open', channel: 1, url: 'ws://a' },
      { type: 'relay.open', channel: 2, url: 'wss://n', keys, session: sid },
      { type: 'session.open', channel: 3, relay: 2, client: 'm' },
      { type: 'send', channel: 1, command: { cmd: 'restart' } },
      { type: 'send', channel: 3, command: { cmd: 'log', enable: true } },
      { type: 'broadcast', channel: 2, payload: { cmd: 'restart' } },
      { type: 'probe', channel: 2, client: 'm' },
      { type: 'clock.correct', offset: -500 },
      { type: 'close', channel: 1 },
      { type: 'take' },
    ])
  })

  it('takes over the channel that was opened before the app ran, once', async () => {
    const { wire, sent, post, notify } = page('ws://a')
    const received: LinkEntry[] = []
    wire.openDirect(webSocketUrl('ws://b'), () => undefined)
    wire.openDirect(webSocketUrl('ws://a'), each => received.push(each)).watch(true)
    wire.openDirect(webSocketUrl('ws://a'), () => undefined)
    await Promise.resolve()
    const expected = [
      { type: 'direct.open', channel: 1, url: 'ws://b' },
      { type: 'watch', channel: 0, isWatched: true },
      { type: 'direct.open', channel: 2, url: 'ws://a' },
    ]
    expect(sent).toEqual(expected)
    post({ links: [entry(0)] })
    expect(received).toEqual([heardEntry])
    sent.length = 0
    notify({ type: 'opened' })
    expect(sent).toContainEqual({ type: 'direct.open', channel: 0, url: 'ws://a' })
  })

  it('closes the channel that was opened before the app ran where nothing wants it', async () => {
    const { wire, sent } = page('ws://a')
    wire.openDirect(webSocketUrl('ws://b'), () => undefined)
    await Promise.resolve()
    expect(sent.slice(1)).toEqual([{ type: 'close', channel: 0 }])
    wire.openDirect(webSocketUrl('ws://a'), () => undefined)
    expect(sent.at(-1)).toEqual({ type: 'direct.open', channel: 2, url: 'ws://a' })
  })

  it('processes facts at once and in order, and asks for the next batch with the next frame', () => {
    const { wire, sent, post, paint } = page()
    const received: unknown[] = []
    wire.openDirect(webSocketUrl('ws://a'), each => received.push(['direct', each.facts.length]))
    wire.openRelay({ url: webSocketUrl('wss://n'), keys }, each => received.push(['relay', each.facts.length]))
    sent.length = 0
    post({ links: [entry(1), entry(7)], relays: [{ channel: 2, at: 6, facts: [] }] })
    expect({ heard: received, sent }).toEqual({
      heard: [
        ['direct', 1],
        ['relay', 0],
      ],
      sent: [],
    })
    paint()
    expect(sent).toEqual([{ type: 'take' }])
  })

  it('does not wait for a frame on a hidden page', () => {
    const { wire, sent, post, hide } = page()
    const received: LinkEntry[] = []
    wire.openDirect(webSocketUrl('ws://a'), each => received.push(each))
    hide()
    post({ links: [entry(1, false)] })
    expect({ heard: received, last: sent.at(-1) }).toEqual({ heard: [heardEntry], last: { type: 'take' } })
  })

  it('processes facts of visible clients first, and the rest only in the time that is left of each frame', () => {
    const { wire, sent, post, paint, work } = page()
    const received: string[] = []
    const slow = (name: string) => () => {
      received.push(name)
      work(8)
    }
    for (const name of ['a', 'b', 'c', 'd']) wire.openDirect(webSocketUrl(`ws://${name}`), slow(name))
    sent.length = 0
    post({ links: [entry(1, false), entry(2, false), entry(3, false), entry(4)] })
    expect({ heard: received, sent }).toEqual({ heard: ['d', 'a', 'b'], sent: [] })
    paint()
    expect({ heard: received, sent }).toEqual({ heard: ['d', 'a', 'b', 'c'], sent: [] })
    paint()
    expect(sent).toEqual([{ type: 'take' }])
  })

  it('processes the figures of all visible clients together, after the others, and then tells that a second is complete [13.6]', () => {
    const { wire, post, paint, work } = page()
    const received: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      wire.openDirect(webSocketUrl(`ws://${name}`), () => {
        received.push(name)
        work(8)
      })
    const unfollow = wire.onFigures(() => received.push('second'))
    post({ links: [entry(4), entry(1, false), entry(2, false), entry(3, false), entry(5)], hasFigures: true })
    expect(received).toEqual(['a', 'b'])
    paint()
    expect(received).toEqual(['a', 'b', 'c', 'd', 'e', 'second'])
    unfollow()
    post({ hasFigures: true })
    post({ links: [entry(4)] })
    expect(received.slice(6)).toEqual(['d'])
  })

  it('delivers facts of a relay after earlier facts of its sessions', () => {
    const { wire, post, paint, work } = page()
    const received: string[] = []
    for (const name of ['a', 'b', 'c'])
      wire.openDirect(webSocketUrl(`ws://${name}`), () => {
        received.push(name)
        work(8)
      })
    wire.openRelay({ url: webSocketUrl('wss://n'), keys }, () => received.push('relay'))
    post({
      links: [entry(1, false), entry(2, false), entry(3, false)],
      relays: [{ channel: 4, at: 6, facts: [{ type: 'socket.closed' }] }],
    })
    expect(received).toEqual(['a', 'b'])
    paint()
    expect(received).toEqual(['a', 'b', 'c', 'relay'])
  })

  it('delivers nothing of a hub that was lost meanwhile', () => {
    const { wire, post, paint, work, notify } = page()
    const received: string[] = []
    for (const name of ['a', 'b'])
      wire.openDirect(webSocketUrl(`ws://${name}`), ({ facts }) => {
        received.push(...facts.map(({ type }) => `${name} ${type}`))
        work(20)
      })
    post({ links: [entry(1, false), entry(2, false)] })
    notify({ type: 'lost' })
    paint()
    expect(received).toEqual(['a ping.received', 'a socket.closed', 'b socket.closed'])
  })

  it('calls no closed link, even with facts that are on their way', () => {
    const { wire, post, paint, work } = page()
    const received: LinkEntry[] = []
    wire.openDirect(webSocketUrl('ws://a'), () => work(20))
    const link = wire.openDirect(webSocketUrl('ws://b'), each => received.push(each))
    post({ links: [entry(1, false), entry(2, false)] })
    link.close()
    paint()
    expect(received).toEqual([])
  })

  it('tells every channel that it has ended when the hub is lost, and a new hub of those that are opened then', () => {
    const { wire, sent, notify } = page()
    const received: (readonly [string, ...string[]])[] = []
    const listen =
      (name: string) =>
      ({ facts }: { readonly facts: readonly { readonly type: string }[] }) =>
        received.push([name, ...facts.map(({ type }) => type)])
    wire.correctClock(-500)
    const conditions: string[] = []
    const unfollow = wire.follow(({ type }) => conditions.push(type))
    const direct = wire.openDirect(webSocketUrl('ws://a'), entry => {
      listen('direct')(entry)
      direct.close()
      wire.openDirect(webSocketUrl('ws://a'), listen('again')).watch(true)
    })
    wire.openRelay({ url: webSocketUrl('wss://n'), keys }, listen('relay'))
    wire.openSession('m', listen('session'))
    notify({ type: 'lost' })
    expect(received).toEqual([
      ['direct', 'socket.closed'],
      ['session', 'session.closed'],
      ['relay', 'socket.closed'],
    ])
    sent.length = 0
    notify({ type: 'opened' })
    expect(sent).toEqual([
      { type: 'clock.correct', offset: -500 },
      { type: 'direct.open', channel: 4, url: 'ws://a' },
      { type: 'watch', channel: 4, isWatched: true },
    ])
    unfollow()
    notify({ type: 'lost' })
    expect(conditions).toEqual(['lost', 'opened'])
  })

  it('calls the other listeners when one of them throws, and the error is still reported', () => {
    const { wire, sent, post, paint } = page()
    const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined)
    const received: LinkEntry[] = []
    wire.openDirect(webSocketUrl('ws://a'), () => {
      throw new Error('a mistake')
    })
    wire.openDirect(webSocketUrl('ws://b'), each => received.push(each))
    post({ links: [entry(1), entry(2)] })
    paint()
    expect(received.length).toBe(1)
    expect(sent.at(-1)).toEqual({ type: 'take' })
    expect(later.mock.calls[0]?.[0]).toThrow('a mistake')
    later.mockRestore()
  })
})

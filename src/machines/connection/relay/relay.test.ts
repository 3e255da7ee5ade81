import { webSocketUrl } from '../../../../test/urls.ts'
import { describe, expect, it } from 'vitest'
import { fromCallback, fromPromise } from 'xstate'
import { settled, startChild } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import type { AccountKeys } from '../../../protocol/crypto/keys.ts'
import type { RelaySocketCommand, RelayTarget } from './relay.events.ts'
import { relayMachine } from './relay.machine.ts'
import { selectRelayCondition } from './relay.selectors.ts'

const keys: AccountKeys = { publicKey: 'A', id: 'account', sign: {} as CryptoKey, decrypt: {} as CryptoKey }
const target: RelayTarget = { url: webSocketUrl('wss://node1.test/ws/account'), keys }
const otherNode: RelayTarget = { url: webSocketUrl('wss://node2.test/ws/account'), keys }

/** `answers`: whether the node's host answers requests. */
function startRelay(answers: () => boolean = () => true) {
  const sockets: { target: RelayTarget; sent: RelaySocketCommand[]; isOpen: boolean }[] = []
  const pings: string[] = []
  const machine = relayMachine.provide({
    actors: {
      relaySocket: fromCallback<RelaySocketCommand, RelayTarget>(({ input, receive }) => {
        const socket = { target: input, sent: [] as RelaySocketCommand[], isOpen: true }
        sockets.push(socket)
        receive(command => socket.sent.push(command))
        return () => {
          socket.isOpen = false
        }
      }),
      pingNode: fromPromise<undefined, { readonly url: SocketUrl }>(({ input }) => {
        pings.push(input.url)
        return answers() ? Promise.resolve(undefined) : Promise.reject(new Error('The node does not answer.'))
      }),
    },
  })
  const { actor, clock, received } = startChild(machine)
  const condition = () => selectRelayCondition(actor.getSnapshot())
  const open = () => {
    actor.send({ type: 'relay.activate', target })
    actor.send({ type: 'relay.opened', at: 1 })
    actor.send({ type: 'relay.clientConnected', id: 'a', at: 1 })
    actor.send({ type: 'relay.dataReceived', at: 1 })
  }
  /** Until the host was asked, and has answered. */
  const pass = async (milliseconds: number): Promise<void> => {
    clock.increment(milliseconds)
    await settled()
  }
  return { actor, clock, sockets, pings, received, condition, open, pass }
}

describe('the relay', () => {
  it('does nothing while signed out', () => {
    const { sockets, condition } = startRelay()
    expect(sockets).toEqual([])
    expect(condition()).toBe('inactive')
  })

  it('shows that it is loading for 8 s, and ends an attempt after 20 s [4.12, 9.8]', async () => {
    const { actor, clock, sockets, condition, pings, pass } = startRelay()
    actor.send({ type: 'relay.activate', target })
    expect(condition()).toBe('loading')
    clock.increment(8000)
    expect(condition()).toBe('lost')
    expect(sockets).toHaveLength(1)
    await pass(20_000)
    expect(sockets[0]?.isOpen).toBe(false)
    await pass(1000)
    expect({ pings, sockets: sockets.length }).toEqual({ pings: [target.url], sockets: 2 })
  })

  it('pings the node and reconnects 1 s after it was closed, and reports the loss', async () => {
    const { actor, sockets, pings, received, condition, open, pass } = startRelay()
    open()
    expect(condition()).toBe('connected')
    actor.send({ type: 'relay.closed', at: 5000 })
    expect(condition()).toBe('lost')
    expect(received.map(({ type }) => type)).toEqual(['relay.clientConnected', 'relay.lost'])
    await pass(1000)
    expect({ pings, sockets: sockets.length }).toEqual({ pings: [target.url], sockets: 2 })
  })

  it('waits twice as long after each attempt of which nothing came, up to 10 s, until a client is named', async () => {
    const { actor, sockets, open, pass } = startRelay()
    const waitsFor = async (ms: number) => {
      const before = sockets.length
      await pass(ms - 1)
      const isEarly = sockets.length > before
      await pass(1)
      expect(isEarly).toBe(false)
      expect(sockets.length - before).toBe(1)
    }
    actor.send({ type: 'relay.activate', target })
    for (const wait of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
      // A node that takes a connection and ends it is no better than one that takes none.
      actor.send({ type: 'relay.opened', at: 1 })
      actor.send({ type: 'relay.closed', at: 1 })
      await waitsFor(wait)
    }
    open()
    actor.send({ type: 'relay.closed', at: 1 })
    await waitsFor(1000)
  })

  it('asks the node once a second for a minute before it opens another socket, then more seldom, least where nobody looks [4.12]', async () => {
    let isUp = false
    const { actor, sockets, pings, pass } = startRelay(() => isUp)
    const asked = async (seconds: number): Promise<number> => {
      const before = pings.length
      for (let second = 0; second < seconds; second++) await pass(1000)
      return pings.length - before
    }
    actor.send({ type: 'relay.activate', target })
    actor.send({ type: 'relay.closed', at: 1 })
    expect({ asked: await asked(59), sockets: sockets.length }).toEqual({ asked: 59, sockets: 1 })
    isUp = true
    expect({ asked: await asked(1), sockets: sockets.length }).toEqual({ asked: 1, sockets: 1 })
    // All pages hear it answer within a second.
    await pass(4000)
    expect(sockets.length).toBe(2)
    isUp = false
    actor.send({ type: 'relay.closed', at: 1 })
    // The sixtieth request is followed by an attempt in any case.
    expect(await asked(2)).toBe(1)
    expect(await asked(59)).toBe(59)
    expect(sockets.length).toBe(3)
    actor.send({ type: 'relay.closed', at: 1 })
    expect(await asked(60)).toBe(9)
    actor.send({ type: 'relay.pageHidden' })
    await asked(60)
    expect(await asked(120)).toBe(4)
    actor.send({ type: 'relay.pageShown' })
    expect(sockets).toHaveLength(4)
  })

  it('counts a connection that lasted as successful, and retries at once when the page becomes visible', async () => {
    const { actor, clock, sockets, pass } = startRelay()
    actor.send({ type: 'relay.activate', target })
    for (let time = 0; time < 4; time++) {
      actor.send({ type: 'relay.closed', at: 1 })
      actor.send({ type: 'relay.pageShown' })
    }
    expect(sockets).toHaveLength(5)
    actor.send({ type: 'relay.opened', at: 1 })
    actor.send({ type: 'relay.pageShown' })
    clock.increment(30_000)
    actor.send({ type: 'relay.closed', at: 2 })
    await pass(1000)
    expect(sockets).toHaveLength(6)
  })

  it('asks a client for a sign of life after a quiet minute, and reconnects when none comes', () => {
    const { actor, clock, sockets, open } = startRelay()
    open()
    clock.increment(60_000)
    expect(sockets[0]?.sent).toEqual([{ type: 'relaySocket.probe', client: 'a' }])
    actor.send({ type: 'relay.dataReceived', at: 60_000 })
    clock.increment(60_000)
    expect(sockets[0]?.sent).toHaveLength(2)
    clock.increment(15_000)
    expect(sockets[0]?.isOpen).toBe(true)
    expect(sockets[0]?.sent.at(-1)).toEqual({ type: 'relaySocket.logInAgain' })
    clock.increment(20_000)
    expect(sockets[0]?.isOpen).toBe(false)
  })

  it('is lost when the node does not answer a login that followed a silence of its clients', () => {
    const { actor, clock, condition, open } = startRelay()
    open()
    clock.increment(6000)
    actor.send({ type: 'relay.loginSent', at: 6000 })
    clock.increment(19_999)
    expect(condition()).toBe('connected')
    clock.increment(1)
    expect(condition()).toBe('lost')
  })

  it('stays where the node answers that login, and where it has no clients to answer with', () => {
    const { actor, clock, condition, open } = startRelay()
    open()
    actor.send({ type: 'relay.loginSent', at: 1 })
    actor.send({ type: 'relay.dataReceived', at: 2 })
    clock.increment(20_000)
    expect(condition()).toBe('connected')
    actor.send({ type: 'relay.clientDisconnected', id: 'a', at: 3 })
    actor.send({ type: 'relay.loginSent', at: 4 })
    clock.increment(20_000)
    expect(condition()).toBe('connected')
  })

  it('may still list clients until three seconds after the last one', () => {
    const { actor, clock } = startRelay()
    const isListing = () => actor.getSnapshot().context.isListing
    actor.send({ type: 'relay.activate', target })
    expect(isListing()).toBe(false)
    actor.send({ type: 'relay.opened', at: 1 })
    clock.increment(2999)
    actor.send({ type: 'relay.clientConnected', id: 'a', at: 1 })
    clock.increment(2999)
    expect(isListing()).toBe(true)
    clock.increment(1)
    expect(isListing()).toBe(false)
    actor.send({ type: 'relay.clientConnected', id: 'b', at: 1 })
    expect(isListing()).toBe(false)
  })

  it('stays where a client is silent but its node answers a login', () => {
    const { actor, clock, sockets, received, condition, open } = startRelay()
    open()
    clock.increment(60_000)
    clock.increment(15_000)
    actor.send({ type: 'relay.dataReceived', at: 76_000 })
    clock.increment(59_999)
    expect(condition()).toBe('connected')
    expect(sockets.length).toBe(1)
    expect(sockets[0]?.sent.length).toBe(2)
    clock.increment(1)
    expect(sockets[0]?.sent.at(-1)).toEqual({ type: 'relaySocket.probe', client: 'a' })
    expect(received.map(({ type }) => type)).toEqual(['relay.clientConnected'])
  })

  it('follows no client when the page has been hidden for a minute, also on its next connection, until it is shown', async () => {
    const { actor, clock, sockets, open, pass } = startRelay()
    const samples = () =>
      sockets.map(({ sent }) =>
        sent.flatMap(command => (command.type === 'relaySocket.sample' ? [command.isHidden] : [])),
      )
    actor.send({ type: 'relay.pageHidden' })
    actor.send({ type: 'relay.pageShown' })
    open()
    clock.increment(60_000)
    actor.send({ type: 'relay.dataReceived', at: 60_000 })
    actor.send({ type: 'relay.pageHidden' })
    clock.increment(59_999)
    expect(samples()).toEqual([[]])
    await pass(1)
    expect(samples()).toEqual([[true]])
    actor.send({ type: 'relay.closed', at: 120_000 })
    await pass(1000)
    actor.send({ type: 'relay.opened', at: 121_000 })
    expect(samples()).toEqual([[true], [true]])
    actor.send({ type: 'relay.pageShown' })
    expect(samples()).toEqual([[true], [true, false]])
    actor.send({ type: 'relay.deactivate' })
    actor.send({ type: 'relay.pageHidden' })
    clock.increment(60_000)
    open()
    expect(samples().at(-1)).toEqual([true])
  })

  it('follows all clients of a page that is shown again, however often it was said to be hidden', () => {
    const { actor, clock, sockets, open } = startRelay()
    open()
    actor.send({ type: 'relay.pageHidden' })
    clock.increment(10_000)
    actor.send({ type: 'relay.pageHidden' })
    actor.send({ type: 'relay.pageShown' })
    clock.increment(60_000)
    expect(sockets[0]?.sent).not.toContainEqual({ type: 'relaySocket.sample', isHidden: true })
  })

  it('is asked at once after sleep', () => {
    const { actor, sockets, open } = startRelay()
    open()
    actor.send({ type: 'relay.check' })
    expect(sockets[0]?.sent).toEqual([{ type: 'relaySocket.probe', client: 'a' }])
  })

  it('stays on its node when the account is refreshed, and follows the account to another node', () => {
    const { actor, sockets, received, open } = startRelay()
    open()
    actor.send({ type: 'relay.activate', target: { ...target } })
    expect(sockets).toHaveLength(1)
    actor.send({ type: 'relay.activate', target: otherNode })
    expect(sockets.map(socket => [socket.target.url, socket.isOpen])).toEqual([
      [target.url, false],
      [otherNode.url, true],
    ])
    expect(received.at(-1)).toEqual({ type: 'relay.lost', at: 1 })
  })

  it('tells once that it has missed what others broadcast, 30 s after it was connected again', async () => {
    const { actor, clock, received, open, pass } = startRelay()
    const missed = () => received.filter(({ type }) => type === 'relay.missed').length
    open()
    clock.increment(60_000)
    expect(missed()).toBe(0)
    actor.send({ type: 'relay.closed', at: 60_000 })
    await pass(1000)
    actor.send({ type: 'relay.opened', at: 61_000 })
    clock.increment(29_000)
    expect(missed()).toBe(0)
    clock.increment(60_000)
    expect(missed()).toBe(1)
  })

  it('sends a broadcast while it is connected, with the time that it was given, and refuses it otherwise', () => {
    const { actor, sockets, received, open } = startRelay()
    const at = Date.parse('2026-11-20T12:00:00Z')
    const broadcast = { cmd: 'config', secrets: { config: { user: 'Ada' } } } as const
    actor.send({ type: 'relay.broadcast', broadcast, at })
    expect(received).toEqual([{ type: 'relay.broadcastRefused', broadcast }])
    open()
    actor.send({ type: 'relay.broadcast', broadcast, at })
    expect(sockets[0]?.sent).toEqual([
      {
        type: 'relaySocket.broadcast',
        secrets: { payload: { cmd: 'config', time: '2026-11-20T12:00:00Z', config: { user: 'Ada' } } },
      },
    ])
    expect(received.at(-1)).toEqual({ type: 'relay.broadcastSent', broadcast, at })
  })

  it('passes on what another page of the account broadcast', () => {
    const { actor, received, open } = startRelay()
    open()
    const broadcast = { type: 'relay.broadcastReceived', cmd: 'config', time: 7000, at: 7100 } as const
    actor.send(broadcast)
    expect(received.at(-1)).toEqual(broadcast)
  })

  it('reports the first refused login and every third one after it, until a client is reported', async () => {
    const { actor, received, open, pass } = startRelay()
    const refusals = () => received.filter(({ type }) => type === 'relay.refused').length
    open()
    const closeAndWait = async (): Promise<void> => {
      actor.send({ type: 'relay.closed', at: 2 })
      await pass(29_999)
    }
    await closeAndWait()
    expect(refusals()).toBe(0)
    const counts: number[] = []
    for (let time = 0; time < 4; time++) {
      actor.send({ type: 'relay.opened', at: 3 })
      await closeAndWait()
      counts.push(refusals())
    }
    expect(counts).toEqual([1, 1, 1, 2])
    open()
    await closeAndWait()
    actor.send({ type: 'relay.opened', at: 4 })
    await closeAndWait()
    expect(refusals()).toBe(3)
  })

  it('takes a connection that cannot be made for no refusal', () => {
    const { actor, clock, received } = startRelay()
    actor.send({ type: 'relay.activate', target })
    for (const at of [1, 2, 3]) {
      actor.send({ type: 'relay.closed', at })
      clock.increment(19_999)
    }
    expect(received.filter(({ type }) => type === 'relay.refused')).toEqual([])
  })

  it('keeps what the account names as its node when that is no address, until there is one', () => {
    const { actor, sockets, condition, open } = startRelay()
    const invalid = () => actor.getSnapshot().context.invalidNode
    actor.send({ type: 'relay.deactivate', invalidNode: '999.1' })
    expect(invalid()).toBe('999.1')
    expect(condition()).toBe('inactive')
    expect(sockets.length).toBe(0)
    open()
    expect({ invalid: invalid(), condition: condition() }).toEqual({ invalid: undefined, condition: 'connected' })
    actor.send({ type: 'relay.deactivate', invalidNode: 'xn--a.example' })
    expect(invalid()).toBe('xn--a.example')
    expect(condition()).toBe('inactive')
    expect(sockets[0]?.isOpen).toBe(false)
    actor.send({ type: 'relay.deactivate' })
    expect(invalid()).toBeUndefined()
  })

  it('clears everything when the user signs out', () => {
    const { actor, sockets, open } = startRelay()
    open()
    actor.send({ type: 'relay.deactivate' })
    expect(sockets[0]?.isOpen).toBe(false)
    expect(actor.getSnapshot().context).toEqual({
      target: undefined,
      invalidNode: undefined,
      connectedIds: [],
      lastReceivedAt: undefined,
      hasMissed: false,
      loginRefusals: 0,
      failures: 0,
      unanswered: 0,
      isPageLeft: false,
      isListing: false,
    })
  })

  it('reaches all its states, and holds clients only while its socket is open', () => {
    const asking = '0.relay.active.waiting.asking'
    const { ends, unreached } = walkShortestPaths(relayMachine, {
      events: [
        { type: 'relay.activate', target },
        { type: 'relay.activate', target: otherNode },
        { type: 'relay.deactivate' },
        { type: 'relay.check' },
        { type: 'relay.opened', at: 1 },
        { type: 'relay.closed', at: 1 },
        { type: 'relay.dataReceived', at: 1 },
        { type: 'relay.loginSent', at: 1 },
        { type: 'relay.clientConnected', id: 'a', at: 1 },
        { type: 'relay.clientDisconnected', id: 'a', at: 1 },
        { type: `xstate.done.actor.${asking}`, actorId: asking },
        { type: `xstate.error.actor.${asking}`, actorId: asking },
      ],
      silence: ['listSoon', 'notifyParent', 'notifyLost', 'notifyRefused', 'notifyMissed'],
      context: ({ target, connectedIds, unanswered }) => [target?.url, connectedIds, unanswered > 0],
    })
    expect(unreached).toEqual([])
    for (const { snapshot, path } of ends) {
      const isOpen = snapshot.hasTag('connected')
      expect(isOpen || snapshot.context.connectedIds.length === 0, path).toBe(true)
      expect(snapshot.matches('inactive'), path).toBe(snapshot.context.target === undefined)
    }
  })
})

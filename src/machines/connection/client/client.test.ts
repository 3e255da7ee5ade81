import { describe, expect, it } from 'vitest'
import { fromPromise } from 'xstate'
import { settled } from '../../../../test/child.ts'
import { walkShortestPaths } from '../../../../test/paths.ts'
import { START, direct, relayed, dataWith, startClient } from '../../../../test/machines/client.ts'
import { packLines } from '../../../protocol/client/packed-lines.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import { clientMachine } from './client.machine.ts'
import { selectAsOf, selectLogAsOf, selectView } from './client.selectors.ts'

describe('a direct client', () => {
  it('opens its socket at once and is connected when the first full message has come [4.5]', () => {
    const client = startClient(direct)
    expect(client.links.map(({ target }) => target)).toEqual([
      { kind: 'direct', url: 'ws://127.0.0.1:7396/api/websocket', isWatched: false },
    ])
    expect(client.actor.getSnapshot().hasTag('loading')).toBe(true)
    client.actor.send({ type: 'link.opened', at: START })
    expect(client.actor.getSnapshot().hasTag('connected')).toBe(false)
    client.open()
    expect(client.actor.getSnapshot().hasTag('connected')).toBe(true)
  })

  it('reports how long its own socket took to open, in steps', () => {
    const client = startClient(direct)
    client.actor.send({ type: 'link.opened', at: START, took: 20 })
    client.open()
    expect(client.actor.getSnapshot().context.report?.delay).toBe(3)
  })

  it('shows what the server that connects to it lets this page do', () => {
    const client = startClient(direct)
    const limit = { commands: [], because: 'settings' } as const
    client.actor.send({ type: 'client.limited', limit })
    expect(selectView(client.actor.getSnapshot()).limit).toBe(limit)
  })

  it('says of what it sent too much, to a server or by it, until it is connected again', () => {
    const client = startClient(direct)
    client.open()
    const seen = () => selectView(client.actor.getSnapshot()).excess
    client.actor.send({ type: 'link.closed', at: START, trouble: 'excessive', excess: 'groups' })
    expect(seen()).toBe('groups')
    expect(client.actor.getSnapshot().context.trouble).toBe('excessive')
    client.clock.increment(1000)
    client.actor.send({ type: 'link.closed', at: START, trouble: 'unreachable' })
    expect(seen()).toBeUndefined()
    client.actor.send({ type: 'link.closed', at: START, trouble: 'excessive', excess: 'units' })
    client.clock.increment(30_000)
    client.open()
    expect(seen()).toBeUndefined()
    client.actor.send({ type: 'client.limited', limit: { commands: [], because: 'role', excess: 'log' } })
    expect(seen()).toBe('log')
  })

  it('gives a connection up after 20 s without a first message, and tries again after 1 s [9.8]', () => {
    const client = startClient(direct)
    client.clock.increment(19_999)
    expect(client.links).toHaveLength(1)
    client.clock.increment(1)
    expect(client.links[0]?.isOpen).toBe(false)
    expect(client.actor.getSnapshot().context.trouble).toBe('unreachable')
    client.clock.increment(1000)
    expect(client.links).toHaveLength(2)
  })

  it('keeps what it showed after a loss, and reports since when it is gone [3.9, 4.5]', () => {
    const client = startClient(direct)
    client.open()
    client.clock.increment(5000)
    client.close()
    const snapshot = client.actor.getSnapshot()
    expect(snapshot.hasTag('connected')).toBe(false)
    expect(selectAsOf(snapshot)).toBe(START + 5000)
    expect(snapshot.context.record.data).toEqual(dataWith())
    client.clock.increment(1000)
    client.open()
    expect(selectAsOf(client.actor.getSnapshot())).toBeUndefined()
  })

  it('counts as gone a short time ago for 5 minutes, unless it connects before [4.6, 9.8]', () => {
    const client = startClient(direct)
    client.open()
    const goneSince = () => client.actor.getSnapshot().context.report?.goneSince
    expect(goneSince()).toBeUndefined()
    client.close()
    expect(goneSince()).toBe(START)
    client.clock.increment(1000)
    client.open()
    expect(goneSince()).toBeUndefined()
    client.close()
    client.clock.increment(299_999)
    expect(goneSince()).toBeDefined()
    client.clock.increment(1)
    expect(goneSince()).toBeUndefined()
  })

  it('is disconnected after 30 s of silence, and any message resets that time [8.11, 9.8]', () => {
    const client = startClient(direct)
    client.open()
    client.clock.increment(29_000)
    client.actor.send({ type: 'link.reported', at: START + 29_000, facts: [{ type: 'ping.received' }] })
    client.clock.increment(29_000)
    expect(client.actor.getSnapshot().hasTag('connected')).toBe(true)
    client.clock.increment(1000)
    expect(client.actor.getSnapshot().hasTag('connected')).toBe(false)
    expect(client.actor.getSnapshot().context.trouble).toBe('silent')
  })

  it('does not take silence for a loss of a client up to 8.1.17, which sends no pings [8.11]', () => {
    const client = startClient(direct)
    client.open({ ...dataWith(), info: { version: '8.1.17' } })
    client.clock.increment(600_000)
    expect(client.actor.getSnapshot().hasTag('connected')).toBe(true)
  })

  it('opens a new socket when the page has slept [11.9]', () => {
    const client = startClient(direct)
    client.open()
    client.actor.send({ type: 'client.check' })
    expect(client.links.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })
})

describe('a client of the relay', () => {
  it('waits until the relay has it, then opens a session', () => {
    const client = startClient(relayed)
    expect(client.links).toEqual([])
    client.actor.send({ type: 'client.joined' })
    expect(client.links.map(({ target }) => target)).toEqual([{ kind: 'session', client: 'abc', isWatched: false }])
    client.open()
    client.actor.send({ type: 'client.left', at: START + 7 })
    expect(client.links[0]?.isOpen).toBe(false)
    expect(selectAsOf(client.actor.getSnapshot())).toBe(START + 7)
  })

  it('applies no change before the first full message of a new session [7.36]', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open()
    client.actor.send({ type: 'client.left', at: START })
    client.actor.send({ type: 'client.joined' })
    client.change(['config', 'user', 'Mallory' as never])
    expect(client.actor.getSnapshot().context.record.data).toEqual(dataWith())
  })
})

describe('what a client reports to the fleet', () => {
  it('is sent when a value of its report changed, and not when only the progress of a unit did', () => {
    const client = startClient(direct)
    const unit = { id: 'u', state: 'RUN', cpus: 4, ppd: 1000, wu_progress: 0.1, eta: '2h 5m' }
    client.open({ ...dataWith({ paused: false }), units: [unit] })
    const before = client.received.length
    client.change(['units', 0, 'eta', '2h 4m' as never], ['units', 0, 'wu_progress', 0.2 as never])
    expect(client.received).toHaveLength(before)
    client.change(['units', 0, 'ppd', 2000 as never])
    expect(client.received).toHaveLength(before + 1)
    expect(client.received.at(-1)).toMatchObject({
      type: 'client.reported',
      id: '__direct__',
      report: { summary: { ppd: 2000 } },
    })
  })
})

describe('the paths of a client', () => {
  const facts = [{ type: 'snapshot.received', data: dataWith() }] as const
  const events = [
    { type: 'client.joined' },
    { type: 'client.left', at: 2 },
    { type: 'client.release' },
    { type: 'client.resume' },
    { type: 'client.watch' },
    { type: 'client.check' },
    { type: 'client.reconnect' },
    { type: 'xstate.done.actor.0.client.link.waiting.asking', actorId: '0.client.link.waiting.asking' },
    { type: 'client.setState', state: 'pause' },
    { type: 'client.setState', state: 'fold' },
    { type: 'link.reported', at: 3, facts },
    {
      type: 'link.reported',
      at: 3,
      facts: [{ type: 'snapshot.received', data: { ...dataWith(), info: { version: '8.1.17' } } }],
    },
    { type: 'link.reported', at: 3, facts: [] },
    { type: 'link.closed', at: 4, trouble: 'closed' },
    {
      type: 'xstate.done.actor.0.client.commands.readingClock',
      actorId: '0.client.commands.readingClock',
      output: START,
    },
    {
      type: 'xstate.done.actor.0.client.commands.readingClock',
      actorId: '0.client.commands.readingClock',
      output: START + 1000,
    },
  ] as const
  const options = {
    events,
    silence: ['report'],
    context: ({
      connectedAt,
      watchers,
      queue: { entries },
    }: {
      connectedAt: number | undefined
      watchers: number
      queue: { entries: readonly { status: string }[] }
    }) => [connectedAt, watchers > 0, entries.slice(-3).map(({ status }) => status)],
  }

  it.each([
    [
      'a direct one',
      direct,
      (type: string) => !['client.joined', 'client.left', 'client.release', 'client.resume'].includes(type),
      ['client.link.offline', 'client.link.released'],
    ],
    ['one of the relay', relayed, () => true, ['client.link.reaching.live.monitored', 'client.link.waiting.asking']],
  ] as const)(
    'lead %s through all states that it can have, and it is connected only while it is live',
    (_, input, hears, without) => {
      const received = events.filter(({ type }) => hears(type))
      const { ends, unreached } = walkShortestPaths(clientMachine, { ...options, events: received, input })
      expect(unreached).toEqual(without)
      for (const { snapshot, path } of ends) {
        const { connectedAt, queue } = snapshot.context
        expect(snapshot.hasTag('connected'), path).toBe(connectedAt !== undefined)
        if (connectedAt === undefined)
          expect(
            queue.entries.filter(({ status }) => status === 'waiting'),
            path,
          ).toEqual([])
      }
    },
  )

  it.each([
    ['127.0.0.1', [1000, 2000, 4000, 5000, 5000]],
    ['192.168.0.9', [1000, 2000, 4000, 8000, 10_000, 10_000]],
  ])('at %s is tried after %j ms [4.18]', (address, waits) => {
    const client = startClient({ ...direct, address })
    for (const wait of waits) {
      const before = client.links.length
      client.actor.send({ type: 'link.closed', at: 1, trouble: 'unreachable' })
      client.clock.increment(wait - 1)
      expect(client.links.length).toBe(before)
      client.clock.increment(1)
      expect(client.links.length).toBe(before + 1)
    }
    client.open()
    client.close()
    client.clock.increment(1000)
    expect(client.links.length).toBe(waits.length + 2)
  })

  it('is asked before another socket is opened, since browsers delay sockets, and every tenth time tried anyway [4.18]', async () => {
    let isUp = false
    let asked = 0
    const ping = fromPromise<undefined, { readonly url: SocketUrl }>(() => {
      asked += 1
      return isUp ? Promise.resolve(undefined) : Promise.reject(new Error('It does not answer.'))
    })
    const client = startClient({ ...direct, address: '192.168.0.9' }, ping)
    const fail = () => client.actor.send({ type: 'link.closed', at: 1, trouble: 'unreachable' })
    /** How often it is asked, and tried. Each attempt fails. */
    const during = async (seconds: number) => {
      const before = [asked, client.links.length] as const
      for (let second = 0; second < seconds; second++) {
        const tried = client.links.length
        client.clock.increment(1000)
        await settled()
        if (client.links.length > tried && !isUp) fail()
      }
      return [asked - before[0], client.links.length - before[1]]
    }
    fail()
    expect(await during(9)).toEqual([9, 0])
    expect(await during(1)).toEqual([1, 1])
    expect(await during(50)).toEqual([50, 5])
    await during(30)
    expect(await during(100)).toEqual([10, 1])
    client.actor.send({ type: 'client.pageSeen', isHidden: true })
    await during(10)
    expect((await during(90))[0]).toBe(3)
    client.actor.send({ type: 'client.pageSeen', isHidden: false })
    isUp = true
    await during(30)
    client.open()
    client.close()
    expect(await during(1)).toEqual([1, 1])
  })

  it('has no session while the page has its client directly, and one again afterwards', () => {
    const client = startClient(relayed)
    const open = () => client.links.map(({ isOpen }) => isOpen)
    const report = () => client.actor.getSnapshot().context.report
    client.actor.send({ type: 'client.release' })
    client.actor.send({ type: 'client.joined' })
    expect(open()).toEqual([])
    expect(report()?.isConnected).toBe(false)
    expect(report()?.isAtRelay).toBe(true)
    client.actor.send({ type: 'client.resume' })
    client.open()
    expect(open()).toEqual([true])
    expect(report()?.isConnected).toBe(true)
    expect(report()?.isAtRelay).toBe(true)
    client.actor.send({ type: 'client.release' })
    expect(open()).toEqual([false])
    expect(report()?.isConnected).toBe(false)
    expect(report()?.isAtRelay).toBe(true)
    client.actor.send({ type: 'client.left', at: 2 })
    client.actor.send({ type: 'client.resume' })
    expect({ open: open(), isAtRelay: report()?.isAtRelay }).toEqual({ open: [false], isAtRelay: false })
    client.actor.send({ type: 'client.joined' })
    client.close()
    client.actor.send({ type: 'client.release' })
    client.clock.increment(60_000)
    expect(open()).toEqual([false, false])
  })

  it('keeps its session while its settings are open', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.open()
    client.actor.send({ type: 'client.openSettings' })
    client.actor.send({ type: 'client.closeSettings' })
    client.actor.send({ type: 'client.openSettings' })
    client.actor.send({ type: 'client.release' })
    expect(client.links.map(({ isOpen }) => isOpen)).toEqual([true])
    client.actor.send({ type: 'client.closeSettings' })
    expect(client.links.map(({ isOpen }) => isOpen)).toEqual([false])
  })

  it('has its settings closed also while it is not connected', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.openSettings' })
    client.actor.send({ type: 'client.closeSettings' })
    expect(client.actor.getSnapshot().context.settings).toBeUndefined()
  })

  it('says as of when its data are while they come late, and its log, which comes less often', () => {
    const client = startClient(relayed)
    const age = () => {
      const snapshot = client.actor.getSnapshot()
      return [selectAsOf(snapshot), selectView(snapshot).lastConnected, selectLogAsOf(snapshot)]
    }
    const date = (asOf: number | undefined) => client.actor.send({ type: 'link.dated', at: START, asOf })
    client.actor.send({ type: 'client.joined' })
    client.open()
    expect(age()).toEqual([undefined, START, undefined])
    date(START - 30_000)
    expect(age()).toEqual([START - 30_000, START - 30_000, START - 30_000])
    date(START - 5000)
    expect(age()).toEqual([START - 5000, START - 5000, START - 30_000])
    client.report({ type: 'log.received', replace: true, lines: packLines(['one']) })
    expect(age()).toEqual([START - 5000, START - 5000, START - 5000])
    client.close()
    expect(age()).toEqual([START - 5000, START - 5000, START - 5000])
    client.clock.increment(1000)
    client.open()
    expect(age()).toEqual([undefined, START + 1000, undefined])
    date(START)
    date(undefined)
    expect(age()).toEqual([undefined, START + 1000, undefined])
  })

  it('shows inspectors how its session learns what it says', () => {
    const client = startClient(relayed)
    const state = () => client.actor.getSnapshot().context.sessionState
    client.actor.send({ type: 'client.joined' })
    client.actor.send({ type: 'link.entered', state: 'busy' })
    client.open()
    expect(state()).toBe('busy')
    client.close()
    expect(state()).toBeUndefined()
  })

  it('waits two minutes for the first answer through a relay, which comes after what was sent to others', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.clock.increment(119_999)
    expect(client.links.map(({ isOpen }) => isOpen)).toEqual([true])
    client.clock.increment(1)
    expect(client.links.map(({ isOpen }) => isOpen)).toEqual([false])
  })

  it('is opened again at once when the relay names it again', () => {
    const client = startClient(relayed)
    client.actor.send({ type: 'client.joined' })
    client.actor.send({ type: 'link.closed', at: 2, trouble: 'unreachable' })
    client.actor.send({ type: 'client.joined' })
    expect(client.links.length).toBe(2)
  })
})

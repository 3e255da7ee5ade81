import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settled } from '../../../../test/child.ts'
import { LOCAL_URL, dataOf, startFleet } from '../../../../test/machines/fleet.ts'
import type { ClientData } from '../../../protocol/client-data.ts'
import { MAX_DIRECT_CLIENTS, type DirectClient } from '../../../folding/machine/direct-clients.ts'
import { addSummary, emptySummary } from '../../../folding/machine/totals.ts'
import { shardedEntries } from '../../../folding/shared/sharded-map.ts'
import { selectAskedState, selectIgnored } from '../client/client.selectors.ts'
import { idOfAddress } from './fleet.context.ts'
import {
  isConnectionShown,
  selectClientOfUnit,
  selectDefaultIds,
  selectDirectDisconnected,
  selectMemberId,
  selectOtherConnections,
  selectReport,
  selectTotals,
  whyNotControllable,
  whyNothingToFinish,
} from './fleet.selectors.ts'

const unnamed = (address: string): DirectClient => ({ address, name: undefined })

describe('the fleet', () => {
  it('connects to the client on this computer from the start', () => {
    const fleet = startFleet()
    expect([...fleet.links.keys()]).toEqual(['ws://127.0.0.1:7396/api/websocket'])
    expect(fleet.shown()).toEqual(['__direct__'])
  })

  it('is loading until the first attempt has failed, and disconnected from then on', () => {
    const fleet = startFleet({ defaultAddress: '127.0.0.1:7396', addresses: [{ address: 'attic', name: undefined }] })
    const absent = () => [
      selectTotals(fleet.actor.getSnapshot()).loading,
      selectDirectDisconnected(fleet.actor.getSnapshot()),
    ]
    expect(absent()).toEqual([2, 0])
    fleet.member('__direct__').send({ type: 'link.closed', at: 1, trouble: 'unreachable' })
    expect(absent()).toEqual([1, 1])
    fleet.clock.increment(60_000)
    fleet.member(idOfAddress('attic')).send({ type: 'link.closed', at: 2, trouble: 'unreachable' })
    expect(absent()).toEqual([0, 2])
  })

  it('holds the machines of the account, and drops those that were removed elsewhere', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b', 'a')
    expect(fleet.shown()).toEqual(['a', 'b'])
    fleet.list('b')
    expect(fleet.shown()).toEqual(['b'])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 1, connected: 0 })
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    expect(fleet.shown()).toEqual([])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 0 })
  })

  describe('of a thousand machines', () => {
    const ids = Array.from({ length: 250 }, (_, index) => `m${index}`)
    const listed = () => {
      const fleet = startFleet({ defaultAddress: '', addresses: [] })
      fleet.list(...ids)
      return fleet
    }
    const joined = (id: string) => ({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 }) as const

    it('spawns machines in parts, so that the page stays responsive', () => {
      const fleet = listed()
      expect(fleet.shown()).toHaveLength(100)
      fleet.clock.increment(0)
      expect(fleet.shown()).toHaveLength(200)
      fleet.clock.increment(0)
      expect(new Set(fleet.shown())).toEqual(new Set(ids))
      expect(fleet.actor.getSnapshot().context.listed).toEqual([])
    })

    it('opens a session with each that the relay has, also with those that it named before they were taken up', () => {
      const fleet = listed()
      for (const id of ['m0', 'm150', 'm151', 'm249']) fleet.actor.send(joined(id))
      fleet.actor.send({ type: 'relay.clientDisconnected', id: 'm151', at: 2 })
      expect([...fleet.links.keys()]).toEqual(['m0'])
      fleet.clock.increment(0)
      fleet.clock.increment(0)
      expect([...fleet.links.keys()]).toEqual(['m0', 'm150', 'm249'])
      expect(fleet.received).toEqual([])
      expect(fleet.actor.getSnapshot().context.unlisted).toEqual({})
    })

    it('opens none with those that were named by a relay that is lost', () => {
      const fleet = listed()
      fleet.actor.send(joined('m150'))
      fleet.actor.send({ type: 'relay.lost', at: 2 })
      fleet.clock.increment(0)
      expect([...fleet.links.keys()]).toEqual([])
    })

    it('uses the newest list', () => {
      const fleet = listed()
      fleet.list('m0', 'm249', 'new')
      fleet.clock.increment(0)
      expect(fleet.shown()).toEqual(['m0', 'm249', 'new'])
    })

    it('spawns no more machines after signing out', () => {
      const fleet = listed()
      fleet.actor.send({ type: 'fleet.accountSignedOut' })
      fleet.clock.increment(0)
      expect(fleet.shown()).toEqual([])
    })
  })

  it('sends its machines nothing when it gets the same list again', () => {
    const fleet = startFleet()
    fleet.list('a', 'b')
    fleet.actor.send({ type: 'fleet.latestVersionChanged', version: '8.5.7' })
    const before = ['__direct__', 'a', 'b'].map(id => fleet.member(id).getSnapshot())
    fleet.actor.send({ type: 'fleet.latestVersionChanged', version: '8.5.7' })
    fleet.list('a', 'b')
    expect(['__direct__', 'a', 'b'].map((id, at) => fleet.member(id).getSnapshot() === before[at])).toEqual([
      true,
      true,
      true,
    ])
    const { environment } = fleet.member('a').getSnapshot().context
    expect(environment).toEqual({ account: 'me', latestVersion: '8.5.7' })
    fleet.actor.send({
      type: 'fleet.machinesListed',
      account: 'me',
      machines: [
        { id: 'a', name: 'Attic' },
        { id: 'b', name: 'B' },
      ],
    })
    expect(['a', 'b'].map(id => fleet.member(id).getSnapshot().context.name)).toEqual(['Attic', 'B'])
  })

  it('opens a session with each client that the relay has, and puts connected ones first', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', loginTime: 1, at: 1 })
    expect([...fleet.links.keys()]).toEqual(['b'])
    fleet.says('b', dataOf('b', 'B'))
    expect(fleet.shown()).toEqual(['b', 'a'])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({
      clients: 2,
      connected: 1,
      active: 1,
      cpus: 4,
      ppd: 1000,
    })
    fleet.actor.send({ type: 'relay.lost', at: 20 })
    expect([...fleet.links.keys()]).toEqual([])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 2, connected: 0, ppd: 0 })
  })

  it('asks for the account’s list when the relay names a client that it does not hold, and takes it up then', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.actor.send({ type: 'relay.clientConnected', id: 'new', loginTime: 1, at: 1 })
    expect(fleet.received).toEqual([{ type: 'fleet.listOutdated' }])
    expect(fleet.links.size).toBe(0)
    fleet.list('new')
    expect([...fleet.links.keys()]).toEqual(['new'])
  })

  it('shows a machine once when it is there directly and by the account', () => {
    const fleet = startFleet()
    fleet.list('mine', 'other')
    expect(fleet.shown()).toEqual(['__direct__', 'mine', 'other'])
    fleet.says('__direct__', dataOf('mine', 'Mine'))
    expect(fleet.shown()).toEqual(['__direct__', 'other'])
    fleet.actor.send({ type: 'relay.clientConnected', id: 'mine', loginTime: 1, at: 1 })
    fleet.says('mine', dataOf('mine', 'Mine'))
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 2, connected: 1, cpus: 4, ppd: 1000 })
  })

  it('adds clients by normalized address, stores them, and removes them', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [unnamed('192.168.0.9:7396')] })
    fleet.actor.send({ type: 'fleet.connect', address: ' Node2.LAN ' })
    fleet.actor.send({ type: 'fleet.connect', address: 'node2.lan:7396' })
    expect(fleet.kept.at(-1)).toEqual([unnamed('192.168.0.9:7396'), unnamed('node2.lan:7396')])
    expect([...fleet.links.keys()]).toEqual([
      'ws://192.168.0.9:7396/api/websocket',
      'ws://node2.lan:7396/api/websocket',
    ])
    fleet.actor.send({ type: 'fleet.disconnect', id: '@node2.lan:7396' })
    expect(fleet.kept.at(-1)).toEqual([unnamed('192.168.0.9:7396')])
    expect(fleet.shown()).toEqual(['@192.168.0.9:7396'])
  })

  it('checks direct sockets when the computer has slept, and leaves sessions to the relay', () => {
    const fleet = startFleet()
    fleet.list('a')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'a', loginTime: 1, at: 1 })
    const before = [LOCAL_URL, 'a'].map(id => fleet.links.get(id))
    fleet.actor.send({ type: 'fleet.check' })
    expect([LOCAL_URL, 'a'].map((id, index) => fleet.links.get(id) === before[index])).toEqual([false, true])
  })

  it('connects to nothing that is no address', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    expect(fleet.actor.getSnapshot().can({ type: 'fleet.connect', address: 'javascript:alert(1)' })).toBe(false)
  })

  it.each([
    ['tells all connected machines one by one when no broadcast can be sent', 'refused'],
    ['tells its machines by one broadcast, and takes note of it with each', 'sent'],
  ] as const)('%s', async (_, outcome) => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('local', 'Local'))
    fleet.list('a', 'b', 'away')
    for (const id of ['a', 'b']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect(fleet.received.at(-1)).toEqual({ type: 'fleet.broadcastWanted', state: 'pause' })
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: ['pause'], a: [], b: [] })
    fleet.actor.send(
      outcome === 'sent'
        ? { type: 'fleet.broadcastSent', state: 'pause', at: 1000 }
        : { type: 'fleet.broadcastRefused', state: 'pause' },
    )
    await settled()
    expect(fleet.sent()).toEqual({
      [LOCAL_URL]: ['pause'],
      a: outcome === 'sent' ? [] : ['pause'],
      b: outcome === 'sent' ? [] : ['pause'],
    })
    expect(['a', 'b'].map(id => selectAskedState('')(fleet.member(id).getSnapshot()))).toEqual(['pause', 'pause'])
  })

  it.each(['sent', 'refused'] as const)(
    'reports a missed broadcast to each machine that was there, when that was %s',
    outcome => {
      const fleet = startFleet()
      fleet.list('a', 'b', 'away')
      for (const id of ['a', 'b']) {
        fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
        fleet.says(id, dataOf(id, id))
      }
      fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
      fleet.actor.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
      fleet.actor.send(
        outcome === 'sent'
          ? { type: 'fleet.broadcastSent', state: 'pause', at: 1000 }
          : { type: 'fleet.broadcastRefused', state: 'pause' },
      )
      const ignored = (id: string) => selectIgnored(fleet.member(id).getSnapshot()).map(({ command }) => command)
      expect([ignored('a'), ignored('b'), ignored('away')]).toEqual([[], [{ cmd: 'state', state: 'pause' }], []])
      expect(fleet.actor.getSnapshot().context.pendingBroadcasts).toEqual([])
    },
  )

  it('sends nothing to clients that are too old, and no broadcast when there is one', async () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('local', 'Local', '8.2.4'))
    expect(whyNotControllable(fleet.actor.getSnapshot())).toBe(
      'All connected machines run clients that are too old to be controlled from here.',
    )
    fleet.list('a', 'b', 'old')
    for (const id of ['a', 'b', 'old']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
      fleet.says(id, dataOf(id, id, id === 'old' ? '8.2.4' : '8.3.0'))
    }
    expect(whyNotControllable(fleet.actor.getSnapshot())).toBeUndefined()
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    fleet.actor.send({ type: 'fleet.setState', state: 'finish', ids: ['old'] })
    await settled()
    expect([fleet.sent(), fleet.received]).toEqual([{ [LOCAL_URL]: [], a: ['pause'], b: ['pause'], old: [] }, []])
  })

  it('speaks to a chosen few, or to a single one, without a broadcast', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    for (const id of ['a', 'b']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.actor.send({ type: 'fleet.setState', state: 'finish', ids: ['a'] })
    await settled()
    expect([fleet.sent(), fleet.received]).toEqual([{ a: ['finish'], b: [] }, []])
  })

  it('holds exactly the machines that are listed and the addresses that were added, whatever happens', () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({ act: fc.constant('list' as const), ids: fc.uniqueArray(id) }),
      fc.record({ act: fc.constantFrom('join' as const, 'leave' as const, 'say' as const), id }),
      fc.record({
        act: fc.constantFrom('connect' as const, 'forget' as const),
        address: fc.constantFrom('node1', 'node2:80'),
      }),
      fc.constant({ act: 'signOut' as const }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const fleet = startFleet({ defaultAddress: '', addresses: [] })
        let listed: string[] = []
        const added = new Set<string>()
        for (const todo of steps) {
          switch (todo.act) {
            case 'list':
              fleet.list(...(listed = todo.ids))
              break
            case 'join':
              fleet.actor.send({ type: 'relay.clientConnected', id: todo.id, loginTime: 1, at: 1 })
              break
            case 'leave':
              fleet.actor.send({ type: 'relay.clientDisconnected', id: todo.id, at: 2 })
              break
            case 'say':
              if (listed.includes(todo.id)) fleet.says(todo.id, dataOf(todo.id, todo.id))
              break
            case 'connect':
              fleet.actor.send({ type: 'fleet.connect', address: todo.address })
              added.add(idOfAddress(todo.address))
              break
            case 'forget':
              fleet.actor.send({ type: 'fleet.disconnect', id: idOfAddress(todo.address) })
              added.delete(idOfAddress(todo.address))
              break
            case 'signOut':
              fleet.actor.send({ type: 'fleet.accountSignedOut' })
              listed = []
          }
        }
        const { members, reports, totals } = fleet.actor.getSnapshot().context
        expect(Object.keys(members).sort()).toEqual([...listed, ...added].sort())
        const all = [...shardedEntries(reports)]
        expect(all.map(([id]) => id).sort()).toEqual(Object.keys(members).sort())
        expect(totals).toEqual(all.map(([, { summary }]) => summary).reduce(addSummary, emptySummary))
        expect([...fleet.shown()].sort()).toEqual(Object.keys(members).sort())
      }),
    )
  })

  it('fetches the account at most five times, with growing delays, for unknown machines', () => {
    const { actor, clock, received, list } = startFleet()
    const asks = () => received.filter(({ type }) => type === 'fleet.listOutdated').length
    const logins = (count: number) => {
      for (let at = 0; at < count; at++)
        actor.send({ type: 'relay.clientConnected', id: `stranger-${at}`, loginTime: 1, at: 1 })
    }
    list('a')
    logins(50)
    expect(asks()).toBe(1)
    list('a')
    clock.increment(4000)
    logins(50)
    expect(asks()).toBe(2)
    for (let minute = 0; minute < 10; minute++) {
      clock.increment(60_000)
      logins(50)
    }
    expect(asks()).toBe(5)
    list('a', 'stranger-7')
    actor.send({ type: 'relay.clientConnected', id: 'another', loginTime: 1, at: 1 })
    expect(asks()).toBe(6)
    actor.send({ type: 'fleet.accountSignedOut' })
    clock.increment(600_000)
    expect(asks()).toBe(6)
  })

  it('reconnects all its machines when the page becomes visible', () => {
    const { actor, links, member } = startFleet()
    member('__direct__').send({ type: 'link.closed', at: 1, trouble: 'unreachable' })
    expect(links.size).toBe(0)
    actor.send({ type: 'fleet.retry' })
    expect(links.size).toBe(1)
  })
})

describe('a machine that was unlinked', () => {
  const SESSION_TIME = 1500
  const restarts = (fleet: ReturnType<typeof startFleet>, link: string): number =>
    fleet.links.get(link)?.commands.filter(said => said.type === 'link.send' && said.command.cmd === 'restart')
      .length ?? 0
  const joined = (id: string) => ({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 }) as const
  const unlink = (fleet: ReturnType<typeof startFleet>): void => {
    fleet.member('b').send({ type: 'client.restart' })
    fleet.list()
  }

  it('before its session was open stays until the restart is sent, neither shown nor counted', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    fleet.actor.send(joined('b'))
    unlink(fleet)
    expect([fleet.shown(), selectTotals(fleet.actor.getSnapshot()).clients]).toEqual([[], 0])
    fleet.says('b', dataOf('b', 'b'))
    await settled()
    expect([restarts(fleet, 'b'), fleet.shown()]).toEqual([1, []])
    fleet.clock.increment(SESSION_TIME)
    expect([Object.keys(fleet.actor.getSnapshot().context.members), [...fleet.links]]).toEqual([[], []])
    expect(fleet.actor.getSnapshot().context.totals).toEqual(emptySummary)
  })

  it('while it was connected gets a restart before it is removed', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    fleet.actor.send(joined('b'))
    fleet.says('b', dataOf('b', 'b'))
    unlink(fleet)
    await settled()
    expect([restarts(fleet, 'b'), fleet.shown()]).toEqual([1, []])
    fleet.clock.increment(SESSION_TIME)
    expect(fleet.actor.getSnapshot().context.members).toEqual({})
  })

  it('gets the restart directly when the relay does not have it', async () => {
    const fleet = startFleet()
    fleet.list('b')
    unlink(fleet)
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['__direct__', 'b'])
    fleet.says('__direct__', dataOf('b', 'b'))
    await settled()
    expect(restarts(fleet, LOCAL_URL)).toBe(1)
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['__direct__'])
  })

  it('needs no restart when it left the relay, since it fetches its account when it reconnects', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    fleet.actor.send(joined('b'))
    unlink(fleet)
    fleet.actor.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
    expect(fleet.actor.getSnapshot().context.members).toEqual({})
  })

  it('and linked again is a machine like any other', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    unlink(fleet)
    fleet.list('b')
    expect([fleet.shown(), selectTotals(fleet.actor.getSnapshot()).clients]).toEqual([['b'], 1])
    expect(fleet.actor.getSnapshot().context.restartsOwed).toEqual([])
  })

  it('is forgotten when the account is left', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b')
    unlink(fleet)
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    expect(fleet.actor.getSnapshot().context).toMatchObject({ members: {}, restartsOwed: [], leaving: [] })
  })
})

describe('one client under several addresses', () => {
  const addresses = ['127.0.0.1:7396', 'localhost:7396', '10.0.0.7:7396']
  const ids = addresses.map(idOfAddress)
  const startSeveral = () => startFleet({ defaultAddress: 'localhost:7400', addresses: addresses.map(unnamed) })
  const totals = (fleet: ReturnType<typeof startFleet>) => {
    const { clients, connected, cpus, ppd } = selectTotals(fleet.actor.getSnapshot())
    return [clients, connected, cpus, ppd]
  }

  it('is one machine as soon as it has said who it is', () => {
    const fleet = startSeveral()
    fleet.list('b')
    expect(fleet.shown()).toHaveLength(5)
    for (const id of [...ids, '__direct__', 'b']) fleet.says(id, dataOf('b', 'b'))
    expect([fleet.shown(), totals(fleet)]).toEqual([['__direct__'], [1, 1, 4, 1000]])
    expect(selectOtherConnections('__direct__')(fleet.actor.getSnapshot()).map(({ id }) => id)).toEqual([
      '@127.0.0.1:7396',
      '@localhost:7396',
      '@10.0.0.7:7396',
      'b',
    ])
  })

  it('is two when one of them turns out to be another one', () => {
    const fleet = startSeveral()
    for (const id of [...ids, '__direct__']) fleet.says(id, dataOf('b', 'b'))
    fleet.says('@10.0.0.7:7396', dataOf('c', 'c'))
    expect([fleet.shown(), totals(fleet)]).toEqual([
      ['__direct__', '@10.0.0.7:7396'],
      [2, 2, 8, 2000],
    ])
  })

  it('prefers the faster of two connections over the network, as soon as it is measured', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: ['10.0.0.7:7396', '10.0.0.8:7396'].map(unnamed) })
    for (const [id, took] of [
      ['@10.0.0.7:7396', 80],
      ['@10.0.0.8:7396', 3],
    ] as const) {
      fleet.member(id).send({ type: 'link.opened', at: 5, took })
      fleet.says(id, dataOf('b', 'b'))
    }
    expect(fleet.shown()).toEqual(['@10.0.0.8:7396'])
  })

  it('is found by the id of a connection that is lost, and by a unit on the connection that is shown', () => {
    const fleet = startSeveral()
    for (const id of ids) fleet.says(id, dataOf('b', 'b'))
    fleet.member('@127.0.0.1:7396').send({ type: 'link.closed', at: 20, trouble: 'closed' })
    const snapshot = fleet.actor.getSnapshot()
    expect([
      selectMemberId('@127.0.0.1:7396')(snapshot),
      selectMemberId('@10.0.0.7:7396')(snapshot),
      selectClientOfUnit('b-1')(snapshot)?.getSnapshot().context.id,
    ]).toEqual(['@localhost:7396', '@10.0.0.7:7396', '@localhost:7396'])
  })

  it('keeps the name that was given to one of its addresses, whichever connection is shown', () => {
    const fleet = startSeveral()
    for (const id of ['__direct__', ...ids]) fleet.says(id, dataOf('b', 'b'))
    const names = () => ['__direct__', ...ids].map(id => selectReport(id)(fleet.actor.getSnapshot())?.name)
    fleet.actor.send({ type: 'fleet.nameClient', address: '10.0.0.7:7396', name: ' Attic ' })
    expect(names()).toEqual(['Attic', 'Attic', 'Attic', 'Attic'])
    fleet.actor.send({ type: 'fleet.nameClient', address: 'localhost:7396', name: 'Cellar' })
    expect(names()).toEqual(['Cellar', 'Cellar', 'Cellar', 'Attic'])
    fleet.says('@localhost:7396', dataOf('c', 'c'))
    expect(names()).toEqual(['Attic', 'Attic', 'Cellar', 'Attic'])
    fleet.actor.send({ type: 'fleet.nameClient', address: 'localhost:7396', name: '' })
    fleet.actor.send({ type: 'fleet.disconnect', id: '@10.0.0.7:7396' })
    expect(names().slice(0, 3)).toEqual(['b', 'b', 'c'])
    expect(fleet.kept.at(-1)).toEqual(['127.0.0.1:7396', 'localhost:7396'].map(unnamed))
  })

  it('is one as it is remembered from the last visit', () => {
    const fleet = startSeveral()
    fleet.actor.send({
      type: 'fleet.restored',
      machines: [...ids, '__direct__'].map(id => ({
        id,
        kind: 'direct',
        name: undefined,
        at: 1,
        data: dataOf('b', 'b'),
      })),
    })
    expect([fleet.shown(), totals(fleet)]).toEqual([['__direct__'], [1, 0, 0, 0]])
    fleet.says('@localhost:7396', dataOf('b', 'b'))
    expect([fleet.shown(), totals(fleet)]).toEqual([['@localhost:7396'], [1, 1, 4, 1000]])
  })
})

describe('a machine that is connected directly and through the relay', () => {
  const startBoth = (...relayed: string[]) => {
    const fleet = startFleet()
    fleet.list('b', 'c', 'd')
    for (const id of relayed) {
      fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.says('__direct__', dataOf('b', 'b'))
    return fleet
  }
  const asked = (fleet: ReturnType<typeof startFleet>) =>
    ['__direct__', 'b', 'c', 'd'].map(id => selectAskedState()(fleet.member(id).getSnapshot()))
  const broadcasts = ({ received }: ReturnType<typeof startFleet>) =>
    received.filter(({ type }) => type === 'fleet.broadcastWanted').length

  it('is sent directly, and alone where only one other machine is there', async () => {
    const fleet = startBoth('b', 'c')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect([broadcasts(fleet), fleet.sent()]).toEqual([0, { [LOCAL_URL]: ['pause'], b: [], c: ['pause'] }])
  })

  it('hears a broadcast to several others once, and shows it as asked where it is shown', async () => {
    const fleet = startBoth('b', 'c', 'd')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect([broadcasts(fleet), fleet.sent()]).toEqual([1, { [LOCAL_URL]: [], b: [], c: [], d: [] }])
    fleet.actor.send({ type: 'fleet.broadcastSent', state: 'pause', at: 5000 })
    await settled()
    expect(asked(fleet)).toEqual(['pause', undefined, 'pause', 'pause'])
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: [], b: [], c: [], d: [] })
  })

  it('is sent directly when it left the relay before the broadcast, or when that is not sent at all', async () => {
    const fleet = startBoth('b', 'c', 'd')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    fleet.actor.send({ type: 'relay.clientDisconnected', id: 'b', at: 2 })
    fleet.actor.send({ type: 'fleet.broadcastSent', state: 'pause', at: 5000 })
    await settled()
    expect(fleet.sent()).toEqual({ [LOCAL_URL]: ['pause'], c: [], d: [] })
    expect(selectIgnored(fleet.member('b').getSnapshot())).toEqual([])

    const refused = startBoth('b', 'c', 'd')
    refused.actor.send({ type: 'fleet.setState', state: 'pause' })
    refused.actor.send({ type: 'fleet.broadcastRefused', state: 'pause' })
    await settled()
    expect(refused.sent()).toEqual({ [LOCAL_URL]: ['pause'], b: [], c: ['pause'], d: ['pause'] })
  })

  it('is sent directly at once when the broadcast cannot reach it', async () => {
    const fleet = startBoth('c', 'd')
    fleet.actor.send({ type: 'fleet.setState', state: 'pause' })
    await settled()
    expect([broadcasts(fleet), fleet.sent()]).toEqual([1, { [LOCAL_URL]: ['pause'], c: [], d: [] }])
  })
})

describe('a machine that is no longer shown', () => {
  const goneFrom = (fleet: ReturnType<typeof startFleet>) =>
    fleet.received.flatMap(event => (event.type === 'fleet.machinesGone' ? [event['machines']] : []))

  it('is reported with its name when it leaves the account or the list, or when the account is left', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [{ address: 'nas', name: 'Attic' }] })
    fleet.list('a', 'b', 'c')
    fleet.list('a', 'b')
    fleet.actor.send({ type: 'fleet.disconnect', id: idOfAddress('nas') })
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    expect(goneFrom(fleet)).toEqual([
      [{ id: 'c', name: 'C' }],
      [{ id: '@nas:7396', name: 'Attic' }],
      [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
    ])
  })

  it('is reported with the connection over which it is shown instead', () => {
    const fleet = startFleet()
    fleet.list('b')
    fleet.says('__direct__', dataOf('b', 'B'))
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    expect(goneFrom(fleet)).toEqual([[{ id: 'b', name: 'B', shownAs: '__direct__' }]])
  })

  it('is reported with the connection that is left when its own is removed', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [{ address: 'nas', name: undefined }] })
    fleet.list('b')
    fleet.says(idOfAddress('nas'), dataOf('b', 'B'))
    fleet.actor.send({ type: 'fleet.disconnect', id: idOfAddress('nas') })
    expect(goneFrom(fleet).at(-1)).toEqual([{ id: '@nas:7396', name: 'B', shownAs: 'b' }])
  })
})

describe('the list of direct clients', () => {
  const start = (...addresses: string[]) => startFleet({ defaultAddress: '', addresses: addresses.map(unnamed) })

  it('is imported at once: new clients connect, known ones keep their connection', () => {
    const fleet = start('a:7396')
    const before = fleet.links.get('ws://a:7396/api/websocket')
    fleet.actor.send({
      type: 'fleet.addClients',
      clients: [
        { address: 'b:7396', name: 'Attic' },
        { address: 'a:7396', name: 'Cellar' },
      ],
    })
    expect([...fleet.links.keys()]).toEqual(['ws://a:7396/api/websocket', 'ws://b:7396/api/websocket'])
    expect(fleet.links.get('ws://a:7396/api/websocket')).toBe(before)
    expect(['@a:7396', '@b:7396'].map(id => selectReport(id)(fleet.actor.getSnapshot())?.name)).toEqual([
      'Cellar',
      'Attic',
    ])
    expect(fleet.kept.at(-1)).toEqual([
      { address: 'a:7396', name: 'Cellar' },
      { address: 'b:7396', name: 'Attic' },
    ])
  })

  it('gives the machines their order, which the user changes', () => {
    const fleet = start('c:7396', 'a:7396', 'b:7396')
    fleet.says('@b:7396', dataOf('b', 'b'))
    expect(fleet.shown()).toEqual(['@c:7396', '@a:7396', '@b:7396'])
    fleet.actor.send({ type: 'fleet.moveClient', address: 'b:7396', by: -2 })
    expect(fleet.shown()).toEqual(['@b:7396', '@c:7396', '@a:7396'])
    expect(fleet.kept.at(-1)).toEqual(['b:7396', 'c:7396', 'a:7396'].map(unnamed))
    fleet.actor.send({ type: 'fleet.disconnect', id: '@b:7396' })
    expect(fleet.shown()).toEqual(['@c:7396', '@a:7396'])
  })

  it('is limited, and says which client did not fit', () => {
    const full = Array.from({ length: MAX_DIRECT_CLIENTS }, (_, at) => `host-${at}:7396`)
    const fleet = start(...full)
    fleet.actor.send({ type: 'fleet.connect', address: 'one-more' })
    fleet.actor.send({ type: 'fleet.connect', address: 'HOST-0', name: 'First' })
    expect(fleet.received).toContainEqual({ type: 'fleet.clientRefused', address: 'one-more:7396' })
    expect(fleet.links.size).toBe(MAX_DIRECT_CLIENTS)
    expect(fleet.kept).toEqual([[{ address: 'host-0:7396', name: 'First' }, ...full.slice(1).map(unnamed)]])
  })

  it('comes after all clients that the page’s settings name', () => {
    const fleet = startFleet({
      defaultAddress: 'localhost:7400',
      otherDefaults: ['localhost:7400/clients/2', '10.0.0.9:7396'],
      addresses: [unnamed('a:7396')],
    })
    expect([...fleet.links.keys()]).toEqual([
      'ws://localhost:7400/api/websocket',
      'ws://localhost:7400/clients/2/api/websocket',
      'ws://10.0.0.9:7396/api/websocket',
      'ws://a:7396/api/websocket',
    ])
    expect(fleet.shown()).toEqual(['__direct__', '__direct__2', '__direct__3', '@a:7396'])
    expect(selectDefaultIds(fleet.actor.getSnapshot())).toEqual(['__direct__', '__direct__2', '__direct__3'])
    fleet.says('__direct__2', dataOf('b', 'b'))
    fleet.says('@a:7396', dataOf('b', 'b'))
    expect(fleet.shown()).toEqual(['__direct__', '__direct__2', '__direct__3'])
    expect(isConnectionShown('@a:7396')(fleet.actor.getSnapshot())).toBe(false)
    fleet.actor.send({ type: 'fleet.disconnect', id: '__direct__2' })
    expect(fleet.links.size).toBe(4)
  })
})

describe('the id of a machine', () => {
  const memberOf = (fleet: ReturnType<typeof startFleet>, machine: string, kept?: string) =>
    selectMemberId(machine, kept)(fleet.actor.getSnapshot())

  it('leads to it in whichever way it is connected', () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('b', 'b'))
    expect([memberOf(fleet, 'b'), memberOf(fleet, '__direct__'), memberOf(fleet, 'nobody')]).toEqual([
      '__direct__',
      '__direct__',
      undefined,
    ])
    fleet.list('b')
    fleet.says('b', dataOf('b', 'b'))
    expect(memberOf(fleet, 'b')).toBe('__direct__')
  })

  it('keeps the connection that was found while it works', () => {
    const fleet = startFleet()
    fleet.list('b')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', loginTime: 1, at: 1 })
    fleet.says('b', dataOf('b', 'b'))
    fleet.says('__direct__', dataOf('b', 'b'))
    expect(memberOf(fleet, 'b', 'b')).toBe('b')
    fleet.actor.send({ type: 'relay.lost', at: 2 })
    expect(memberOf(fleet, 'b', 'b')).toBe('__direct__')
  })

  it('does not leave a connection in whose settings something was typed', () => {
    const fleet = startFleet()
    fleet.list('b')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', loginTime: 1, at: 1 })
    fleet.says('b', dataOf('b', 'b'))
    fleet.says('__direct__', dataOf('b', 'b'))
    fleet.member('b').send({ type: 'client.openSettings' })
    const draft = fleet.member('b').getSnapshot().context.settings?.getSnapshot().context.draft
    draft?.send({ type: 'draft.edit', change: { groups: { '': { cpus: 1 } } } })
    fleet.actor.send({ type: 'relay.lost', at: 2 })
    expect(memberOf(fleet, 'b', 'b')).toBe('b')
  })
})

describe('telling all to finish', () => {
  const resting = (id: string, units: number): ClientData => ({
    ...dataOf(id, id),
    groups: { '': { config: { paused: true } } },
    units: Array.from({ length: units }, (_, at) => ({ id: `${id}-${at}`, pause_reason: 'Paused' })),
  })

  it('is possible while one of them holds units or folds, and leaves those alone that have nothing to finish', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    for (const id of ['a', 'b']) fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
    fleet.says('a', resting('a', 0))
    expect(whyNothingToFinish()(fleet.actor.getSnapshot())).toMatch(/^Nothing to finish/)
    fleet.says('b', resting('b', 1))
    expect(
      [undefined, ['a'], ['b']].map(ids => whyNothingToFinish(ids)(fleet.actor.getSnapshot()) === undefined),
    ).toEqual([true, false, true])
    fleet.actor.send({ type: 'fleet.setState', state: 'finish', ids: ['a', 'b'] })
    await settled()
    expect(fleet.sent()).toEqual({ a: [], b: ['fold'] })
  })
})

import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createActor, fromTransition } from 'xstate'
import { LOCAL_URL, dataOf, startFleet, unnamed } from '../../../../test/machines/fleet.ts'
import { addSummary, emptySummary } from '../../../folding/client/totals.ts'
import { shardedEntries } from '../../../folding/shared/sharded-map.ts'
import { idOfAddress } from './fleet.context.ts'
import { selectDirectDisconnected, selectTotals } from './fleet.selectors.ts'

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

  it('holds the clients of the account, and drops those that were removed elsewhere', () => {
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

  it('takes back the questions of settings whose client was removed', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    const received: unknown[] = []
    const dialogs = createActor(fromTransition((_: undefined, event) => void received.push(event), undefined)).start()
    vi.spyOn(fleet.actor.system, 'get').mockImplementation(name => (name === 'dialogs' ? dialogs : undefined))
    fleet.list('b', 'a')
    fleet.list('b')
    fleet.actor.send({ type: 'fleet.accountSignedOut' })
    expect(received).toEqual(['a', 'b'].map(id => ({ type: 'dialogs.withdraw', id: `client:${id}:settings` })))
  })

  describe('of a thousand clients', () => {
    const ids = Array.from({ length: 250 }, (_, index) => `m${index}`)
    const listed = () => {
      const fleet = startFleet({ defaultAddress: '', addresses: [] })
      fleet.list(...ids)
      return fleet
    }
    const joined = (id: string) => ({ type: 'relay.clientConnected', id, at: 1 }) as const

    it('spawns clients in parts, so that the page stays responsive', () => {
      const fleet = listed()
      expect(fleet.shown()).toHaveLength(100)
      fleet.clock.increment(0)
      expect(fleet.shown()).toHaveLength(200)
      fleet.clock.increment(0)
      expect(new Set(fleet.shown())).toEqual(new Set(ids))
      expect(fleet.actor.getSnapshot().context.listed).toEqual([])
    })

    it('spawns those of addresses in parts too, whoever signs in and out meanwhile', () => {
      const addresses = ids.map(id => ({ address: id, name: undefined }))
      const fleet = startFleet({ defaultAddress: '', addresses })
      expect(fleet.links.size).toBe(100)
      fleet.actor.send({ type: 'fleet.reportHistory' })
      fleet.list('a')
      fleet.actor.send({ type: 'fleet.accountSignedOut' })
      fleet.clock.increment(0)
      fleet.clock.increment(0)
      expect(fleet.shown()).toEqual(addresses.map(({ address }) => idOfAddress(address)))
      expect(fleet.links.size).toBe(250)
      expect(fleet.member(idOfAddress('m249')).getSnapshot().context.collects).toBe(true)
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
      expect(fleet.actor.getSnapshot().context.unlisted).toEqual([])
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

    it('spawns no more clients after signing out', () => {
      const fleet = listed()
      fleet.actor.send({ type: 'fleet.accountSignedOut' })
      fleet.clock.increment(0)
      expect(fleet.shown()).toEqual([])
    })
  })

  it('sends its clients nothing when it gets the same list again', () => {
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
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', at: 1 })
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

  it('asks for the account’s list when the relay names a client that it does not hold, and takes it up then [8.10]', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.actor.send({ type: 'relay.clientConnected', id: 'new', at: 1 })
    expect(fleet.received).toEqual([{ type: 'fleet.listOutdated' }])
    expect(fleet.links.size).toBe(0)
    fleet.list('new')
    expect([...fleet.links.keys()]).toEqual(['new'])
  })

  it('shows a client once when it is there directly and by the account', () => {
    const fleet = startFleet()
    fleet.list('mine', 'other')
    expect(fleet.shown()).toEqual(['__direct__', 'mine', 'other'])
    fleet.says('__direct__', dataOf('mine', 'Mine'))
    expect(fleet.shown()).toEqual(['__direct__', 'other'])
    fleet.actor.send({ type: 'relay.clientConnected', id: 'mine', at: 1 })
    fleet.says('mine', dataOf('mine', 'Mine'))
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 2, connected: 1, cpus: 4, ppd: 1000 })
  })

  it('adds clients by normalized address, stores them, and removes them', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [unnamed('192.168.0.9:7396')] })
    fleet.actor.send({ type: 'fleet.connect', address: ' Node2.LAN ' })
    fleet.actor.send({ type: 'fleet.connect', address: 'node2.lan:7396' })
    expect(fleet.saved.at(-1)).toEqual([unnamed('192.168.0.9:7396'), unnamed('node2.lan:7396')])
    expect([...fleet.links.keys()]).toEqual([
      'ws://192.168.0.9:7396/api/websocket',
      'ws://node2.lan:7396/api/websocket',
    ])
    fleet.actor.send({ type: 'fleet.disconnect', id: '@node2.lan:7396' })
    expect(fleet.saved.at(-1)).toEqual([unnamed('192.168.0.9:7396')])
    expect(fleet.shown()).toEqual(['@192.168.0.9:7396'])
  })

  it('checks direct sockets when the computer has slept, and leaves sessions to the relay', () => {
    const fleet = startFleet()
    fleet.list('a')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'a', at: 1 })
    const before = [LOCAL_URL, 'a'].map(id => fleet.links.get(id))
    fleet.actor.send({ type: 'fleet.check' })
    expect([LOCAL_URL, 'a'].map((id, index) => fleet.links.get(id) === before[index])).toEqual([false, true])
  })

  it('connects to nothing that is no address [4.10]', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    expect(fleet.shown()).toEqual([])
    expect(fleet.actor.getSnapshot().can({ type: 'fleet.connect', address: 'javascript:alert(1)' })).toBe(false)
  })

  it('holds exactly the clients that are listed and the addresses that were added, whatever happens', () => {
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
              fleet.actor.send({ type: 'relay.clientConnected', id: todo.id, at: 1 })
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

  it('fetches the account at most five times, with growing delays, for unknown clients', () => {
    const { actor, clock, received, list } = startFleet()
    const asks = () => received.filter(({ type }) => type === 'fleet.listOutdated').length
    const logins = (count: number) => {
      for (let at = 0; at < count; at++) actor.send({ type: 'relay.clientConnected', id: `stranger-${at}`, at: 1 })
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
    actor.send({ type: 'relay.clientConnected', id: 'another', at: 1 })
    expect(asks()).toBe(6)
    actor.send({ type: 'fleet.accountSignedOut' })
    clock.increment(600_000)
    expect(asks()).toBe(6)
  })

  it('reconnects all its clients when the page becomes visible, and tells direct ones whether it is', () => {
    const { actor, links, member } = startFleet()
    actor.send({ type: 'fleet.pageSeen', isHidden: true })
    expect(member('__direct__').getSnapshot().context.isPageHidden).toBe(true)
    actor.send({ type: 'fleet.pageSeen', isHidden: false })
    expect(member('__direct__').getSnapshot().context.isPageHidden).toBe(false)
    member('__direct__').send({ type: 'link.closed', at: 1, trouble: 'unreachable' })
    expect(links.size).toBe(0)
    actor.send({ type: 'fleet.retry' })
    expect(links.size).toBe(1)
  })
})

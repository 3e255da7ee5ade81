import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromCallback, fromPromise } from 'xstate'
import type { ClientData } from '../../../protocol/client-data.ts'
import { settled, startChild } from '../../../../test/child.ts'
import { totalOf } from '../../../folding/totals.ts'
import { allOnShelves } from '../../../folding/shelves.ts'
import type { LinkCommand, LinkTarget } from '../client/client.events.ts'
import { clientMachine } from '../client/client.machine.ts'
import { selectAskedState } from '../client/client.selectors.ts'
import { idOfAddress, type FleetInput } from './fleet.context.ts'
import { fleetMachine } from './fleet.machine.ts'
import { selectToRemember } from './fleet.memory.ts'
import { selectShownIds, selectTotals, whyNobodyObeys } from './fleet.selectors.ts'

const LOCAL_URL = 'ws://127.0.0.1:7396/api/websocket'

const idOf = (target: LinkTarget): string => (target.kind === 'session' ? target.client : target.url)

const dataOf = (id: string, name: string, version = '8.5.7'): ClientData => ({
  info: { version, id, mach_name: name, cpus: 8 },
  config: {},
  groups: { '': { config: { paused: false, cpus: 4 } } },
  units: [{ id: `${id}-1`, state: 'RUN', cpus: 4, ppd: 1000 }],
})

const startFleet = (input: FleetInput = { defaultAddress: '127.0.0.1:7396', addresses: [] }) => {
  const links = new Map<string, { commands: LinkCommand[] }>()
  const kept: (readonly string[])[] = []
  const client = clientMachine.provide({
    actors: {
      clientLink: fromCallback<LinkCommand, LinkTarget>(({ input: target, receive }) => {
        const link = { commands: [] as LinkCommand[] }
        links.set(idOf(target), link)
        receive(command => link.commands.push(command))
        return () => links.delete(idOf(target))
      }),
      readClock: fromPromise(() => Promise.resolve(1000)),
    },
  })
  const machine = fleetMachine.provide({ actors: { client }, actions: { keepAddresses: (_, addresses) => kept.push(addresses) } })
  const { actor, heard } = startChild(machine, input)
  const member = (id: string) => {
    const found = actor.getSnapshot().context.members[id]
    if (found === undefined) throw new Error(`There is no client ${id}.`)
    return found.ref
  }
  return {
    actor,
    links,
    kept,
    heard,
    member,
    says: (id: string, data: ClientData) =>
      member(id).send({ type: 'link.reported', at: 10, facts: [{ type: 'snapshot.received', data }] }),
    list: (...ids: string[]) =>
      actor.send({ type: 'fleet.machinesListed', account: 'me', machines: ids.map(id => ({ id, name: id.toUpperCase() })) }),
    told: () =>
      Object.fromEntries(
        [...links].map(([id, { commands }]) => [id, commands.flatMap(said => (said.type === 'link.send' && said.command.cmd === 'state' ? [said.command.state] : []))]),
      ),
    shown: () => selectShownIds('usual')(actor.getSnapshot()),
  }
}

describe('the fleet', () => {
  it('looks for the client on this computer from the start', () => {
    const fleet = startFleet()
    expect([...fleet.links.keys()]).toEqual(['ws://127.0.0.1:7396/api/websocket'])
    expect(fleet.shown()).toEqual(['__direct__'])
  })

  it('holds the machines of the account, and drops those that were removed elsewhere', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('b', 'a')
    expect(fleet.shown()).toEqual(['a', 'b'])
    fleet.list('b')
    expect(fleet.shown()).toEqual(['b'])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 1, connected: 0 })
    fleet.actor.send({ type: 'fleet.accountLeft' })
    expect(fleet.shown()).toEqual([])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 0 })
  })

  it('opens a session with each client that the relay has, and puts connected ones first', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', loginTime: 1, at: 1 })
    expect([...fleet.links.keys()]).toEqual(['b'])
    fleet.says('b', dataOf('b', 'B'))
    expect(fleet.shown()).toEqual(['b', 'a'])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 2, connected: 1, active: 1, cpus: 4, ppd: 1000 })
    fleet.actor.send({ type: 'relay.lost', at: 20 })
    expect([...fleet.links.keys()]).toEqual([])
    expect(selectTotals(fleet.actor.getSnapshot())).toMatchObject({ clients: 2, connected: 0, ppd: 0 })
  })

  it('asks for the account’s list when the relay names a client that it does not hold, and takes it up then', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.actor.send({ type: 'relay.clientConnected', id: 'new', loginTime: 1, at: 1 })
    expect(fleet.heard).toEqual([{ type: 'fleet.listIsOld' }])
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

  it('adds clients by address in one spelling, remembers them, and forgets them', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: ['192.168.0.9:7396'] })
    fleet.actor.send({ type: 'fleet.connect', address: ' Node2.LAN ' })
    fleet.actor.send({ type: 'fleet.connect', address: 'node2.lan:7396' })
    expect(fleet.kept.at(-1)).toEqual(['192.168.0.9:7396', 'node2.lan:7396'])
    expect([...fleet.links.keys()]).toEqual(['ws://192.168.0.9:7396/api/websocket', 'ws://node2.lan:7396/api/websocket'])
    fleet.actor.send({ type: 'fleet.forget', id: '@node2.lan:7396' })
    expect(fleet.kept.at(-1)).toEqual(['192.168.0.9:7396'])
    expect(fleet.shown()).toEqual(['@192.168.0.9:7396'])
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
    fleet.actor.send({ type: 'fleet.pause' })
    await settled()
    expect(fleet.heard.at(-1)).toEqual({ type: 'fleet.broadcastWanted', word: 'pause' })
    expect(fleet.told()).toEqual({ [LOCAL_URL]: ['pause'], a: [], b: [] })
    fleet.actor.send(outcome === 'sent' ? { type: 'fleet.broadcastSent', word: 'pause', at: 1000 } : { type: 'fleet.broadcastRefused', word: 'pause' })
    await settled()
    expect(fleet.told()).toEqual({ [LOCAL_URL]: ['pause'], a: outcome === 'sent' ? [] : ['pause'], b: outcome === 'sent' ? [] : ['pause'] })
    expect(['a', 'b'].map(id => selectAskedState('')(fleet.member(id).getSnapshot()))).toEqual(['pause', 'pause'])
  })

  it('leaves clients alone that are too old to be told anything, so it sends no broadcast where there is one', async () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('local', 'Local', '8.2.4'))
    expect(whyNobodyObeys(fleet.actor.getSnapshot())).toBe('The clients of all machines are too old to be controlled from here.')
    fleet.list('a', 'b', 'old')
    for (const id of ['a', 'b', 'old']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
      fleet.says(id, dataOf(id, id, id === 'old' ? '8.2.4' : '8.3.0'))
    }
    expect(whyNobodyObeys(fleet.actor.getSnapshot())).toBeUndefined()
    fleet.actor.send({ type: 'fleet.pause' })
    fleet.actor.send({ type: 'fleet.finish', ids: ['old'] })
    await settled()
    expect([fleet.told(), fleet.heard]).toEqual([{ [LOCAL_URL]: [], a: ['pause'], b: ['pause'], old: [] }, []])
  })

  it('speaks to a chosen few, or to a single one, without a broadcast', async () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.list('a', 'b')
    for (const id of ['a', 'b']) {
      fleet.actor.send({ type: 'relay.clientConnected', id, loginTime: 1, at: 1 })
      fleet.says(id, dataOf(id, id))
    }
    fleet.actor.send({ type: 'fleet.finish', ids: ['a'] })
    await settled()
    expect([fleet.told(), fleet.heard]).toEqual([{ a: ['finish'], b: [] }, []])
  })

  it('holds exactly the machines that are listed and the addresses that were added, whatever happens', () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({ act: fc.constant('list' as const), ids: fc.uniqueArray(id) }),
      fc.record({ act: fc.constantFrom('join' as const, 'leave' as const, 'say' as const), id }),
      fc.record({ act: fc.constantFrom('connect' as const, 'forget' as const), address: fc.constantFrom('node1', 'node2:80') }),
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
              fleet.actor.send({ type: 'fleet.forget', id: idOfAddress(todo.address) })
              added.delete(idOfAddress(todo.address))
              break
            case 'signOut':
              fleet.actor.send({ type: 'fleet.accountLeft' })
              listed = []
          }
        }
        const { members, reports, totals } = fleet.actor.getSnapshot().context
        expect(Object.keys(members).sort()).toEqual([...listed, ...added].sort())
        const all = [...allOnShelves(reports)]
        expect(all.map(([id]) => id).sort()).toEqual(Object.keys(members).sort())
        expect(totals).toEqual(totalOf(all.map(([, { summary }]) => summary)))
        expect([...fleet.shown()].sort()).toEqual(Object.keys(members).sort())
      }),
    )
  })
})

describe('the client on this computer', () => {
  const startLocal = (account: string | undefined, address = '127.0.0.1:7396') => {
    const fleet = startFleet({ defaultAddress: address, addresses: [] })
    const data = dataOf('local', 'Local')
    return { ...fleet, appear: () => fleet.says('__direct__', account === undefined ? data : { ...data, info: { ...data.info, account } }) }
  }

  it('is to be linked after a login when it belongs to nobody, as soon as it is seen, and once', () => {
    const fleet = startLocal('')
    fleet.list()
    fleet.actor.send({ type: 'fleet.linkOnSight' })
    expect(fleet.heard).toEqual([])
    fleet.appear()
    fleet.actor.send({ type: 'fleet.linkOnSight' })
    expect(fleet.heard).toEqual([
      { type: 'fleet.clientIsUnlinked', id: '__direct__', name: 'Local' },
      { type: 'fleet.clientIsUnlinked', id: '__direct__', name: 'Local' },
    ])
    fleet.appear()
    expect(fleet.heard).toHaveLength(2)
  })

  it.each([
    ['it is linked to this account already', 'me', '127.0.0.1:7396'],
    ['it does not say whose it is', undefined, '127.0.0.1:7396'],
    ['its address is another computer', '', '192.168.0.9:7396'],
  ])('stays as it is when %s', (_, account, address) => {
    const fleet = startLocal(account, address)
    fleet.list()
    fleet.appear()
    fleet.actor.send({ type: 'fleet.linkOnSight' })
    expect(fleet.heard).toEqual([])
  })

  it('tells whom it folds for, when that changes', () => {
    const fleet = startFleet()
    const say = (team: number) => fleet.says('__direct__', { ...dataOf('local', 'Local'), config: { team } })
    for (const team of [7, 7, 8]) say(team)
    const donor = { user: '', team: 7, secrets: { passkey: '' } }
    expect(fleet.heard).toEqual([
      { type: 'fleet.localDonorLearned', donor },
      { type: 'fleet.localDonorLearned', donor: { ...donor, team: 8 } },
    ])
  })

  it('that belongs to another account is asked about', () => {
    const fleet = startLocal('somebody else')
    fleet.list()
    fleet.appear()
    fleet.actor.send({ type: 'fleet.linkOnSight' })
    expect(fleet.heard).toEqual([{ type: 'fleet.clientIsForeign', id: '__direct__', name: 'Local' }])
  })

  it('is not linked to an account that was left meanwhile', () => {
    const fleet = startLocal('')
    fleet.list()
    fleet.actor.send({ type: 'fleet.linkOnSight' })
    fleet.actor.send({ type: 'fleet.accountLeft' })
    fleet.appear()
    fleet.list()
    expect(fleet.heard).toEqual([])
  })

  it('gets the token, which is kept nowhere', () => {
    const fleet = startLocal('')
    fleet.appear()
    fleet.actor.send({ type: 'fleet.link', id: '__direct__', name: 'attic', secrets: { token: 'the token' } })
    expect(fleet.links.get(LOCAL_URL)?.commands).toEqual([{ type: 'link.bind', name: 'attic', secrets: { token: 'the token' } }])
    expect(JSON.stringify(fleet.member('__direct__').getPersistedSnapshot())).not.toContain('the token')
  })

  it('gets no name that would cost it its connection', () => {
    const fleet = startLocal('')
    fleet.appear()
    fleet.actor.send({ type: 'fleet.link', id: '__direct__', name: '<attic>', secrets: { token: 'the token' } })
    expect(fleet.links.get(LOCAL_URL)?.commands).toEqual([])
  })
})

describe('the machines of the last visit', () => {
  const remembered = (id: string, kind: 'direct' | 'relay') => ({ id, kind, name: kind === 'relay' ? id.toUpperCase() : undefined, at: 5000, data: dataOf(id, id) })

  it('are there at once, out of reach and as old as they are, and count for nothing', () => {
    const fleet = startFleet()
    fleet.actor.send({ type: 'fleet.recalled', machines: [remembered('__direct__', 'direct'), remembered('b', 'relay')] })
    expect(fleet.shown()).toEqual(['__direct__', 'b'])
    const { context } = fleet.member('b').getSnapshot()
    expect([context.record.data, context.heardAt, context.lostAt, context.connectedAt]).toEqual([dataOf('b', 'b'), 5000, 5000, undefined])
    const { clients, connected, active, ppd } = selectTotals(fleet.actor.getSnapshot())
    expect({ clients, connected, active, ppd }).toEqual({ clients: 2, connected: 0, active: 0, ppd: 0 })
  })

  it('become what they are when they are reached', () => {
    const fleet = startFleet()
    fleet.actor.send({ type: 'fleet.recalled', machines: [remembered('__direct__', 'direct')] })
    fleet.says('__direct__', dataOf('x', 'renamed'))
    const { context } = fleet.member('__direct__').getSnapshot()
    expect([context.record.data?.info.mach_name, context.lostAt, context.connectedAt]).toEqual(['renamed', undefined, 10])
  })

  it('do not take the place of what a machine has said already', () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('x', 'new'))
    fleet.actor.send({ type: 'fleet.recalled', machines: [remembered('__direct__', 'direct')] })
    expect(fleet.member('__direct__').getSnapshot().context.record.data?.info.mach_name).toBe('new')
  })

  it('stay if the account lists them, and go if it does not', () => {
    const fleet = startFleet({ defaultAddress: '', addresses: [] })
    fleet.actor.send({ type: 'fleet.recalled', machines: [remembered('b', 'relay'), remembered('c', 'relay')] })
    fleet.list('c', 'd')
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['c', 'd'])
    expect(fleet.member('c').getSnapshot().context.record.data).toEqual(dataOf('c', 'c'))
  })

  it('go when nobody is signed in, and do not come after that', () => {
    const fleet = startFleet()
    fleet.actor.send({ type: 'fleet.recalled', machines: [remembered('b', 'relay')] })
    fleet.actor.send({ type: 'fleet.accountLeft' })
    fleet.actor.send({ type: 'fleet.recalled', machines: [remembered('__direct__', 'direct'), remembered('b', 'relay')] })
    expect(Object.keys(fleet.actor.getSnapshot().context.members)).toEqual(['__direct__'])
    expect(fleet.member('__direct__').getSnapshot().context.heardAt).toBe(5000)
  })

  it('are remembered without secrets, logs and molecules', () => {
    const fleet = startFleet()
    fleet.says('__direct__', { ...dataOf('x', 'desk'), config: { user: 'Ada', passkey: '8c0ffee0badc0de5feedface00112233' } })
    const [known] = selectToRemember(fleet.actor.getSnapshot())
    expect(known).toEqual({ id: '__direct__', kind: 'direct', name: undefined, at: 10, data: { ...dataOf('x', 'desk'), config: { user: 'Ada' } } })
    expect(selectToRemember(fleet.actor.getSnapshot())[0]?.data).toBe(known?.data)
  })
})

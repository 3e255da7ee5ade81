import { describe, expect, it } from 'vitest'
import { dataOf, startFleet, unnamed } from '../../../../test/machines/fleet.ts'
import { idOfAddress } from './fleet.context.ts'
import {
  selectClientOfUnit,
  selectMemberId,
  selectOtherConnections,
  selectReport,
  selectTotals,
} from './fleet.selectors.ts'

describe('one client under several addresses', () => {
  const addresses = ['127.0.0.1:7396', 'localhost:7396', '10.0.0.7:7396']
  const ids = addresses.map(idOfAddress)
  const startSeveral = () => startFleet({ defaultAddress: 'localhost:7400', addresses: addresses.map(unnamed) })
  const totals = (fleet: ReturnType<typeof startFleet>) => {
    const { clients, connected, cpus, ppd } = selectTotals(fleet.actor.getSnapshot())
    return [clients, connected, cpus, ppd]
  }

  it('is one client as soon as it has said who it is', () => {
    const fleet = startSeveral()
    fleet.list('b')
    expect(fleet.shown()).toHaveLength(5)
    for (const id of [...ids, '__direct__', 'b']) fleet.says(id, dataOf('b', 'b'))
    expect({ shown: fleet.shown(), totals: totals(fleet) }).toEqual({ shown: ['__direct__'], totals: [1, 1, 4, 1000] })
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
    expect(fleet.shown()).toEqual(['__direct__', '@10.0.0.7:7396'])
    expect(totals(fleet)).toEqual([2, 2, 8, 2000])
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

  it('is found by the id of a connection that is lost, and by a unit on the connection that is shown [2.8]', () => {
    const fleet = startSeveral()
    for (const id of ids) fleet.says(id, dataOf('b', 'b'))
    fleet.member('@127.0.0.1:7396').send({ type: 'link.closed', at: 20, trouble: 'closed' })
    const snapshot = fleet.actor.getSnapshot()
    expect(selectMemberId('@127.0.0.1:7396')(snapshot)).toBe('@localhost:7396')
    expect(selectMemberId('@10.0.0.7:7396')(snapshot)).toBe('@10.0.0.7:7396')
    expect(selectClientOfUnit('b-1')(snapshot)?.getSnapshot().context.id).toBe('@localhost:7396')
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
    expect(fleet.saved.at(-1)).toEqual(['127.0.0.1:7396', 'localhost:7396'].map(unnamed))
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
    expect({ shown: fleet.shown(), totals: totals(fleet) }).toEqual({ shown: ['__direct__'], totals: [1, 0, 0, 0] })
    fleet.says('@localhost:7396', dataOf('b', 'b'))
    expect(fleet.shown()).toEqual(['@localhost:7396'])
    expect(totals(fleet)).toEqual([1, 1, 4, 1000])
  })
})

describe('a client that is no longer shown', () => {
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

describe('a client that is connected directly', () => {
  const startRelayed = (...ids: string[]) => {
    const fleet = startFleet({ defaultAddress: '127.0.0.1:7396', addresses: [unnamed('10.0.0.7:7396')] })
    fleet.list(...ids)
    for (const id of ids) fleet.actor.send({ type: 'relay.clientConnected', id, at: 1 })
    return fleet
  }
  const sessions = (fleet: ReturnType<typeof startFleet>) => [...fleet.links.keys()].filter(key => !key.includes(':'))

  it('has no session through the relay until it is connected only there', () => {
    const fleet = startRelayed('b', 'c')
    for (const id of ['b', 'c']) fleet.says(id, dataOf(id, id))
    expect(sessions(fleet)).toEqual(['b', 'c'])
    fleet.says('__direct__', dataOf('b', 'b'))
    fleet.says('@10.0.0.7:7396', dataOf('b', 'b'))
    expect({ sessions: sessions(fleet), shown: fleet.shown() }).toEqual({ sessions: ['c'], shown: ['__direct__', 'c'] })
    fleet.member('__direct__').send({ type: 'link.closed', at: 20, trouble: 'closed' })
    expect(sessions(fleet)).toEqual(['c'])
    fleet.member('@10.0.0.7:7396').send({ type: 'link.closed', at: 20, trouble: 'closed' })
    expect(sessions(fleet)).toEqual(['c', 'b'])
  })

  it('has one until its first data when the account lists it later, and again when the direct client is removed', () => {
    const fleet = startRelayed()
    for (const id of ['__direct__', '@10.0.0.7:7396']) fleet.says(id, dataOf('b', 'b'))
    fleet.list('b')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', at: 1 })
    expect(sessions(fleet)).toEqual(['b'])
    fleet.says('b', dataOf('b', 'b'))
    expect(sessions(fleet)).toEqual([])
    fleet.says('__direct__', dataOf('x', 'x'))
    expect(sessions(fleet)).toEqual([])
    fleet.actor.send({ type: 'fleet.disconnect', id: '@10.0.0.7:7396' })
    expect(sessions(fleet)).toEqual(['b'])
  })

  it('keeps its session where another process answers directly, which may run on a copy of its disk', () => {
    const fleet = startRelayed('b')
    const process = (pid: number) => {
      const data = dataOf('b', 'b')
      return { ...data, info: { ...data.info, hostname: 'lab', pid } }
    }
    fleet.says('b', process(1))
    fleet.says('__direct__', process(2))
    expect(sessions(fleet)).toEqual(['b'])
    fleet.says('__direct__', process(1))
    expect(sessions(fleet)).toEqual([])
  })
})

describe('the id of a client', () => {
  const memberOf = (fleet: ReturnType<typeof startFleet>, client: string, previousId?: string) =>
    selectMemberId(client, previousId)(fleet.actor.getSnapshot())

  it('leads to it in whichever way it is connected', () => {
    const fleet = startFleet()
    fleet.says('__direct__', dataOf('b', 'b'))
    expect(memberOf(fleet, 'b')).toBe('__direct__')
    expect(memberOf(fleet, '__direct__')).toBe('__direct__')
    expect(memberOf(fleet, 'nobody')).toBeUndefined()
    fleet.list('b')
    fleet.says('b', dataOf('b', 'b'))
    expect(memberOf(fleet, 'b')).toBe('__direct__')
  })

  it('keeps the connection that was found while it works', () => {
    const fleet = startFleet({ defaultAddress: '127.0.0.1:7396', addresses: [unnamed('10.0.0.7:7396')] })
    for (const id of ['@10.0.0.7:7396', '__direct__']) fleet.says(id, dataOf('b', 'b'))
    expect(memberOf(fleet, 'b', '@10.0.0.7:7396')).toBe('@10.0.0.7:7396')
    fleet.member('@10.0.0.7:7396').send({ type: 'link.closed', at: 2, trouble: 'closed' })
    expect(memberOf(fleet, 'b', '@10.0.0.7:7396')).toBe('__direct__')
  })

  it('does not leave a connection in whose settings something was typed', () => {
    const fleet = startFleet()
    fleet.list('b')
    fleet.actor.send({ type: 'relay.clientConnected', id: 'b', at: 1 })
    fleet.says('b', dataOf('b', 'b'))
    fleet.says('__direct__', dataOf('b', 'b'))
    fleet.member('b').send({ type: 'client.openSettings' })
    const draft = fleet.member('b').getSnapshot().context.settings?.getSnapshot().context.draft
    draft?.send({ type: 'draft.edit', change: { groups: { '': { cpus: 1 } } } })
    fleet.actor.send({ type: 'relay.lost', at: 2 })
    expect(memberOf(fleet, 'b', 'b')).toBe('b')
  })
})

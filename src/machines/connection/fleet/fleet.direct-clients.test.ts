import { describe, expect, it } from 'vitest'
import { dataOf, startFleet, unnamed } from '../../../../test/machines/fleet.ts'
import { MAX_DIRECT_CLIENTS } from '../../../folding/client/direct-clients.ts'
import { isConnectionShown, selectDefaultIds, selectReport } from './fleet.selectors.ts'

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
    expect(fleet.saved.at(-1)).toEqual([
      { address: 'a:7396', name: 'Cellar' },
      { address: 'b:7396', name: 'Attic' },
    ])
  })

  it('gives the clients their order, which the user changes', () => {
    const fleet = start('c:7396', 'a:7396', 'b:7396')
    fleet.says('@b:7396', dataOf('b', 'b'))
    expect(fleet.shown()).toEqual(['@c:7396', '@a:7396', '@b:7396'])
    fleet.actor.send({ type: 'fleet.moveClient', address: 'b:7396', by: -2 })
    expect(fleet.shown()).toEqual(['@b:7396', '@c:7396', '@a:7396'])
    expect(fleet.saved.at(-1)).toEqual(['b:7396', 'c:7396', 'a:7396'].map(unnamed))
    fleet.actor.send({ type: 'fleet.disconnect', id: '@b:7396' })
    expect(fleet.shown()).toEqual(['@c:7396', '@a:7396'])
  })

  it('is as another tab has changed it, which has stored it', () => {
    const fleet = start('a:7396', 'b:7396')
    const known = fleet.links.get('ws://b:7396/api/websocket')
    fleet.actor.send({
      type: 'fleet.addressesChanged',
      clients: [{ address: 'c:7396', name: 'Attic' }, unnamed('b:7396')],
    })
    expect([...fleet.links.keys()]).toEqual(['ws://b:7396/api/websocket', 'ws://c:7396/api/websocket'])
    expect(fleet.links.get('ws://b:7396/api/websocket')).toBe(known)
    expect(fleet.shown()).toEqual(['@c:7396', '@b:7396'])
    expect(selectReport('@c:7396')(fleet.actor.getSnapshot())?.name).toBe('Attic')
    expect(fleet.saved).toEqual([])
  })

  it('is limited, and reports which client did not fit', () => {
    const full = Array.from({ length: MAX_DIRECT_CLIENTS }, (_, at) => `host-${at}:7396`)
    const fleet = start(...full)
    fleet.actor.send({ type: 'fleet.connect', address: 'one-more' })
    fleet.actor.send({ type: 'fleet.connect', address: 'HOST-0', name: 'First' })
    expect(fleet.received).toContainEqual({ type: 'fleet.clientRefused', address: 'one-more:7396' })
    expect(fleet.links.size).toBe(MAX_DIRECT_CLIENTS)
    expect(fleet.saved).toEqual([[{ address: 'host-0:7396', name: 'First' }, ...full.slice(1).map(unnamed)]])
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

// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientFacts } from '../../folding/fleet/client-facts.ts'
import { DIRECT_ID } from '../../folding/client/client.ts'
import { renderScreen, startTestSystem, type TestSystem } from '../../../test/ui/test-system.tsx'
import { fleetFactsOf, useFleetFacts } from './use-fleet-facts.ts'

function data(eta: string) {
  return {
    info: { id: 'own-id', version: '8.5.7' },
    config: {},
    groups: { '': { config: { cpus: 4 } } },
    units: [{ id: 'u', state: 'RUN', ppd: 10, eta }],
  }
}

let testSystem: TestSystem
let renders: (readonly ClientFacts[])[]

function Reader({ ids }: { ids: readonly string[] }) {
  const facts = useFleetFacts(ids)
  renders.push(facts)
  return <output>{facts.map(({ name, state }) => `${name} ${state}`).join()}</output>
}

const ids = [DIRECT_ID, 'gone']
function tick(milliseconds = 1000) {
  act(() => testSystem.advance(milliseconds))
}
function settle() {
  return act(() => Promise.resolve())
}
function shown() {
  return screen.getByRole('status').textContent
}

afterEach(cleanup)
beforeEach(() => {
  testSystem = startTestSystem()
  renders = []
  renderScreen(testSystem, <Reader ids={ids} />)
})

describe('the facts of a fleet', () => {
  it('follow its clients at once, without the clock, and leave out those that are not there', async () => {
    expect(shown()).toMatch(/loading$/)
    testSystem.receiveSnapshot(data('1h 0m'))
    await settle()
    expect(shown()).toMatch(/folding$/)
    testSystem.disconnect()
    await settle()
    expect(shown()).toMatch(/disconnected$/)
  })

  it('render once for all changes of one task', async () => {
    const before = renders.length
    testSystem.receiveSnapshot(data('1h 0m'))
    testSystem.receiveChanges(['units', 0, 'ppd', 20])
    testSystem.advance(1000)
    await settle()
    expect(renders.length).toBe(before + 1)
  })

  it('render nothing again while nothing changed', async () => {
    testSystem.receiveSnapshot(data('1h 0m'))
    await settle()
    const before = renders.length
    tick()
    tick(20_000)
    await settle()
    expect(renders.length).toBe(before)
  })
})

describe('the facts of hundreds of clients', () => {
  const clients = Array.from({ length: 300 }, (_, index) => ({ id: `id${index}`, name: `Machine ${index}` }))
  const all = clients.map(({ id }) => id)
  const list = (some: typeof clients): void => {
    testSystem.system.fleet.send({ type: 'fleet.machinesListed', account: 'account', machines: some })
    // They join a hundred at a time.
    act(() => testSystem.advance(1000))
  }
  const send = (id: string, eta: string): void => {
    const { fleet } = testSystem.system
    const at = testSystem.system.clock.getSnapshot().context.now
    const client = fleet.getSnapshot().context.members[id]?.ref
    client?.send({ type: 'client.joined' })
    client?.send({ type: 'link.reported', at, facts: [{ type: 'snapshot.received', data: data(eta) }] })
  }
  const finishOf = (facts: readonly ClientFacts[], id: string): number | undefined =>
    facts.find(client => client.id === id)?.nextFinish

  it('are updated where one reports something, and stay the same objects for the others', () => {
    const store = fleetFactsOf(testSystem.system)
    list(clients)
    const before = store.read(all)
    expect(before.map(({ name }) => name)).toEqual(clients.map(({ name }) => name))
    send('id7', '2h 0m')
    const after = store.read(all)
    expect(after[7]?.state).toBe('folding')
    expect(after.filter((client, index) => client !== before[index]).map(({ id }) => id)).toEqual(['id7'])
    // Another list of some of them has the same objects.
    expect(store.read(['id7', 'id8'])).toEqual([after[7], after[8]])
    expect(store.read(['id7', 'id8'])[0]).toBe(after[7])
  })

  it('follow the progress of all of them, which is no report, with the next tick', () => {
    const store = fleetFactsOf(testSystem.system)
    list(clients)
    for (const id of all) send(id, '2h 0m')
    tick()
    const before = all.map(id => finishOf(store.read(all), id) ?? 0)
    for (const id of all) send(id, '1h 0m')
    tick()
    const after = store.read(all)
    expect(all.filter((id, index) => (finishOf(after, id) ?? Infinity) >= (before[index] ?? 0))).toEqual([])
  })

  it('leave out a client that left, and have one that joined at once', () => {
    const store = fleetFactsOf(testSystem.system)
    list(clients.slice(1))
    expect(store.read(all)).toHaveLength(299)
    list([...clients.slice(0, 5), ...clients.slice(6)])
    tick()
    const ids = store.read(all).map(({ id }) => id)
    expect(ids.length).toBe(299)
    expect(ids.includes('id0')).toBe(true)
    expect(ids.includes('id5')).toBe(false)
  })

  it('have a new tag at once', () => {
    const store = fleetFactsOf(testSystem.system)
    list(clients)
    store.read(all)
    act(() => testSystem.system.tags.send({ type: 'tags.add', tag: 'attic', machines: ['id299'] }))
    expect(store.read(all)[299]?.tags).toEqual(['attic'])
  })
})

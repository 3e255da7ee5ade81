import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientData } from '../../protocol/client/client-data.ts'
import { defaultAttention } from '../../machines/incidents/incidents/incidents.machine.ts'
import type { WatchFact } from '../../machines/incidents/incidents/incidents.events.ts'
import { startWatching, type WatchedClient } from './watcher.ts'

const START = Date.UTC(2026, 10, 20, 12)

function dataWith(failed?: string): ClientData {
  return {
    info: { version: '8.5.7', cpus: 8 },
    config: {},
    groups: { '': { config: { paused: failed !== undefined, cpus: 4 }, ...(failed === undefined ? {} : { failed }) } },
    units: [],
  }
}

function clientOf(id: string, data: ClientData): WatchedClient {
  return {
    machine: id,
    name: id,
    owner: undefined,
    isRestored: false,
    view: { id, isDirect: false, name: id, isConnected: true, data, lastConnected: START },
    connectedAt: START,
    lostAt: undefined,
    isNetworkUp: true,
  }
}

/** `cost`: milliseconds that looking at a client takes. */
function start(clients: () => readonly WatchedClient[], cost = 0) {
  const facts: WatchFact[] = []
  const writes: (readonly string[])[] = []
  let spent = 0
  const watcher = startWatching(
    {
      readClients: clients,
      readSurroundings: () => {
        spent += cost
        return { latestVersion: '8.5.7', account: undefined }
      },
      earlierTpfs: () => [],
      readMemories: () => Promise.resolve(new Map()),
      writeMemories: memories => {
        if (memories.size > 0) writes.push([...memories.keys()])
        return Promise.resolve()
      },
      now: () => Date.now(),
      elapsed: () => spent,
    },
    { preferences: defaultAttention, machines: [] },
    fact => facts.push(fact),
  )
  return {
    watcher,
    facts,
    writes,
    spend: () => spent++,
    observed: () =>
      facts.flatMap(fact =>
        fact.type === 'watch.observed'
          ? fact.observations.map(({ machine: client, present, gone }) => [
              client,
              present.map(({ kind }) => kind).filter(kind => kind === 'stopped'),
              gone.filter(key => key.startsWith('stopped')),
            ])
          : [],
      ),
  }
}

const FAILED = 'Paused due too many failed Work Units.'

describe('the watch of clients', () => {
  beforeEach(() => void vi.useFakeTimers({ now: START }))
  afterEach(() => void vi.useRealTimers())

  it('reports what begins and what ends, once', async () => {
    let data = dataWith(FAILED)
    const { watcher, observed } = start(() => [clientOf('a', data)])
    await vi.advanceTimersByTimeAsync(30_000)
    expect(observed()).toEqual([['a', ['stopped'], []]])
    data = dataWith()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(observed().slice(1)).toEqual([['a', [], ['stopped ']]])
    watcher.stop()
  })

  it('goes on when the clock is set back by hours', async () => {
    let isConnected = true
    const { watcher, facts } = start(() => {
      const client = clientOf('a', dataWith())
      return [{ ...client, view: { ...client.view, isConnected }, lostAt: isConnected ? undefined : START }]
    })
    await vi.advanceTimersByTimeAsync(5 * 60_000)
    isConnected = false
    vi.setSystemTime(START - 2 * 3_600_000)
    facts.length = 0
    await vi.advanceTimersByTimeAsync(15 * 60_000)
    const kinds = facts.flatMap(fact =>
      fact.type === 'watch.observed' ? fact.observations.flatMap(({ present }) => present.map(({ kind }) => kind)) : [],
    )
    expect(kinds).toContain('unreachable')
    expect(facts.filter(({ type }) => type === 'watch.ticked').length).toBeGreaterThan(10)
    watcher.stop()
  })

  it('spreads the work, and has each client’s turn come', async () => {
    const clients = Array.from({ length: 60 }, (_, index) => clientOf(`m${index}`, dataWith(FAILED)))
    const { watcher, observed, facts } = start(() => clients, 1)
    await vi.advanceTimersByTimeAsync(0)
    expect(observed()).toHaveLength(7)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(new Set(observed().map(([client]) => client)).size).toBe(60)
    watcher.stop()
    const count = facts.length
    await vi.advanceTimersByTimeAsync(120_000)
    expect(facts).toHaveLength(count)
  })

  it('evaluates as many in a step where finding those that are due takes long', async () => {
    let spend = (): unknown => undefined
    const clients = Array.from({ length: 60 }, (_, index) => ({
      ...clientOf(`m${index}`, dataWith(FAILED)),
      get owner() {
        spend()
        return undefined
      },
    }))
    const { watcher, observed, spend: spendOne } = start(() => clients)
    spend = spendOne
    await vi.advanceTimersByTimeAsync(0)
    expect(observed()).toHaveLength(7)
    watcher.stop()
  })

  it('writes what it remembers of many clients a part at a time', async () => {
    const clients = Array.from({ length: 600 }, (_, index) => clientOf(`m${index}`, dataWith()))
    const { watcher, writes } = start(() => clients)
    await vi.advanceTimersByTimeAsync(65_000)
    expect(writes.map(({ length }) => length)).toEqual([250, 250, 100])
    expect(new Set(writes.flat()).size).toBe(600)
    watcher.stop()
  })

  it('reports clients that left, and forgets those of another account', async () => {
    let clients = [clientOf('a', dataWith(FAILED)), { ...clientOf('b', dataWith(FAILED)), owner: 'me' }]
    const { watcher, facts, observed } = start(() => clients)
    await vi.advanceTimersByTimeAsync(5000)
    clients = clients.slice(1)
    await vi.advanceTimersByTimeAsync(70_000)
    expect(facts.find(({ type }) => type === 'watch.machinesLeft')).toMatchObject({ machines: ['a'] })
    const before = observed().length
    watcher.accept({ type: 'watch.forgetOthers', account: undefined })
    await vi.advanceTimersByTimeAsync(5000)
    expect(observed().slice(before)).toEqual([['b', ['stopped'], []]])
    watcher.stop()
  })

  it('looks again at once when the rules change', async () => {
    const { watcher, observed } = start(() => [clientOf('a', dataWith(FAILED))])
    await vi.advanceTimersByTimeAsync(5000)
    watcher.accept({ type: 'watch.configure', preferences: { ...defaultAttention, disabled: ['stopped'] } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(observed().at(-1)).toEqual(['a', [], ['stopped ']])
    watcher.stop()
  })
})

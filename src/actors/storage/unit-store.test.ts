import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import type { ArchivedClient } from '../../folding/unit/archived-client.ts'
import { emptyHistory, newInReport, type Excerpt } from '../../folding/unit/history.ts'
import type { HistoryStoreCommand, HistoryStoreFact } from '../../machines/units/history/history.events.ts'
import type { Unit } from '../../protocol/client/client-data.ts'
import { serverHistory, type ServerHistory } from '../server/server-history.ts'
import { openUnitDatabase, unitStoreActor, type LastingStorage, type UnitDatabase } from './unit-store.ts'

const NAME = 'units-of-a-test'

function ended(id: string, at = 0): Unit {
  return {
    id,
    number: 1,
    result: 'credited',
    end_time: new Date(at).toISOString(),
  }
}
const attic: ArchivedClient = { id: 'attic', name: 'Attic', owner: undefined, info: { os: 'linux' } }
const cellar: ArchivedClient = { ...attic, id: 'cellar', name: 'Cellar', owner: 'ada' }
function excerptOf(client: ArchivedClient, ...units: readonly Unit[]): Excerpt {
  return newInReport(emptyHistory, client, units)
}

function startUnitStore(
  open: () => Promise<UnitDatabase | undefined> = () => openUnitDatabase(NAME),
  most?: number,
  server?: ServerHistory,
  lasting?: LastingStorage,
) {
  const facts: HistoryStoreFact[] = []
  const parent = createActor(
    createMachine({
      invoke: { src: unitStoreActor(open, most, server, lasting), id: 'historyStore' },
      on: { '*': { actions: ({ event }) => facts.push(event as HistoryStoreFact) } },
    }),
  ).start()
  const send = (command: HistoryStoreCommand): void => parent.getSnapshot().children['historyStore']?.send(command)
  return {
    facts,
    send,
    load: async (): Promise<Extract<HistoryStoreFact, { type: 'store.loaded' }>> => {
      const factCount = facts.length
      send({ type: 'store.load' })
      return vi.waitFor(() => {
        const fact = facts.slice(factCount).find(one => one.type === 'store.loaded')
        if (fact === undefined) throw new Error('Nothing is loaded yet.')
        return fact
      }, 20_000)
    },
    stop: () => parent.stop(),
  }
}

function keysOf({ excerpt }: { excerpt: Excerpt }) {
  return [excerpt.machines.map(({ id }) => id), excerpt.units.map(({ key }) => key)]
}

describe('stored units', () => {
  let unitStore: ReturnType<typeof startUnitStore>
  beforeEach(() => {
    unitStore = startUnitStore()
  })
  afterEach(async () => {
    await unitStore.load()
    unitStore.stop()
    await deleteDB(NAME)
  })

  it('are restored on the next visit, each unit once', async () => {
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a'), ended('b')) })
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('b'), ended('c')) })
    const next = startUnitStore()
    await unitStore.load()
    const loaded = await next.load()
    expect(keysOf(loaded)).toEqual([['attic'], ['attic a', 'attic b', 'attic c']])
    expect(loaded.excerpt.machines).toEqual([attic])
    next.stop()
  })

  it('are gone when cleared, despite pending writes, and the cut-off stays known', async () => {
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    unitStore.send({ type: 'store.clear', cutOffs: { direct: 7 } })
    expect(await unitStore.load()).toEqual({
      type: 'store.loaded',
      excerpt: { machines: [], units: [] },
      cutOffs: { direct: 7 },
    })
  })

  it('that an import brought are taken back, and others of the same blocks stay', async () => {
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a'), ended('b')) })
    unitStore.send({ type: 'store.save', excerpt: excerptOf(cellar, ended('a')) })
    const { units } = excerptOf(attic, ended('b'))
    const imported = excerptOf(cellar, ended('a'))
    unitStore.send({
      type: 'store.remove',
      excerpt: { machines: imported.machines, units: [...units, ...imported.units] },
    })
    expect(keysOf(await unitStore.load())).toEqual([['attic'], ['attic a']])
  })

  it('belong to no account but this one', async () => {
    const bob: ArchivedClient = { ...cellar, id: 'cell', owner: 'bob' }
    for (const client of [attic, cellar, bob])
      unitStore.send({ type: 'store.save', excerpt: excerptOf(client, ended('a')) })
    unitStore.send({ type: 'store.deleteOthers', account: 'ada' })
    expect(keysOf(await unitStore.load())).toEqual([
      ['attic', 'cellar'],
      ['attic a', 'cellar a'],
    ])
    unitStore.send({ type: 'store.clear', cutOffs: { direct: 1, account: 2 } })
    unitStore.send({ type: 'store.deleteOthers', account: undefined })
    expect((await unitStore.load()).cutOffs).toEqual({ direct: 1 })
  })

  it('are limited to the newest ones', async () => {
    unitStore.send({
      type: 'store.save',
      excerpt: excerptOf(attic, ...['a', 'b', 'c', 'd', 'e'].map((id, second) => ended(id, second * 1000))),
    })
    await unitStore.load()
    const narrow = startUnitStore(() => openUnitDatabase(NAME), 3)
    expect(keysOf(await narrow.load())).toEqual([['attic'], ['attic c', 'attic d', 'attic e']])
    expect(keysOf(await unitStore.load())).toEqual([['attic'], ['attic c', 'attic d', 'attic e']])
    narrow.stop()
  })
})

describe('blocks of units', () => {
  const many = (count: number, from = 0): readonly Unit[] =>
    Array.from({ length: count }, (_, at) => ended(`u${from + at}`, (from + at) * 1000))
  const records = async (): Promise<readonly number[]> => {
    const database = await openUnitDatabase(NAME)
    const values = (await database?.getAll('units')) ?? []
    database?.close()
    return values.map(value => [value].flat().length)
  }

  const keysOfBlocks = async (): Promise<readonly unknown[]> => {
    const database = await openUnitDatabase(NAME)
    const keys = await database?.getAllKeys('units')
    database?.close()
    return keys ?? []
  }

  let idle: (() => void)[]
  let pageWindow: EventTarget
  beforeEach(() => {
    idle = []
    pageWindow = new EventTarget()
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
    vi.stubGlobal('addEventListener', pageWindow.addEventListener.bind(pageWindow))
    vi.stubGlobal('removeEventListener', pageWindow.removeEventListener.bind(pageWindow))
  })
  afterEach(async () => {
    vi.unstubAllGlobals()
    await deleteDB(NAME)
  })

  it('are written one by one when the browser is idle, and all when the page is left', async () => {
    const unitStore = startUnitStore()
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ...many(1100)) })
    await vi.waitFor(() => expect(idle).toHaveLength(1), 20_000)
    expect(await records()).toEqual([250])
    idle.shift()?.()
    await vi.waitFor(() => expect(idle).toHaveLength(1), 20_000)
    expect(await records()).toEqual([250, 250])
    pageWindow.dispatchEvent(new Event('pagehide'))
    await vi.waitFor(async () => expect((await records()).toSorted()).toEqual([100, 250, 250, 250, 250]), 20_000)
    expect((await unitStore.load()).excerpt.units).toHaveLength(1100)
    unitStore.stop()
  })

  it('are written also where the browser has no idle callbacks', async () => {
    vi.stubGlobal('requestIdleCallback', undefined)
    Reflect.deleteProperty(globalThis, 'requestIdleCallback')
    const unitStore = startUnitStore()
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ...many(600)) })
    expect((await unitStore.load()).excerpt.units).toHaveLength(600)
    unitStore.stop()
  })

  it('hold the units of one client each, of which the newest counts', async () => {
    const unitStore = startUnitStore()
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, { ...ended('a'), result: 'failed' }, ended('b')) })
    unitStore.send({
      type: 'store.save',
      excerpt: {
        machines: [cellar],
        units: [...excerptOf(attic, ended('a')).units, ...excerptOf(cellar, ended('c')).units],
      },
    })
    const { excerpt } = await unitStore.load()
    expect(excerpt.units.map(({ key, unit }) => `${key} ${String(unit.result)}`)).toEqual([
      'attic a credited',
      'attic b credited',
      'cellar c credited',
    ])
    expect((await records()).toSorted()).toEqual([1, 1, 2])
    unitStore.stop()
  })

  it('are read with the single units that an earlier version stored, and replace them', async () => {
    const [old, other] = excerptOf(attic, { ...ended('a'), result: 'failed' }, ended('b')).units
    const database = await openUnitDatabase(NAME)
    if (database === undefined || old === undefined || other === undefined) throw new Error('There is no database.')
    await database.put('units', old, old.key)
    await database.put('units', other, other.key)
    database.close()
    const unitStore = startUnitStore()
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    const { excerpt } = await unitStore.load()
    expect(excerpt.units.map(({ key, unit }) => `${key} ${String(unit.result)}`)).toEqual([
      'attic a credited',
      'attic b credited',
    ])
    unitStore.send({ type: 'store.deleteOthers', account: 'ada' })
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('c')) })
    expect((await unitStore.load()).excerpt.units).toHaveLength(3)
    unitStore.stop()
  })

  it('are joined when many are small, and what another page stores meanwhile stays', async () => {
    const unitStore = startUnitStore()
    for (let at = 0; at < 101; at++) unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ...many(1, at)) })
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, { ...ended('u7', 7000), result: 'failed' }) })
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ...many(200, 1000)) })
    const first = await unitStore.load()
    expect(first.excerpt.units).toHaveLength(301)
    expect((await records()).toSorted()).toEqual([101, 200])
    const clients = Array.from({ length: 120 }, (_, at): ArchivedClient => ({ ...cellar, id: `cell${at}` }))
    for (const client of clients) unitStore.send({ type: 'store.save', excerpt: excerptOf(client, ended('a')) })
    await unitStore.load()
    const keys = await keysOfBlocks()
    await unitStore.load()
    expect(await keysOfBlocks()).toEqual(keys)
    unitStore.send({ type: 'store.deleteOthers', account: undefined })
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('u7', 7000)) })
    const units = (await unitStore.load()).excerpt.units
    expect(units).toHaveLength(301)
    expect(units.find(({ key }) => key === 'attic u7')?.unit.result).toBe('credited')
    unitStore.stop()
  })

  it('are left alone when another page has joined them', async () => {
    const unitStore = startUnitStore()
    for (let at = 0; at < 102; at++) unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ...many(1, at)) })
    await unitStore.load()
    for (let at = 102; at < 204; at++) unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ...many(1, at)) })
    await vi.waitFor(async () => expect(await records()).toHaveLength(103), 20_000)
    const others = [startUnitStore(), startUnitStore(), startUnitStore()]
    const loaded = await Promise.all(others.map(other => other.load()))
    expect(loaded.map(({ excerpt }) => excerpt.units.length)).toEqual([204, 204, 204])
    expect((await unitStore.load()).excerpt.units).toHaveLength(204)
    const stored = await records()
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(204)
    for (const one of [unitStore, ...others]) one.stop()
  })
})

describe('a browser without storage', () => {
  it('is reported, and the page works', async () => {
    const unitStore = startUnitStore(() => Promise.resolve(undefined))
    expect(keysOf(await unitStore.load())).toEqual([[], []])
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    await vi.waitFor(
      () => expect(unitStore.facts.at(-1)).toEqual({ type: 'store.failed', trouble: 'unavailable' }),
      20_000,
    )
    unitStore.stop()
  })

  it('is reported as full when the quota is exceeded', async () => {
    const transaction = (): never => {
      throw new DOMException('No room.', 'QuotaExceededError')
    }
    const unitStore = startUnitStore(() =>
      Promise.resolve({ transaction, close: () => undefined } as unknown as UnitDatabase),
    )
    unitStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    await vi.waitFor(() => expect(unitStore.facts).toEqual([{ type: 'store.failed', trouble: 'full' }]), 20_000)
    unitStore.stop()
  })

  it('is also reported when stored units cannot be read', async () => {
    const unitStore = startUnitStore(() =>
      Promise.resolve({
        transaction: () => {
          throw new Error('broken')
        },
        close: () => undefined,
      } as unknown as UnitDatabase),
    )
    expect(keysOf(await unitStore.load())).toEqual([[], []])
    expect(unitStore.facts[0]).toEqual({ type: 'store.failed', trouble: 'unavailable' })
    unitStore.stop()
  })
})

describe('units that a server keeps', () => {
  afterEach(() => deleteDB(NAME))

  /** A server with these units, which may refuse what it is given. */
  const serverOf = (excerpt: Excerpt | undefined, takes = true, mayGive = true) => {
    const saved: string[][] = []
    const server: ServerHistory = {
      load: () => Promise.resolve(excerpt === undefined ? undefined : { ...excerpt, mayGive, unusable: 0 }),
      send: ({ units }) => {
        saved.push(units.map(({ key }) => key))
        return Promise.resolve(takes)
      },
    }
    return { server, saved }
  }

  it('are read with those of this browser, and the server is given what it lacks, once', async () => {
    const localStore = startUnitStore()
    localStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a', 1000), ended('b', 2000)) })
    localStore.send({ type: 'store.save', excerpt: excerptOf(cellar, ended('c', 1000)) })
    localStore.send({
      type: 'store.save',
      excerpt: excerptOf({ ...attic, id: 'elsewhere', name: 'Elsewhere' }, ended('d', 1000)),
    })
    await localStore.load()
    localStore.stop()
    const served = { machines: [attic, cellar], units: excerptOf(attic, ended('b', 2000), ended('s', 3000)).units }
    // A viewer's page gives nothing.
    const viewers = serverOf(served, true, false)
    const viewing = startUnitStore(undefined, undefined, viewers.server)
    await viewing.load()
    await viewing.load()
    expect(viewers.saved).toEqual([])
    viewing.stop()
    const refusing = serverOf(served, false)
    const first = startUnitStore(undefined, undefined, refusing.server)
    const { excerpt } = await first.load()
    expect(excerpt.units.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['attic a', 'attic b', 'attic s', 'cellar c', 'elsewhere d']),
    )
    await vi.waitFor(() => expect(refusing.saved).toEqual([['attic a']]), 20_000)
    first.stop()
    // It was refused, so it is given again; then no more.
    const taking = serverOf(served)
    const second = startUnitStore(undefined, undefined, taking.server)
    await second.load()
    await second.load()
    await second.load()
    expect(taking.saved).toEqual([['attic a']])
    second.stop()
  })

  it('do not answer: what this browser has is shown', async () => {
    const localStore = startUnitStore()
    localStore.send({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    await localStore.load()
    localStore.stop()
    const { server, saved } = serverOf(undefined)
    const unitStore = startUnitStore(undefined, undefined, server)
    expect(keysOf(await unitStore.load())).toEqual([['attic'], ['attic a']])
    const without = startUnitStore(
      () => Promise.resolve(undefined),
      undefined,
      serverOf(excerptOf(attic, ended('s'))).server,
    )
    expect(keysOf(await without.load())).toEqual([['attic'], ['attic s']])
    expect(saved).toEqual([])
    unitStore.stop()
    without.stop()
  })

  it('come page after page, are given part after part, and wrong answers are none', async () => {
    const unit = (id: string) => ({
      ...{ key: `attic ${id}`, machine: 'attic', unit: id, number: 1, group: '', resource: '', project: 1, run: 0 },
      ...{ clone: 0, gen: 0, core: '0xa8', result: 'credited', credit: 1, pointsPerDay: 5, tpf: 60, progress: 1 },
      ...{ runTime: 6000, assigned: 0, ended: 1000 },
    })
    const asked: string[] = []
    let answers: unknown[] = [
      {
        machines: [{ id: 'attic', name: 'Attic', os: 'linux', version: '8' }],
        units: [unit('b')],
        next: '1000 attic b',
        mayGive: true,
      },
      { machines: [], units: [unit('a')], next: null, mayGive: true },
    ]
    const history = serverHistory({
      fetch: (path, init) => {
        asked.push(`${init?.method ?? 'GET'} ${path instanceof Request ? path.url : path}`)
        const answer = answers.shift()
        return Promise.resolve(answer === undefined ? new Response('', { status: 403 }) : Response.json(answer))
      },
    })
    const loaded = await history.load()
    expect(loaded?.units.map(({ key }) => key)).toEqual(['attic b', 'attic a'])
    expect(loaded?.mayGive).toBe(true)
    expect(loaded?.machines).toMatchObject([{ id: 'attic', name: 'Attic', info: { os: 'linux', version: '8' } }])
    expect(loaded?.units[0]?.unit).toMatchObject({ tpf_secs: 60, assignment: { project: 1, core: { type: '0xa8' } } })
    expect(loaded?.unusable).toBe(0)
    const long = { ...unit('c'), key: `attic ${'c'.repeat(1200)}` }
    answers = [
      { machines: [{ id: 1 }], units: [{ ...unit('a'), ended: 'x' }, long, unit('b')], next: null, mayGive: true },
    ]
    expect(await history.load()).toMatchObject({ units: [{ key: 'attic b' }], unusable: 3 })
    answers = [{ machines: [], next: null, mayGive: true }]
    expect(await history.load()).toBeUndefined()
    asked.length = 0
    answers = [{}, {}]
    const many = excerptOf(attic, ...Array.from({ length: 600 }, (_, at) => ended(`u${at}`, at)))
    expect({ send: await history.send(many), asked: asked.length }).toEqual({ send: true, asked: 2 })
    expect(await history.send(many)).toBe(false)
  })
})

describe('a browser that may delete what is stored', () => {
  beforeEach(() => deleteDB(NAME))

  function browser(asksPerson: boolean, grants: boolean) {
    const persist = vi.fn(() => Promise.resolve(grants))
    const lasting: LastingStorage = { storage: { persist, persisted: () => Promise.resolve(false) }, asksPerson }
    const store = startUnitStore(undefined, undefined, undefined, lasting)
    const durabilities = () =>
      store.facts.flatMap(fact => (fact.type === 'store.durabilityFound' ? [fact.durability] : []))
    return { ...store, persist, durabilities }
  }

  it.each([
    [true, 'durable'],
    [false, 'volatile'],
  ])('is asked once, when there is a history, and its answer %s is reported', async (grants, expected) => {
    const { load, send, persist, durabilities, stop } = browser(false, grants)
    await load()
    expect(persist).not.toHaveBeenCalled()
    send({ type: 'store.save', excerpt: excerptOf(attic, ended('a', 10)) })
    send({ type: 'store.save', excerpt: excerptOf(attic, ended('b', 20)) })
    await vi.waitFor(() => expect(durabilities()).toEqual([expected]), 20_000)
    await load()
    expect(persist).toHaveBeenCalledOnce()
    stop()
  })

  it('and asks the person is not asked before a press', async () => {
    const { load, send, persist, durabilities, stop } = browser(true, true)
    send({ type: 'store.save', excerpt: excerptOf(attic, ended('a', 10)) })
    await load()
    await vi.waitFor(() => expect(durabilities()).toEqual(['undecided']), 20_000)
    expect(persist).not.toHaveBeenCalled()
    send({ type: 'store.keep' })
    await vi.waitFor(() => expect(durabilities()).toEqual(['undecided', 'durable']), 20_000)
    stop()
  })
})

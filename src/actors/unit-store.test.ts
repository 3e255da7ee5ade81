import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { emptyHistory, newInReport, type Excerpt, type ArchivedMachine } from '../folding/unit/history.ts'
import type { HistoryStoreCommand, HistoryStoreFact } from '../machines/units/history/history.events.ts'
import type { Unit } from '../protocol/client-data.ts'
import { openUnitDatabase, unitStoreActor, type UnitDatabase } from './unit-store.ts'

const NAME = 'units-of-a-test'

const ended = (id: string, at = 0): Unit => ({
  id,
  number: 1,
  result: 'credited',
  end_time: new Date(at).toISOString(),
})
const attic: ArchivedMachine = { id: 'attic', name: 'Attic', owner: undefined, info: { os: 'linux' } }
const cellar: ArchivedMachine = { ...attic, id: 'cellar', name: 'Cellar', owner: 'ada' }
const excerptOf = (machine: ArchivedMachine, ...units: readonly Unit[]): Excerpt =>
  newInReport(emptyHistory, machine, units)

const startKeeper = (open: () => Promise<UnitDatabase | undefined> = () => openUnitDatabase(NAME), most?: number) => {
  const facts: HistoryStoreFact[] = []
  const parent = createActor(
    createMachine({
      invoke: { src: unitStoreActor(open, most), id: 'historyStore' },
      on: { '*': { actions: ({ event }) => facts.push(event as HistoryStoreFact) } },
    }),
  ).start()
  const tell = (command: HistoryStoreCommand): void => parent.getSnapshot().children['historyStore']?.send(command)
  return {
    facts,
    tell,
    recall: async (): Promise<Extract<HistoryStoreFact, { type: 'store.loaded' }>> => {
      const known = facts.length
      tell({ type: 'store.load' })
      return vi.waitFor(() => {
        const fact = facts.slice(known).find(one => one.type === 'store.loaded')
        if (fact === undefined) throw new Error('Nothing is recalled yet.')
        return fact
      })
    },
    stop: () => parent.stop(),
  }
}

const keysOf = ({ excerpt }: { excerpt: Excerpt }) => [
  excerpt.machines.map(({ id }) => id),
  excerpt.units.map(({ key }) => key),
]

describe('stored units', () => {
  let keeper: ReturnType<typeof startKeeper>
  beforeEach(() => {
    keeper = startKeeper()
  })
  afterEach(async () => {
    await keeper.recall()
    keeper.stop()
    await deleteDB(NAME)
  })

  it('are restored on the next visit, each unit once', async () => {
    keeper.tell({ type: 'store.save', excerpt: excerptOf(attic, ended('a'), ended('b')) })
    keeper.tell({ type: 'store.save', excerpt: excerptOf(attic, ended('b'), ended('c')) })
    const next = startKeeper()
    await keeper.recall()
    const recalled = await next.recall()
    expect(keysOf(recalled)).toEqual([['attic'], ['attic a', 'attic b', 'attic c']])
    expect(recalled.excerpt.machines).toEqual([attic])
    next.stop()
  })

  it('are gone when cleared, despite pending writes, and the cut-off stays known', async () => {
    keeper.tell({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    keeper.tell({ type: 'store.clear', cutOffs: { direct: 7 } })
    expect(await keeper.recall()).toEqual({
      type: 'store.loaded',
      excerpt: { machines: [], units: [] },
      cutOffs: { direct: 7 },
    })
  })

  it('belong to no account but this one', async () => {
    const bob: ArchivedMachine = { ...cellar, id: 'cell', owner: 'bob' }
    for (const machine of [attic, cellar, bob])
      keeper.tell({ type: 'store.save', excerpt: excerptOf(machine, ended('a')) })
    keeper.tell({ type: 'store.deleteOthers', account: 'ada' })
    expect(keysOf(await keeper.recall())).toEqual([
      ['attic', 'cellar'],
      ['attic a', 'cellar a'],
    ])
    keeper.tell({ type: 'store.clear', cutOffs: { direct: 1, account: 2 } })
    keeper.tell({ type: 'store.deleteOthers', account: undefined })
    expect((await keeper.recall()).cutOffs).toEqual({ direct: 1 })
  })

  it('are limited to the newest ones', async () => {
    keeper.tell({
      type: 'store.save',
      excerpt: excerptOf(attic, ...['a', 'b', 'c', 'd', 'e'].map((id, second) => ended(id, second * 1000))),
    })
    await keeper.recall()
    const narrow = startKeeper(() => openUnitDatabase(NAME), 3)
    expect(keysOf(await narrow.recall())).toEqual([['attic'], ['attic c', 'attic d', 'attic e']])
    expect(keysOf(await keeper.recall())).toEqual([['attic'], ['attic c', 'attic d', 'attic e']])
    narrow.stop()
  })
})

describe('a browser without storage', () => {
  it('is reported, and the page works', async () => {
    const keeper = startKeeper(() => Promise.resolve(undefined))
    expect(keysOf(await keeper.recall())).toEqual([[], []])
    keeper.tell({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    await vi.waitFor(() => expect(keeper.facts.at(-1)).toEqual({ type: 'store.failed', trouble: 'unavailable' }))
    keeper.stop()
  })

  it('is reported as full when the quota is exceeded', async () => {
    const transaction = (): never => {
      throw new DOMException('No room.', 'QuotaExceededError')
    }
    const keeper = startKeeper(() =>
      Promise.resolve({ transaction, close: () => undefined } as unknown as UnitDatabase),
    )
    keeper.tell({ type: 'store.save', excerpt: excerptOf(attic, ended('a')) })
    await vi.waitFor(() => expect(keeper.facts).toEqual([{ type: 'store.failed', trouble: 'full' }]))
    keeper.stop()
  })

  it('is also reported when stored units cannot be read', async () => {
    const keeper = startKeeper(() =>
      Promise.resolve({
        getAll: () => Promise.reject(new Error('broken')),
        get: () => Promise.resolve(undefined),
        close: () => undefined,
      } as unknown as UnitDatabase),
    )
    expect(keysOf(await keeper.recall())).toEqual([[], []])
    expect(keeper.facts[0]).toEqual({ type: 'store.failed', trouble: 'unavailable' })
    keeper.stop()
  })
})

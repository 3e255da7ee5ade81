import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActor, createMachine } from 'xstate'
import { emptyHistory, newsOf, type Excerpt, type KeptMachine } from '../folding/unit/history.ts'
import type { KeeperCommand, KeeperFact } from '../machines/units/history/history.events.ts'
import type { Unit } from '../protocol/client-data.ts'
import { openUnitDatabase, unitKeeper, type UnitDatabase } from './unit-keeper.ts'

const NAME = 'units-of-a-test'

const ended = (id: string, at = 0): Unit => ({
  id,
  number: 1,
  result: 'credited',
  end_time: new Date(at).toISOString(),
})
const attic: KeptMachine = { id: 'attic', name: 'Attic', owner: undefined, info: { os: 'linux' } }
const cellar: KeptMachine = { ...attic, id: 'cellar', name: 'Cellar', owner: 'ada' }
const excerptOf = (machine: KeptMachine, ...units: readonly Unit[]): Excerpt => newsOf(emptyHistory, machine, units)

const startKeeper = (open: () => Promise<UnitDatabase | undefined> = () => openUnitDatabase(NAME), most?: number) => {
  const facts: KeeperFact[] = []
  const house = createActor(
    createMachine({
      invoke: { src: unitKeeper(open, most), id: 'keeper' },
      on: { '*': { actions: ({ event }) => facts.push(event as KeeperFact) } },
    }),
  ).start()
  const tell = (command: KeeperCommand): void => house.getSnapshot().children['keeper']?.send(command)
  return {
    facts,
    tell,
    recall: async (): Promise<Extract<KeeperFact, { type: 'keeper.recalled' }>> => {
      const known = facts.length
      tell({ type: 'keeper.recall' })
      return vi.waitFor(() => {
        const fact = facts.slice(known).find(one => one.type === 'keeper.recalled')
        if (fact === undefined) throw new Error('Nothing is recalled yet.')
        return fact
      })
    },
    stop: () => house.stop(),
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
    keeper.tell({ type: 'keeper.keep', excerpt: excerptOf(attic, ended('a'), ended('b')) })
    keeper.tell({ type: 'keeper.keep', excerpt: excerptOf(attic, ended('b'), ended('c')) })
    const next = startKeeper()
    await keeper.recall()
    const recalled = await next.recall()
    expect(keysOf(recalled)).toEqual([['attic'], ['attic a', 'attic b', 'attic c']])
    expect(recalled.excerpt.machines).toEqual([attic])
    next.stop()
  })

  it('are gone when cleared, despite pending writes, and the cut-off stays known', async () => {
    keeper.tell({ type: 'keeper.keep', excerpt: excerptOf(attic, ended('a')) })
    keeper.tell({ type: 'keeper.clear', cutOffs: { direct: 7 } })
    expect(await keeper.recall()).toEqual({
      type: 'keeper.recalled',
      excerpt: { machines: [], units: [] },
      cutOffs: { direct: 7 },
    })
  })

  it('belong to no account but this one', async () => {
    const bob: KeptMachine = { ...cellar, id: 'cell', owner: 'bob' }
    for (const machine of [attic, cellar, bob])
      keeper.tell({ type: 'keeper.keep', excerpt: excerptOf(machine, ended('a')) })
    keeper.tell({ type: 'keeper.forgetOthers', account: 'ada' })
    expect(keysOf(await keeper.recall())).toEqual([
      ['attic', 'cellar'],
      ['attic a', 'cellar a'],
    ])
    keeper.tell({ type: 'keeper.clear', cutOffs: { direct: 1, account: 2 } })
    keeper.tell({ type: 'keeper.forgetOthers', account: undefined })
    expect((await keeper.recall()).cutOffs).toEqual({ direct: 1 })
  })

  it('are limited to the newest ones', async () => {
    keeper.tell({
      type: 'keeper.keep',
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
    keeper.tell({ type: 'keeper.keep', excerpt: excerptOf(attic, ended('a')) })
    await vi.waitFor(() => expect(keeper.facts.at(-1)).toEqual({ type: 'keeper.failed', trouble: 'unavailable' }))
    keeper.stop()
  })

  it('is reported as full when the quota is exceeded', async () => {
    const transaction = (): never => {
      throw new DOMException('No room.', 'QuotaExceededError')
    }
    const keeper = startKeeper(() =>
      Promise.resolve({ transaction, close: () => undefined } as unknown as UnitDatabase),
    )
    keeper.tell({ type: 'keeper.keep', excerpt: excerptOf(attic, ended('a')) })
    await vi.waitFor(() => expect(keeper.facts).toEqual([{ type: 'keeper.failed', trouble: 'full' }]))
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
    expect(keeper.facts[0]).toEqual({ type: 'keeper.failed', trouble: 'unavailable' })
    keeper.stop()
  })
})

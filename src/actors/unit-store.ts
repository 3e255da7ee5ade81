import { unwrap, type DBSchema } from 'idb'
import type { ArchivedMachine } from '../folding/unit/archived-machine.ts'
import {
  emptyHistory,
  belongsToOtherAccount,
  endOf,
  latestEnd,
  withExcerpt,
  type Excerpt,
  type ArchivedUnit,
} from '../folding/unit/history.ts'
import { MAX_STORED_UNITS } from '../folding/shared/memory-limits.ts'
import type { CutOffs, HistoryStoreCommand, HistoryStoreFact } from '../machines/units/history/history.events.ts'
import { withDatabaseTimeout, openDatabase, type Database } from './database.ts'
import { factActor } from './fact-actor.ts'
import type { ServerHistory } from './server-history.ts'

type UnitSchema = DBSchema & {
  machines: { key: string; value: ArchivedMachine }
  /** By unit key, which begins with the machine's id. */
  units: { key: string; value: ArchivedUnit }
  notes: { key: string; value: CutOffs }
}

export type UnitDatabase = Database<UnitSchema>

const CUT_OFFS = 'cutOffs'
/** Until which end the server was given this browser's units. */
const GIVEN = 'givenToServer'

/** Undefined where IndexedDB does not work. */
export const openUnitDatabase = (name: string): Promise<UnitDatabase | undefined> =>
  openDatabase<UnitSchema>(name, ['machines', 'units', 'notes'])

/**
 * Stores the history of units in IndexedDB. `open` is called by the first command. `server`: of a page that a server of
 * Foldboard serves, whose history is read too, and which is given the page's own units once.
 */
export const unitStoreActor = (
  open: () => Promise<UnitDatabase | undefined>,
  most = MAX_STORED_UNITS,
  server?: ServerHistory,
) =>
  factActor<HistoryStoreCommand, undefined, HistoryStoreFact>(({ report, receive }) => {
    let opening: Promise<UnitDatabase | undefined> | undefined
    let last: Promise<unknown> = Promise.resolve()
    const execute = async (command: HistoryStoreCommand): Promise<void> => {
      const database = await (opening ??= open())
      if (database === undefined) {
        report({ type: 'store.failed', trouble: 'unavailable' })
        if (command.type === 'store.load') report(withServed(emptyRecall, await server?.load()))
      } else if (command.type !== 'store.load') await change(database, command)
      else {
        const [own, served] = await Promise.all([withDatabaseTimeout(recall(database, most)), server?.load()])
        report(withServed(own, served))
        if (server !== undefined && served?.mayGive === true)
          await giveOwn(database, server, own.excerpt, served).catch(() => undefined)
      }
    }
    // One after another, so that an earlier write cannot undo a later clear.
    receive(command => {
      last = last
        .then(() => execute(command))
        .catch((error: unknown) => {
          report({ type: 'store.failed', trouble: isFull(error) ? 'full' : 'unavailable' })
          if (command.type === 'store.load') report(emptyRecall)
        })
    })
    return () => {
      void last.then(async () => (await opening)?.close())
    }
  })

type Recall = Extract<HistoryStoreFact, { readonly type: 'store.loaded' }>

/** What the server has replaces what this browser has of the same units. */
const withServed = (own: Recall, served: Excerpt | undefined): Recall =>
  served === undefined
    ? own
    : {
        ...own,
        excerpt: {
          machines: [...served.machines, ...own.excerpt.machines],
          units: [...own.excerpt.units, ...served.units],
        },
      }

/** Gives the server the units that only this browser has, of machines that the server knows, once. */
const giveOwn = async (
  database: UnitDatabase,
  server: ServerHistory,
  { machines, units }: Excerpt,
  served: Excerpt,
): Promise<void> => {
  const known = new Set(served.units.map(({ key }) => key))
  const seen = new Set(served.machines.map(({ id }) => id))
  const own = new Set(machines.flatMap(({ id, owner }) => (owner === undefined && seen.has(id) ? [id] : [])))
  const { direct: given = 0 } = (await database.get('notes', GIVEN)) ?? {}
  const missing = units.filter(
    ({ key, machine, unit }) => own.has(machine) && !known.has(key) && (endOf(unit) ?? 0) > given,
  )
  const latest = latestEnd(missing)
  if (latest === undefined || !(await server.send({ machines, units: missing }))) return
  await database.put('notes', { direct: latest }, GIVEN)
}

const emptyRecall: Recall = { type: 'store.loaded', excerpt: { machines: [], units: [] }, cutOffs: {} }

const recall = async (database: UnitDatabase, most: number): Promise<Recall> => {
  const [machines, units, cutOffs] = await Promise.all([
    database.getAll('machines'),
    database.getAll('units'),
    database.get('notes', CUT_OFFS),
  ])
  const excerpt = units.length > most ? await dropOldest(database, { machines, units }, most) : { machines, units }
  return { type: 'store.loaded', excerpt, cutOffs: cutOffs ?? {} }
}

const dropOldest = async (database: UnitDatabase, excerpt: Excerpt, most: number): Promise<Excerpt> => {
  const { units } = withExcerpt(emptyHistory, excerpt, most)
  const transaction = database.transaction('units', 'readwrite')
  await Promise.all([
    ...excerpt.units.filter(({ key }) => !units.has(key)).map(({ key }) => transaction.store.delete(key)),
    transaction.done,
  ])
  return { ...excerpt, units: [...units.values()] }
}

const change = (
  database: UnitDatabase,
  command: Exclude<HistoryStoreCommand, { type: 'store.load' }>,
): Promise<void> => {
  switch (command.type) {
    case 'store.save':
      return save(database, command.excerpt)
    case 'store.clear':
      return withDatabaseTimeout(clear(database, command.cutOffs))
    case 'store.deleteOthers':
      return withDatabaseTimeout(deleteOthers(database, command.account))
  }
}

/**
 * A first report has thousands of units, and each `put` takes the page's thread a while. So all but the first are written
 * when the browser is idle, or when the page is left.
 */
const save = async (database: UnitDatabase, excerpt: Excerpt): Promise<void> => {
  let written = await write(database, excerpt, 0, () => false)
  while (written < excerpt.units.length) {
    const hasTime = await whenIdle()
    written = await write(database, { ...excerpt, machines: [] }, written, hasTime)
  }
}

const LEAST_UNITS = 50

/** Writes in one transaction while there is time, and returns one after the index of the last unit that is stored. */
const write = async (
  database: UnitDatabase,
  { machines, units }: Excerpt,
  from: number,
  hasTime: () => boolean,
): Promise<number> => {
  const transaction = database.transaction(['machines', 'units'], 'readwrite')
  // Without idb's promise for each request. A failed request fails the transaction, which is awaited.
  const stores = unwrap(transaction)
  for (const machine of machines) stores.objectStore('machines').put(machine, machine.id)
  const store = stores.objectStore('units')
  let end = from
  for (; end < units.length && (end - from < LEAST_UNITS || hasTime()); end++) {
    const unit = units[end]
    if (unit !== undefined) store.put(unit, unit.key)
  }
  // A page that is left may not live until the browser would commit by itself.
  transaction.commit()
  await withDatabaseTimeout(transaction.done)
  return end
}

/** Milliseconds. */
const LONGEST_WAIT = 500
const LEAST_TIME = 3

/** Resolves when the browser is idle, with a function that reports whether it still is. Some browsers have no idle callbacks. */
const whenIdle = (): Promise<() => boolean> =>
  new Promise(resolve => {
    if (!('requestIdleCallback' in globalThis)) setTimeout(() => resolve(() => false), 0)
    else {
      const leave = (): void => resolve(() => true)
      globalThis.addEventListener('pagehide', leave, { once: true })
      globalThis.requestIdleCallback(
        deadline => {
          globalThis.removeEventListener('pagehide', leave)
          resolve(() => deadline.timeRemaining() > LEAST_TIME)
        },
        { timeout: LONGEST_WAIT },
      )
    }
  })

const clear = async (database: UnitDatabase, cutOffs: CutOffs): Promise<void> => {
  const transaction = database.transaction(['machines', 'units', 'notes'], 'readwrite')
  await Promise.all([
    transaction.objectStore('machines').clear(),
    transaction.objectStore('units').clear(),
    transaction.objectStore('notes').put(cutOffs, CUT_OFFS),
    transaction.done,
  ])
}

const deleteOthers = async (database: UnitDatabase, account: string | undefined): Promise<void> => {
  const transaction = database.transaction(['machines', 'units', 'notes'], 'readwrite')
  const machines = transaction.objectStore('machines')
  const others = (await machines.getAll()).filter(machine => belongsToOtherAccount(machine, account))
  for (const { id } of others) {
    await machines.delete(id)
    await transaction.objectStore('units').delete(IDBKeyRange.bound(`${id} `, `${id} \uFFFF`))
  }
  const { account: _, ...direct } = (await transaction.objectStore('notes').get(CUT_OFFS)) ?? {}
  if (account === undefined || others.length > 0) await transaction.objectStore('notes').put(direct, CUT_OFFS)
  await transaction.done
}

const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

import { unwrap, type DBSchema } from 'idb'
import {
  emptyHistory,
  belongsToOtherAccount,
  withExcerpt,
  type Excerpt,
  type ArchivedMachine,
  type ArchivedUnit,
} from '../folding/unit/history.ts'
import { MAX_STORED_UNITS } from '../folding/shared/memory-limits.ts'
import type { CutOffs, HistoryStoreCommand, HistoryStoreFact } from '../machines/units/history/history.events.ts'
import { withDatabaseTimeout, openDatabase, type Database } from './database.ts'
import { factActor } from './fact-actor.ts'

type UnitSchema = DBSchema & {
  machines: { key: string; value: ArchivedMachine }
  /** By unit key, which begins with the machine's id. */
  units: { key: string; value: ArchivedUnit }
  notes: { key: string; value: CutOffs }
}

export type UnitDatabase = Database<UnitSchema>

const CUT_OFFS = 'cutOffs'

/** Undefined where IndexedDB does not work. */
export const openUnitDatabase = (name: string): Promise<UnitDatabase | undefined> =>
  openDatabase<UnitSchema>(name, ['machines', 'units', 'notes'])

/** Stores the history of units in IndexedDB. `open` is called by the first command. */
export const unitStoreActor = (open: () => Promise<UnitDatabase | undefined>, most = MAX_STORED_UNITS) =>
  factActor<HistoryStoreCommand, undefined, HistoryStoreFact>(({ report, receive }) => {
    let opening: Promise<UnitDatabase | undefined> | undefined
    let last: Promise<unknown> = Promise.resolve()
    const execute = async (command: HistoryStoreCommand): Promise<void> => {
      const database = await (opening ??= open())
      if (database === undefined) {
        report({ type: 'store.failed', trouble: 'unavailable' })
        if (command.type === 'store.load') report(emptyRecall)
      } else if (command.type === 'store.load') report(await withDatabaseTimeout(recall(database, most)))
      else await change(database, command)
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

const emptyRecall: HistoryStoreFact = { type: 'store.loaded', excerpt: { machines: [], units: [] }, cutOffs: {} }

const recall = async (database: UnitDatabase, most: number): Promise<HistoryStoreFact> => {
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
 * A first report has thousands of units, and each `put` takes the page's thread a while. So they are written a few at a
 * time, when the browser is idle. What a closed page has not written is reported again on the next visit.
 */
const save = async (database: UnitDatabase, { machines, units }: Excerpt): Promise<void> => {
  if (machines.length > 0) await putAll(database, 'machines', machines, ({ id }) => id)
  for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
    if (from > 0) await whenIdle()
    await putAll(database, 'units', units.slice(from, from + UNITS_AT_ONCE), ({ key }) => key)
  }
}

const UNITS_AT_ONCE = 50
/** Milliseconds. */
const LONGEST_WAIT = 500

/** Some browsers have no idle callbacks. */
const whenIdle = (): Promise<void> =>
  new Promise(resolve => {
    if ('requestIdleCallback' in globalThis) globalThis.requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT })
    else setTimeout(resolve, 0)
  })

const putAll = async <Name extends 'machines' | 'units'>(
  database: UnitDatabase,
  name: Name,
  values: readonly UnitSchema[Name]['value'][],
  keyOf: (value: UnitSchema[Name]['value']) => string,
): Promise<void> => {
  const transaction = database.transaction(name, 'readwrite')
  // Without idb's promise for each request. A failed request fails the transaction, which is awaited.
  const store = unwrap(transaction).objectStore(name)
  for (const value of values) store.put(value, keyOf(value))
  await withDatabaseTimeout(transaction.done)
}

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

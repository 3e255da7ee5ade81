import { unwrap, type DBSchema } from 'idb'
import type { ArchivedClient } from '../../folding/unit/archived-client.ts'
import { withNotesOf } from '../../folding/unit/credits.ts'
import {
  emptyHistory,
  belongsToOtherAccount,
  endOf,
  latestEnd,
  withExcerpt,
  type Excerpt,
  type ArchivedUnit,
} from '../../folding/unit/history.ts'
import { MAX_STORED_UNITS } from '../../folding/shared/memory-limits.ts'
import { whenIdle } from '../../loading/when-idle.ts'
import type { CutOffs, HistoryStoreCommand, HistoryStoreFact } from '../../machines/units/history/history.events.ts'
import { isFull, openDatabase, type Database } from './database.ts'
import { factActor } from '../fact-actor.ts'
import type { ServedHistory, ServerHistory } from '../server/server-history.ts'

type UnitSchema = DBSchema & {
  machines: { key: string; value: ArchivedClient }
  /**
   * Up to `BLOCK` units of one client. A unit that is in several blocks is that of the newest. Earlier versions stored
   * each unit by its own key, which the browser sorts before those of blocks.
   */
  units: { key: string | BlockKey; value: ArchivedUnit | readonly ArchivedUnit[] }
  notes: { key: string; value: CutOffs }
}
/** `time`: when its newest unit was stored, epoch milliseconds. `random`: differs where two pages store at once. */
type BlockKey = [machine: string, time: number, random: number]
type Block = { readonly key: BlockKey; readonly units: readonly ArchivedUnit[] }

/** Units per record: a record takes the browser 0.2 ms, however small it is. */
const BLOCK = 250
/** Blocks that are less than half full are joined when that makes them fewer by more than this. */
const MOST_NEEDLESS_BLOCKS = 100

export type UnitDatabase = Database<UnitSchema>

const CUT_OFFS = 'cutOffs'
/** Until which end the server was given this browser's units. */
const GIVEN = 'givenToServer'

/** Undefined where IndexedDB does not work. */
export function openUnitDatabase(name: string): Promise<UnitDatabase | undefined> {
  return openDatabase<UnitSchema>(name, ['machines', 'units', 'notes'])
}

/** Asks the browser not to delete what this page stores. */
export type LastingStorage = {
  readonly storage: Pick<StorageManager, 'persist' | 'persisted'>
  /** Whether the browser asks the person, which has to follow a press. */
  readonly asksPerson: boolean
}

/**
 * Stores the history of units in IndexedDB. `open` is called by the first command. `server`: of a page that a server of
 * Foldboard serves, whose history is read too, and which is given the page's own units once.
 */
export function unitStoreActor(
  open: () => Promise<UnitDatabase | undefined>,
  most = MAX_STORED_UNITS,
  server?: ServerHistory,
  lasting?: LastingStorage,
) {
  return factActor<HistoryStoreCommand, undefined, HistoryStoreFact>(({ report, receive }) => {
    let opening: Promise<UnitDatabase | undefined> | undefined
    let last: Promise<unknown> = Promise.resolve()
    let hasHistory = false
    const askToKeep = async (wasPressed: boolean): Promise<void> => {
      if (lasting === undefined) return
      const { storage, asksPerson } = lasting
      const isDurable = (await storage.persisted()) || ((wasPressed || !asksPerson) && (await storage.persist()))
      const otherwise = asksPerson && !wasPressed ? 'undecided' : 'volatile'
      report({ type: 'store.durabilityFound', durability: isDurable ? 'durable' : otherwise })
    }
    /** The browser is asked once there is a history. */
    const noteUnits = ({ units }: Excerpt): void => {
      if (hasHistory || units.length === 0) return
      hasHistory = true
      askToKeep(false).catch(() => undefined)
    }
    const execute = async (command: Exclude<HistoryStoreCommand, { type: 'store.keep' }>): Promise<void> => {
      const database = await (opening ??= open())
      if (database === undefined) {
        report({ type: 'store.failed', trouble: 'unavailable' })
        if (command.type === 'store.load') report(withServed(nothingLoaded, await server?.load()))
      } else if (command.type !== 'store.load') {
        await change(database, command)
        if (command.type === 'store.save') noteUnits(command.excerpt)
      } else {
        const [local, served] = await Promise.all([loadUnits(database, most), server?.load()])
        report(withServed(local, served))
        noteUnits(local.excerpt)
        if (server !== undefined && served?.mayGive === true)
          await giveOwn(database, server, local.excerpt, served).catch(() => undefined)
      }
    }
    // One after another, so that an earlier write cannot undo a later clear.
    receive(command => {
      if (command.type === 'store.keep') {
        askToKeep(true).catch(() => undefined)
        return
      }
      last = last
        .then(() => execute(command))
        .catch((error: unknown) => {
          report({ type: 'store.failed', trouble: isFull(error) ? 'full' : 'unavailable' })
          if (command.type === 'store.load') report(nothingLoaded)
        })
    })
    return () => {
      void last.then(async () => (await opening)?.close())
    }
  })
}

type LoadedUnits = Extract<HistoryStoreFact, { readonly type: 'store.loaded' }>

/** What the server has replaces what this browser has of the same units, but for what they were credited with. */
function withServed(local: LoadedUnits, served: ServedHistory | undefined): LoadedUnits {
  if (served === undefined) return local
  const known = new Map(local.excerpt.units.map(unit => [unit.key, unit]))
  return {
    ...local,
    excerpt: {
      machines: [...served.machines, ...local.excerpt.machines],
      units: [...local.excerpt.units, ...served.units.map(unit => withNotesOf(unit, known.get(unit.key)))],
    },
    ...(served.unusable === 0 ? {} : { unusable: served.unusable }),
  }
}

/** Gives the server the units that only this browser has, of clients that the server knows, once. */
async function giveOwn(
  database: UnitDatabase,
  server: ServerHistory,
  { machines: clients, units }: Excerpt,
  served: Excerpt,
): Promise<void> {
  const servedKeys = new Set(served.units.map(({ key }) => key))
  const seen = new Set(served.machines.map(({ id }) => id))
  const ownIds = new Set(clients.flatMap(({ id, owner }) => (owner === undefined && seen.has(id) ? [id] : [])))
  const { direct: sentUntil = 0 } = (await database.get('notes', GIVEN)) ?? {}
  const missing = units.filter(
    ({ key, machine: client, unit }) => ownIds.has(client) && !servedKeys.has(key) && (endOf(unit) ?? 0) > sentUntil,
  )
  const latest = latestEnd(missing)
  if (latest === undefined || !(await server.send({ machines: clients, units: missing }))) return
  await database.put('notes', { direct: latest }, GIVEN)
}

const nothingLoaded: LoadedUnits = { type: 'store.loaded', excerpt: { machines: [], units: [] }, cutOffs: {} }

type StoredBlock = { readonly key: string | BlockKey; readonly units: readonly ArchivedUnit[] }

async function loadUnits(database: UnitDatabase, most: number): Promise<LoadedUnits> {
  const transaction = database.transaction(['machines', 'units', 'notes'])
  const [clients, keys, values, cutOffs] = await Promise.all([
    transaction.objectStore('machines').getAll(),
    transaction.objectStore('units').getAllKeys(),
    transaction.objectStore('units').getAll(),
    transaction.objectStore('notes').get(CUT_OFFS),
    transaction.done,
  ])
  const blocks = keys.map((key, at): StoredBlock => ({ key, units: [values[at] ?? []].flat() }))
  const { units } = withExcerpt(emptyHistory, { machines: clients, units: unitsOf(blocks) }, most)
  // What fails, as in a full storage, is tried again at the next visit.
  await tidy(database, blocks, units).catch(() => undefined)
  return { type: 'store.loaded', excerpt: { machines: clients, units: [...units.values()] }, cutOffs: cutOffs ?? {} }
}

/** Joins small blocks when there are many, and deletes units that are no longer in the history. */
async function tidy(
  database: UnitDatabase,
  blocks: readonly StoredBlock[],
  retained: ReadonlyMap<string, ArchivedUnit>,
): Promise<void> {
  const small = new Set(blocks.filter(({ units }) => units.length < BLOCK / 2))
  const joined = blocksOf(unitsOf([...small]), 0)
  const joins = small.size - joined.length > MOST_NEEDLESS_BLOCKS
  const replaced = blocks.filter(
    block => (joins && small.has(block)) || block.units.some(({ key }) => !retained.has(key)),
  )
  if (replaced.length === 0) return
  const transaction = database.transaction('units', 'readwrite')
  const { store } = transaction
  const present = await Promise.all(replaced.map(({ key }) => store.getKey(key)))
  // Another page has deleted or replaced them since they were read.
  if (present.includes(undefined)) return
  // With the time of the newest of them, a block that another page stores meanwhile stays newer.
  const latest = Math.max(0, ...replaced.flatMap(({ key }) => (typeof key === 'string' ? [] : key[1])))
  const units = unitsOf(replaced).filter(unit => retained.get(unit.key) === unit)
  await Promise.all([
    ...replaced.map(({ key }) => store.delete(key)),
    ...blocksOf(units, latest).map(block => store.put(block.units, block.key)),
    transaction.done,
  ])
}

function unitsOf(blocks: readonly StoredBlock[]): readonly ArchivedUnit[] {
  return blocks.flatMap(({ units }) => units)
}

function blocksOf(units: readonly ArchivedUnit[], time: number): readonly Block[] {
  const clients = new Map<string, ArchivedUnit[]>()
  for (const unit of units) {
    const clientUnits = clients.get(unit.machine)
    if (clientUnits === undefined) clients.set(unit.machine, [unit])
    else clientUnits.push(unit)
  }
  return [...clients].flatMap(([client, clientUnits]) =>
    Array.from({ length: Math.ceil(clientUnits.length / BLOCK) }, (_, at) => ({
      key: [client, time, Math.random()] satisfies BlockKey,
      units: clientUnits.slice(at * BLOCK, (at + 1) * BLOCK),
    })),
  )
}

function change(
  database: UnitDatabase,
  command: Exclude<HistoryStoreCommand, { type: 'store.load' | 'store.keep' }>,
): Promise<void> {
  switch (command.type) {
    case 'store.save':
      return save(database, command.excerpt)
    case 'store.remove':
      return remove(database, command.excerpt)
    case 'store.clear':
      return clear(database, command.cutOffs)
    case 'store.deleteOthers':
      return deleteOthers(database, command.account)
  }
}

/**
 * A first report has thousands of units, which take the page's thread a while. So all but the first are written when the
 * browser is idle, or when the page is left.
 */
async function save(database: UnitDatabase, { machines: clients, units }: Excerpt): Promise<void> {
  const blocks = [...blocksOf(units, performance.timeOrigin + performance.now())]
  await write(database, clients, takeFirst(blocks))
  while (blocks.length > 0) {
    const isPageLeft = await idleOrLeft()
    await write(database, [], isPageLeft ? blocks.splice(0) : takeFirst(blocks))
  }
}

/** Removes as many blocks as have no more units than one full block. */
function takeFirst(blocks: Block[]): readonly Block[] {
  let count = 0
  const end = blocks.findIndex(({ units }) => (count += units.length) > BLOCK)
  return blocks.splice(0, end === -1 ? blocks.length : end)
}

function write(database: UnitDatabase, clients: readonly ArchivedClient[], blocks: readonly Block[]): Promise<void> {
  const transaction = database.transaction(['machines', 'units'], 'readwrite')
  // Without idb's promise for each request. A failed request fails the transaction, which is awaited.
  const stores = unwrap(transaction)
  for (const client of clients) stores.objectStore('machines').put(client, client.id)
  for (const { key, units } of blocks) stores.objectStore('units').put(units, key)
  // A page that is left may not live until the browser would commit by itself.
  transaction.commit()
  return transaction.done
}

/** Milliseconds. */
const LONGEST_WAIT = 500

/** Resolves when the browser is idle, or with true when the page is left. */
function idleOrLeft(): Promise<boolean> {
  return new Promise(resolve => {
    const leave = (): void => resolve(true)
    globalThis.addEventListener('pagehide', leave, { once: true })
    whenIdle(() => {
      globalThis.removeEventListener('pagehide', leave)
      resolve(false)
    }, LONGEST_WAIT)
  })
}

async function remove(database: UnitDatabase, { machines: clients, units }: Excerpt): Promise<void> {
  const gone = new Set(units.map(({ key }) => key))
  const transaction = database.transaction(['machines', 'units'], 'readwrite')
  for (const { id } of clients) await transaction.objectStore('machines').delete(id)
  const store = transaction.objectStore('units')
  for (let at = await store.openCursor(); at !== null; at = await at.continue()) {
    const all = [at.value].flat()
    const kept = all.filter(({ key }) => !gone.has(key))
    if (kept.length === 0) await at.delete()
    else if (kept.length < all.length) await at.update(kept)
  }
  await transaction.done
}

async function clear(database: UnitDatabase, cutOffs: CutOffs): Promise<void> {
  const transaction = database.transaction(['machines', 'units', 'notes'], 'readwrite')
  await Promise.all([
    transaction.objectStore('machines').clear(),
    transaction.objectStore('units').clear(),
    transaction.objectStore('notes').put(cutOffs, CUT_OFFS),
    transaction.done,
  ])
}

async function deleteOthers(database: UnitDatabase, account: string | undefined): Promise<void> {
  const transaction = database.transaction(['machines', 'units', 'notes'], 'readwrite')
  const clients = transaction.objectStore('machines')
  const units = transaction.objectStore('units')
  const others = (await clients.getAll()).filter(client => belongsToOtherAccount(client, account))
  for (const { id } of others) {
    await clients.delete(id)
    await units.delete(IDBKeyRange.bound(`${id} `, `${id} \uFFFF`))
    await units.delete(IDBKeyRange.bound([id], [id, []]))
  }
  const { account: _, ...direct } = (await transaction.objectStore('notes').get(CUT_OFFS)) ?? {}
  if (account === undefined || others.length > 0) await transaction.objectStore('notes').put(direct, CUT_OFFS)
  await transaction.done
}

import type { DBSchema } from 'idb'
import { emptyStructure, withStored, type Structure } from '../../folding/molecule/structure.ts'
import type { Subject } from '../../machines/screens/molecules/molecules.events.ts'
import type { Topology } from '../../protocol/client/visualization.ts'
import { openDatabase, type Database } from '../storage/database.ts'
import { MOLECULE_BOUNDS } from '../limits.ts'

/** The new part of a structure. */
export type StructurePart = {
  readonly topology?: Topology | undefined
  readonly frames: readonly (readonly [index: number, positions: Float32Array])[]
}

/**
 * Molecules that were shown, in IndexedDB. They belong to no account, but are deleted at sign-out, since another person
 * may use the browser next.
 */
export type MoleculeStore = {
  /** `frames`: only so many, the last ones. */
  readonly restore: (subject: Subject, at: number, frames?: number) => Promise<Structure | undefined>
  /** Rejects when the disk is full. `at`: epoch milliseconds. */
  readonly save: (subject: Subject, part: StructurePart, at: number) => Promise<void>
  readonly clear: () => Promise<void>
}

export type Bounds = { readonly units: number; readonly bytes: number }

/** When a molecule was last shown, and the bytes of its frames. A store of its own, since it is read often. */
type Use = { readonly usedAt: number; readonly bytes: number }
type Key = [client: string, unit: string]

type MoleculeSchema = DBSchema & {
  uses: { key: Key; value: Use }
  topologies: { key: Key; value: Topology }
  frames: { key: [...Key, number]; value: Float32Array }
}

/** Undefined where IndexedDB does not work. */
export async function openMoleculeStore(
  name: string,
  bounds: Bounds = MOLECULE_BOUNDS,
): Promise<MoleculeStore | undefined> {
  const db = await openDatabase<MoleculeSchema>(name, ['uses', 'topologies', 'frames'])
  if (db === undefined) return undefined
  return {
    restore: ({ client, unit }, at, frames) => restore(db, [client, unit], at, frames),
    save: ({ client, unit }, part, at) => save(db, [client, unit], part, at, bounds),
    clear: async () => {
      const transaction = begin(db)
      await Promise.all([...transaction.objectStoreNames].map(store => transaction.objectStore(store).clear()))
      await transaction.done
    },
  }
}

type Db = Database<MoleculeSchema>

function begin(db: Db) {
  return db.transaction(['uses', 'topologies', 'frames'], 'readwrite')
}

// In IndexedDB an array sorts after every number, so this range has all frames of a molecule.
function framesOf(key: Key): IDBKeyRange {
  return IDBKeyRange.bound(key, [...key, []])
}

async function restore(db: Db, key: Key, at: number, most?: number): Promise<Structure | undefined> {
  const transaction = begin(db)
  const uses = transaction.objectStore('uses')
  const use = await uses.get(key)
  if (use === undefined) return undefined
  await uses.put({ ...use, usedAt: at }, key)
  const topology = await transaction.objectStore('topologies').get(key)
  const stored = transaction.objectStore('frames')
  const keys = (await stored.getAllKeys(framesOf(key))).slice(most === undefined ? 0 : -most)
  const [first, last] = [keys[0], keys.at(-1)]
  const positions = first === undefined || last === undefined ? [] : await stored.getAll(IDBKeyRange.bound(first, last))
  await transaction.done
  const frames: (Float32Array | undefined)[] = []
  keys.forEach(([, , index], place) => {
    while (frames.length < index) frames.push(undefined)
    frames[index] = positions[place]
  })
  return withStored(emptyStructure, { topology, trajectory: { frames, count: keys.length }, refused: 0 })
}

async function save(db: Db, key: Key, { topology, frames }: StructurePart, at: number, bounds: Bounds): Promise<void> {
  const transaction = begin(db)
  const uses = transaction.objectStore('uses')
  const stored = transaction.objectStore('frames')
  const storedIndexes = new Set((await stored.getAllKeys(framesOf(key))).map(([, , index]) => index))
  let bytes = (await uses.get(key))?.bytes ?? 0
  const fitting = frames.filter(([index, { byteLength }]) => {
    if (storedIndexes.has(index) || bytes + byteLength > bounds.bytes) return false
    bytes += byteLength
    return true
  })
  await Promise.all([
    ...(topology === undefined ? [] : [transaction.objectStore('topologies').put(topology, key)]),
    ...fitting.map(([index, positions]) => stored.put(positions, [...key, index])),
    uses.put({ usedAt: at, bytes }, key),
  ])
  await makeRoom(transaction, key, bounds)
  await transaction.done
}

type Transaction = ReturnType<typeof begin>

/** Deletes the least recently shown molecules until the rest is within bounds. */
async function makeRoom(transaction: Transaction, ours: Key, bounds: Bounds): Promise<void> {
  const uses = transaction.objectStore('uses')
  const [keys, values] = [await uses.getAllKeys(), await uses.getAll()]
  const others = keys
    .map((key, at) => ({ key, use: values[at] ?? { usedAt: 0, bytes: 0 } }))
    .filter(({ key }) => key[0] !== ours[0] || key[1] !== ours[1])
    .sort((a, b) => b.use.usedAt - a.use.usedAt)
  let room =
    bounds.bytes -
    (values.reduce((sum, { bytes }) => sum + bytes, 0) - others.reduce((sum, { use }) => sum + use.bytes, 0))
  for (const [place, { key, use }] of others.entries()) {
    room -= use.bytes
    if (place < bounds.units - 1 && room >= 0) continue
    await uses.delete(key)
    await transaction.objectStore('topologies').delete(key)
    await transaction.objectStore('frames').delete(framesOf(key))
  }
}

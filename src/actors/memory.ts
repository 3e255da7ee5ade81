import type { MemoryCommand, MemoryFact } from '../machines/app/memory.events.ts'
import type { RememberedMachine } from '../machines/connection/fleet/fleet.events.ts'
import { decodeClientContent } from '../protocol/client-message.ts'
import type { Json } from '../protocol/json.ts'
import { factActor } from './fact-actor.ts'
import type { Cache, Drawer } from './resources/cache.ts'

export type MemoryDeps = {
  readonly cache: Cache
  /** Corrected epoch milliseconds. */
  readonly now: () => number
  /** What there is to be remembered of each machine; the same data where nothing has changed. */
  readonly toRemember: () => readonly RememberedMachine[]
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

const KEEP_EVERY = 15_000
/** Machines that are written at a time: a page must not stand still for a large fleet. */
const CHUNK = 50
const MOST_CHUNKS = 100

const COUNT = 'machines'
const chunkKey = (index: number): string => `machines/${index}`
const drawers: readonly (readonly [RememberedMachine['kind'], Drawer])[] = [['direct', 'shared'], ['relay', 'personal']]

/** Tells what this browser knew of the machines when it last saw them, and keeps that up to date. Those of an account lie among what is personal. */
export const memory = ({ cache, now, toRemember, document }: MemoryDeps) =>
  factActor<MemoryCommand, undefined, MemoryFact>(({ report, receive }) => {
    const written = new Map<string, readonly RememberedMachine[]>()
    let round = 0
    let isStopped = false

    const countOf = async (drawer: Drawer): Promise<number> => {
      const body = (await cache.read(drawer, COUNT))?.body
      return typeof body === 'number' && Number.isSafeInteger(body) ? Math.min(MOST_CHUNKS, Math.max(0, body)) : 0
    }

    const recall = async (): Promise<void> => {
      const machines: RememberedMachine[] = []
      for (const [kind, drawer] of drawers) {
        const count = await countOf(drawer)
        for (let index = 0; index < count; index++) machines.push(...machinesIn((await cache.read(drawer, chunkKey(index)))?.body, kind))
      }
      if (!isStopped) report({ type: 'memory.recalled', machines })
    }

    const keep = async (): Promise<void> => {
      const own = ++round
      const machines = toRemember()
      for (const [kind, drawer] of drawers) {
        const chunks = inChunks(machines.filter(machine => machine.kind === kind))
        for (const [index, chunk] of chunks.entries()) {
          if (own !== round) return
          const key = `${drawer} ${index}`
          if (isSame(written.get(key), chunk)) continue
          written.set(key, chunk)
          await cache.write(drawer, chunkKey(index), { at: now(), body: chunk })
        }
        if (own !== round) return
        if (chunks.length !== (await countOf(drawer))) await cache.write(drawer, COUNT, { at: now(), body: chunks.length })
      }
    }

    const forgetAccount = async (): Promise<void> => {
      round++
      written.clear()
      const count = await countOf('personal')
      if (count === 0) return
      await cache.write('personal', COUNT, { at: now(), body: 0 })
      for (let index = 0; index < count; index++) await cache.write('personal', chunkKey(index), { at: now(), body: [] })
    }

    const keepSoon = (): void => void keep()
    const visibilityChanged = (): void => {
      if (document.visibilityState === 'hidden') keepSoon()
    }
    // Nothing is kept before it is known what was kept.
    let timer: ReturnType<typeof setInterval> | undefined
    void recall().then(() => {
      if (!isStopped) timer = setInterval(keepSoon, KEEP_EVERY)
    })
    document.addEventListener('visibilitychange', visibilityChanged)
    receive(() => void forgetAccount())
    return () => {
      isStopped = true
      round++
      clearInterval(timer)
      document.removeEventListener('visibilitychange', visibilityChanged)
    }
  })

const inChunks = (machines: readonly RememberedMachine[]): readonly (readonly RememberedMachine[])[] =>
  Array.from({ length: Math.min(MOST_CHUNKS, Math.ceil(machines.length / CHUNK)) }, (_, index) => machines.slice(index * CHUNK, (index + 1) * CHUNK))

const isSame = (before: readonly RememberedMachine[] | undefined, chunk: readonly RememberedMachine[]): boolean =>
  before?.length === chunk.length && chunk.every(({ data, at }, index) => before[index]?.data === data && before[index].at === at)

/** What another version of this page, or a damaged store, may have left. */
const machinesIn = (body: unknown, kind: RememberedMachine['kind']): readonly RememberedMachine[] =>
  Array.isArray(body) ? body.flatMap((item: unknown) => machineOf(item, kind) ?? []) : []

const machineOf = (item: unknown, kind: RememberedMachine['kind']): RememberedMachine | undefined => {
  if (typeof item !== 'object' || item === null || !('id' in item) || !('at' in item) || !('data' in item)) return undefined
  const { id, at } = item
  const snapshot = decodeClientContent(item.data as Json).find(fact => fact.type === 'snapshot.received')
  if (typeof id !== 'string' || typeof at !== 'number' || snapshot === undefined) return undefined
  return { id, kind, name: 'name' in item && typeof item.name === 'string' ? item.name : undefined, at, data: snapshot.data }
}

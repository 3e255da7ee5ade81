import type { MemoryCommand, MemoryFact } from '../machines/app/memory.events.ts'
import type { RememberedMachine } from '../machines/connection/fleet/fleet.events.ts'
import { decodeClientContent } from '../protocol/client-message.ts'
import type { Json } from '../protocol/json.ts'
import { factActor } from './fact-actor.ts'
import type { Cache, Drawer } from './resources/cache.ts'

export type MemoryDeps = {
  readonly cache: Cache
  /** Whether this browser keeps anything at all. */
  readonly isAvailable: Promise<boolean>
  /** Corrected epoch milliseconds. */
  readonly now: () => number
  /** What there is to be remembered of each machine; the same data where nothing has changed. */
  readonly toRemember: () => readonly RememberedMachine[]
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

const KEEP_EVERY = 5000
/** Machines that are written together, and how often that is done in a row: a page must not stand still for a large fleet. */
const CHUNK = 50
const CHUNKS_AT_A_TIME = 4
const MOST_CHUNKS = 100

const chunkKey = (index: number): string => `machines/${index}`
const drawers: readonly (readonly [RememberedMachine['kind'], Drawer])[] = [
  ['direct', 'shared'],
  ['relay', 'personal'],
]

/** Tells what this browser knew of the machines when it last saw them, and keeps that up to date. Those of an account lie among what is personal. */
export const memory = ({ cache, isAvailable, now, toRemember, document }: MemoryDeps) =>
  factActor<MemoryCommand, undefined, MemoryFact>(({ report, receive }) => {
    const written = new Map<string, readonly RememberedMachine[]>()
    let round = 0
    let isStopped = false

    const chunkAt = async (drawer: Drawer, index: number): Promise<readonly unknown[]> => {
      const body = (await cache.read(drawer, chunkKey(index)))?.body
      return Array.isArray(body) ? (body as unknown[]) : []
    }

    /** A chunk at a time, as it is read: to take up a thousand machines at once would keep a person waiting. */
    const recall = async (): Promise<void> => {
      for (const [kind, drawer] of drawers) {
        for (let index = 0; index < MOST_CHUNKS; index++) {
          const chunk = await chunkAt(drawer, index)
          if (isStopped) return
          if (chunk.length === 0) break
          report({ type: 'memory.recalled', machines: chunk.flatMap(item => machineOf(item, kind) ?? []) })
        }
      }
    }

    /** What has changed since it was written, as the writing of it: an empty chunk is the end. */
    const writings = (): readonly (() => Promise<void>)[] => {
      const machines = toRemember()
      return drawers.flatMap(([kind, drawer]) =>
        inChunks(machines.filter(machine => machine.kind === kind)).flatMap((chunk, index) => {
          const key = `${drawer} ${index}`
          if (isSame(written.get(key), chunk)) return []
          return [
            () => {
              written.set(key, chunk)
              return cache.write(drawer, chunkKey(index), { at: now(), body: chunk })
            },
          ]
        }),
      )
    }

    const keep = async (): Promise<void> => {
      const own = ++round
      const due = writings()
      const first = due.length === 0 ? 0 : own % due.length
      for (const write of [...due.slice(first), ...due.slice(0, first)].slice(0, CHUNKS_AT_A_TIME)) {
        if (own !== round) return
        await write()
      }
    }

    /** The page may be gone in a moment: nothing is waited for. */
    const keepAtOnce = (): void => {
      round++
      for (const write of writings()) void write()
    }

    const forgetAccount = async (): Promise<void> => {
      round++
      written.clear()
      for (let index = 0; index < MOST_CHUNKS && (await chunkAt('personal', index)).length > 0; index++)
        await cache.write('personal', chunkKey(index), { at: now(), body: [] })
    }

    const visibilityChanged = (): void => {
      if (document.visibilityState === 'hidden') keepAtOnce()
    }
    // Nothing is kept before it is known what was kept.
    let timer: ReturnType<typeof setInterval> | undefined
    void isAvailable.then(isKept => {
      if (!isKept && !isStopped) report({ type: 'memory.unavailable' })
    })
    void recall().then(() => {
      if (!isStopped) timer = setInterval(() => void keep(), KEEP_EVERY)
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

/** And an empty one behind them. */
const inChunks = (machines: readonly RememberedMachine[]): readonly (readonly RememberedMachine[])[] =>
  Array.from({ length: Math.min(MOST_CHUNKS, Math.ceil(machines.length / CHUNK) + 1) }, (_, index) =>
    machines.slice(index * CHUNK, (index + 1) * CHUNK),
  )

const isSame = (before: readonly RememberedMachine[] | undefined, chunk: readonly RememberedMachine[]): boolean =>
  before?.length === chunk.length &&
  chunk.every(({ data, at }, index) => before[index]?.data === data && before[index].at === at)

/** Undefined for what another version of this page, or a damaged store, may have left. */
const machineOf = (item: unknown, kind: RememberedMachine['kind']): RememberedMachine | undefined => {
  if (typeof item !== 'object' || item === null || !('id' in item) || !('at' in item) || !('data' in item))
    return undefined
  const { id, at } = item
  const snapshot = decodeClientContent(item.data as Json).find(fact => fact.type === 'snapshot.received')
  if (typeof id !== 'string' || typeof at !== 'number' || snapshot === undefined) return undefined
  return {
    id,
    kind,
    name: 'name' in item && typeof item.name === 'string' ? item.name : undefined,
    at,
    data: snapshot.data,
  }
}

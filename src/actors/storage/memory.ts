import type { MemoryCommand, MemoryFact } from '../../machines/app/memory.events.ts'
import type { RememberedClient } from '../../machines/connection/fleet/fleet.events.ts'
import { decodeClientData } from '../../protocol/client/decode-client-data.ts'
import { isJsonObject, type Json } from '../../protocol/json.ts'
import { withoutSecrets } from '../../protocol/secret-names.ts'
import { factActor } from '../fact-actor.ts'
import type { Cache, CachePartition } from '../resources/cache.ts'
import { isSameList } from '../../folding/shared/equal.ts'

export type MemoryDeps = {
  readonly cache: Cache
  /** Whether the browser's storage works. */
  readonly isAvailable: Promise<boolean>
  /** Corrected epoch milliseconds. */
  readonly now: () => number
  /** The last state of each client, with its secrets; the same `data` object while nothing has changed. */
  readonly selectClients: () => readonly RememberedClient[]
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

/** Milliseconds. */
const SAVE_INTERVAL = 5000
/** Clients per stored entry, and entries written per interval: bounded, so that a large fleet does not block the page. */
const CHUNK_SIZE = 50
const CHUNKS_PER_SAVE = 4
const MAX_CHUNKS = 100

function chunkKey(index: number): string {
  return `machines/${index}`
}
const partitions: readonly (readonly [RememberedClient['kind'], CachePartition])[] = [
  ['direct', 'shared'],
  ['relay', 'personal'],
]

/** Restores the last known state of clients at the start, and keeps it stored. Clients of an account are in the personal partition. */
export function clientMemory({ cache, isAvailable, now, selectClients, document }: MemoryDeps) {
  return factActor<MemoryCommand, undefined, MemoryFact>(({ report, receive }) => {
    const written = new Map<string, readonly RememberedClient[]>()
    let round = 0
    let isStopped = false

    const chunkAt = async (partition: CachePartition, index: number): Promise<readonly unknown[]> => {
      const body = (await cache.read(partition, chunkKey(index)))?.body
      return Array.isArray(body) ? (body as unknown[]) : []
    }

    /** Reports chunk by chunk, so that a thousand clients do not block the page. */
    const loadClients = async (): Promise<void> => {
      for (const [kind, partition] of partitions) {
        for (let index = 0; index < MAX_CHUNKS; index++) {
          const chunk = await chunkAt(partition, index)
          if (isStopped) return
          if (chunk.length === 0) break
          report({ type: 'memory.restored', machines: chunk.flatMap(item => clientOf(item, kind) ?? []) })
        }
      }
    }

    /** Functions that write the chunks that have changed. An empty chunk marks the end. */
    const pendingWrites = (): readonly (() => Promise<void>)[] => {
      const clients = selectClients()
      return partitions.flatMap(([kind, partition]) =>
        inChunks(clients.filter(client => client.kind === kind)).flatMap((chunk, index) => {
          const key = `${partition} ${index}`
          if (isSame(written.get(key), chunk)) return []
          return [
            () => {
              written.set(key, chunk)
              return cache.write(partition, chunkKey(index), { at: now(), body: chunk.map(withoutItsSecrets) })
            },
          ]
        }),
      )
    }

    const save = async (): Promise<void> => {
      const currentRound = ++round
      const due = pendingWrites()
      const first = due.length === 0 ? 0 : currentRound % due.length
      for (const write of [...due.slice(first), ...due.slice(0, first)].slice(0, CHUNKS_PER_SAVE)) {
        if (currentRound !== round) return
        await write()
      }
    }

    /** Starts all writes at once, since a hidden page may be closed. */
    const saveNow = (): void => {
      round++
      for (const write of pendingWrites()) void write()
    }

    const clearAccount = async (): Promise<void> => {
      round++
      written.clear()
      for (let index = 0; index < MAX_CHUNKS && (await chunkAt('personal', index)).length > 0; index++)
        await cache.write('personal', chunkKey(index), { at: now(), body: [] })
    }

    // Saving starts after loading, or it would overwrite what is stored.
    let timer: ReturnType<typeof setInterval> | undefined
    const visibilityChanged = (): void => {
      if (document.visibilityState === 'hidden' && timer !== undefined) saveNow()
    }
    void isAvailable.then(isWorking => {
      if (!isWorking && !isStopped) report({ type: 'memory.unavailable' })
    })
    void loadClients().then(() => {
      if (!isStopped) timer = setInterval(() => void save(), SAVE_INTERVAL)
    })
    document.addEventListener('visibilitychange', visibilityChanged)
    receive(() => void clearAccount())
    return () => {
      isStopped = true
      round++
      clearInterval(timer)
      document.removeEventListener('visibilitychange', visibilityChanged)
    }
  })
}

/** Chunks of clients, and an empty one at the end. */
function inChunks(clients: readonly RememberedClient[]): readonly (readonly RememberedClient[])[] {
  return Array.from({ length: Math.min(MAX_CHUNKS, Math.ceil(clients.length / CHUNK_SIZE) + 1) }, (_, index) =>
    clients.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  )
}

function isSame(before: readonly RememberedClient[] | undefined, chunk: readonly RememberedClient[]): boolean {
  return (
    before !== undefined &&
    isSameList(
      before,
      chunk,
      (one, other) => one.data === other?.data && one.at === other.at && one.clone === other.clone,
    )
  )
}

/** Only what is written is copied: the data of thousands of clients take a tenth of a second. */
function withoutItsSecrets(client: RememberedClient) {
  const data: unknown = client.data
  return { ...client, data: withoutSecrets(data as Json) }
}

/** Undefined for what another version of this page or a damaged store holds. */
function clientOf(item: unknown, kind: RememberedClient['kind']): RememberedClient | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item) || !('at' in item) || !('data' in item))
    return undefined
  const { id, at } = item
  const stored = item.data as Json
  const data = isJsonObject(stored) ? decodeClientData(stored, () => undefined) : undefined
  if (typeof id !== 'string' || typeof at !== 'number' || data === undefined) return undefined
  return {
    id,
    kind,
    name: 'name' in item && typeof item.name === 'string' ? item.name : undefined,
    at,
    data,
    ...('clone' in item && (item.clone === 'computer' || item.clone === 'connection') ? { clone: item.clone } : {}),
  }
}

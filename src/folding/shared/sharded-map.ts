/**
 * An immutable map for thousands of entries of which one changes at a time: setting an entry copies its shard and the
 * list of shards, and shares the rest.
 */
export type ShardedMap<T> = readonly ReadonlyMap<string, T>[]

const COUNT = 64

export function emptyShardedMap<T>(): ShardedMap<T> {
  return Array.from({ length: COUNT }, () => new Map<string, T>())
}

export function shardedGet<T>(map: ShardedMap<T>, id: string): T | undefined {
  return map[shardIndex(id)]?.get(id)
}

export function shardedSet<T>(map: ShardedMap<T>, id: string, value: T): ShardedMap<T> {
  const at = shardIndex(id)
  return map.map((shard, index) => (index === at ? new Map(shard).set(id, value) : shard))
}

export function shardedDelete<T>(map: ShardedMap<T>, ids: readonly string[]): ShardedMap<T> {
  const gone = new Set(ids)
  return gone.size === 0 ? map : map.map(shard => new Map([...shard].filter(([id]) => !gone.has(id))))
}

/** Every entry, in no particular order. */
export function* shardedEntries<T>(map: ShardedMap<T>): Generator<readonly [id: string, value: T]> {
  for (const shard of map) yield* shard
}

/** Whether a value has this structure. */
export function isShardedMap(value: object): value is ShardedMap<unknown> {
  return Array.isArray(value) && value.length === COUNT && value.every(shard => shard instanceof Map)
}

export function shardedMapOf<T>(entries: Iterable<readonly [id: string, value: T]>): ShardedMap<T> {
  const map = Array.from({ length: COUNT }, () => new Map<string, T>())
  for (const [id, value] of entries) map[shardIndex(id)]?.set(id, value)
  return map
}

function shardIndex(id: string): number {
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (hash * 31 + id.charCodeAt(at)) | 0
  return Math.abs(hash % COUNT)
}

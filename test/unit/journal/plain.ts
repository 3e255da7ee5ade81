import { shardedEntries, isShardedMap } from '../../../src/folding/shared/sharded-map.ts'
import { unpackLines, type PackedLines } from '../../../src/protocol/client/packed-lines.ts'

/** What there is to compare of a value: classes show what they hold. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  // The shard of an entry depends on its id.
  if (isShardedMap(value))
    return { entries: [...shardedEntries(value)].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1)).map(plain) }
  if (Array.isArray(value)) return value.map(plain)
  if ('bytes' in value && value.bytes instanceof Uint8Array && 'ends' in value) return unpackLines(value as PackedLines)
  if (value instanceof Float32Array) return { floats: [...value] }
  // Of other numbers in binary form only those of a molecule are saved (src/journal/codec.ts).
  if (ArrayBuffer.isView(value)) return undefined
  if (value instanceof Map) return { map: [...value].map(plain) }
  if (value instanceof Set) return { set: [...value].map(plain) }
  if (value instanceof Error) return { error: String(value) }
  if (hasToJson(value)) return plain(value.toJSON())
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}

/** Every text in a value, keys among them. */
export function everyText(value: unknown): readonly string[] {
  const texts = new Set<string>()
  const seen = new Set<unknown>()
  const look = (part: unknown): void => {
    if (typeof part === 'string') texts.add(part)
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    seen.add(part)
    if (hasToJson(part)) look(part.toJSON())
    else if (part instanceof Map || part instanceof Set) look([...part])
    else if (Array.isArray(part)) part.forEach(look)
    else if (!ArrayBuffer.isView(part)) Object.entries(part).flat().forEach(look)
  }
  look(value)
  return [...texts]
}

function hasToJson(value: object): value is { readonly toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

/** A recording has other ids of clients, in the same order; ids of direct connections stay. They come first. */
function place(id: string): string {
  return /^(?:@|__direct__)/.test(id) ? ` ${id}` : id
}

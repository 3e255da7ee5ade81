import type { ResourceKey, ValueOf } from '../../../folding/shared/resource-keys.ts'
import type { ResourceRef } from '../resource/resource.machine.ts'
import type { QueryCacheSnapshot } from './query-cache.machine.ts'

/** The actor of one remote value; undefined until it was requested. */
export function selectResource(key: ResourceKey | undefined) {
  return ({ context }: QueryCacheSnapshot): ResourceRef | undefined =>
    key === undefined ? undefined : context.entries.get(key)?.ref
}

/** The newest known value of a key; undefined while there is none. The cache changes whenever a value does. */
export function selectKnown<Key extends ResourceKey>(key: Key) {
  return ({ context }: QueryCacheSnapshot): ValueOf<Key> | undefined => {
    const result = context.entries.get(key)?.ref.getSnapshot().context.known
    // The fetcher of a key decodes to the type that `ResourceValues` has for it.
    return result?.isThere === true ? (result.value as ValueOf<Key>) : undefined
  }
}

import type { ResourceKey } from '../../../folding/shared/resource-keys.ts'
import type { ResourceRef } from '../resource/resource.machine.ts'
import type { QueryCacheSnapshot } from './query-cache.machine.ts'

/** Changes when the user signs out, so that personal values are requested again. */
export const selectPerson = ({ context }: QueryCacheSnapshot): number => context.person

/** The actor of one remote value; undefined until it was requested. */
export const selectResource =
  (key: ResourceKey | undefined) =>
  ({ context }: QueryCacheSnapshot): ResourceRef | undefined =>
    key === undefined ? undefined : context.entries.get(key)?.ref

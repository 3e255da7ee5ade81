import type { ResourceKey } from '../../../folding/shared/resource-keys.ts'
import type { ResourceRef } from '../resource/resource.machine.ts'
import type { LibrarySnapshot } from './query-cache.machine.ts'

/** Which person personal values are about: another number after one has left. */
export const selectPerson = ({ context }: LibrarySnapshot): number => context.person

/** The machine of one remote value; undefined until somebody wants it. */
export const selectResource =
  (key: ResourceKey | undefined) =>
  ({ context }: LibrarySnapshot): ResourceRef | undefined =>
    key === undefined ? undefined : context.entries.get(key)?.ref

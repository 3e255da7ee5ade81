import { tagsOfClient, type Tags } from '../../../folding/fleet/tags.ts'
import type { TagsSnapshot } from './tags.machine.ts'

export const selectTags = ({ context }: TagsSnapshot): Tags => context.tags

/** Tags of a client, by its own id. The same list while they are the same. */
export const selectTagsOf =
  (client: string | undefined) =>
  ({ context }: TagsSnapshot): readonly string[] =>
    tagsOfClient(context.tags, client)

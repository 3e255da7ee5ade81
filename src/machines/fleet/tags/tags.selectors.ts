import { tagsOfClient, type Tags } from '../../../folding/fleet/tags.ts'
import type { TagsSnapshot } from './tags.machine.ts'

export function selectTags({ context }: TagsSnapshot): Tags {
  return context.tags
}

/** Tags of a client, by its own id. The same list while they are the same. */
export function selectTagsOf(client: string | undefined) {
  return ({ context }: TagsSnapshot): readonly string[] => tagsOfClient(context.tags, client)
}

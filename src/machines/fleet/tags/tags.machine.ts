import { assign, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  NO_TAGS,
  tagOf,
  withImportedTags,
  withoutTag,
  withTag,
  withTagRenamed,
  type Tags,
} from '../../../folding/fleet/tags.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { KeepTags, TagsCommand, TagsEvent } from './tags.events.ts'

export type TagsContext = { readonly tags: Tags }

/** The tags after a command; the same when it changes nothing. */
const tagsAfter = (tags: Tags, command: TagsCommand): Tags => {
  if (command.type === 'tags.import') return withImportedTags(tags, command.tags, command.mode)
  const tag = tagOf(command.type === 'tags.rename' ? command.newTag : command.tag)
  if (tag === undefined) return tags
  switch (command.type) {
    case 'tags.add':
      return withTag(tags, command.machines, tag)
    case 'tags.remove':
      return withoutTag(tags, command.machines, tag)
    case 'tags.rename':
      return withTagRenamed(tags, command.tag, tag)
  }
}

export const tagsMachine = setup({
  types: { context: {} as TagsContext, events: {} as TagsEvent },
  actors: {
    /** Keeps the tags in this browser. */
    tagStore: actorPlaceholder<KeepTags, undefined>('tagStore'),
  },
  guards: { isChange: ({ context }, command: TagsCommand) => tagsAfter(context.tags, command) !== context.tags },
  actions: {
    change: assign(({ context }, command: TagsCommand) => ({ tags: tagsAfter(context.tags, command) })),
    keep: sendTo('tagStore', ({ context }): KeepTags => ({ type: 'store.keep', value: context.tags })),
  },
}).createMachine({
  id: 'tags',
  description: 'A person’s own tags of machines, kept in this browser.',
  context: { tags: NO_TAGS },
  invoke: { src: 'tagStore', id: 'tagStore' },
  on: {
    'tags.restored': { actions: assign(({ event }) => ({ tags: event.tags })) },
    'tags.add': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'tags.remove': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'tags.rename': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'tags.import': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
  },
})

export type TagsRef = ActorRefFrom<typeof tagsMachine>
export type TagsSnapshot = SnapshotFrom<typeof tagsMachine>

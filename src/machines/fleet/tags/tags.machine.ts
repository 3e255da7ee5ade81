import { assign, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { NO_TAGS, tagsAfter, type TagChange, type Tags } from '../../../folding/fleet/tags.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { KeepTags, TagsEvent, TagsNotification } from './tags.events.ts'

export type TagsContext = { readonly tags: Tags }

/** What each change does. */
const change = {
  guard: { type: 'isChange', params: ({ event }: { readonly event: TagChange }) => event },
  actions: [
    { type: 'change', params: ({ event }: { readonly event: TagChange }) => event },
    'keep',
    { type: 'notifyChanged', params: ({ event }: { readonly event: TagChange }) => event },
  ],
} as const

export const tagsMachine = setup({
  types: { context: {} as TagsContext, events: {} as TagsEvent },
  actors: {
    /** Keeps the tags in this browser. */
    tagStore: actorPlaceholder<KeepTags, undefined>('tagStore'),
  },
  guards: {
    isChange: ({ context }, change: TagChange) => tagsAfter(context.tags, change) !== context.tags,
  },
  actions: {
    change: assign(({ context }, change: TagChange) => ({ tags: tagsAfter(context.tags, change) })),
    assignTags: assign((_, tags: Tags) => ({ tags })),
    keep: sendTo('tagStore', ({ context }): KeepTags => ({ type: 'store.keep', value: context.tags })),
    notifyChanged: sendParent((_, change: TagChange): TagsNotification => ({ type: 'tags.changed', change })),
  },
}).createMachine({
  id: 'tags',
  description: 'Tags of machines, kept in this browser, and by the server of this page where there is one.',
  context: { tags: NO_TAGS },
  invoke: { src: 'tagStore', id: 'tagStore' },
  on: {
    'tags.restored': { actions: { type: 'assignTags', params: ({ event }) => event.tags } },
    'tags.served': [
      {
        guard: ({ event }) => event.isCopied,
        actions: [{ type: 'assignTags', params: ({ event }) => event.tags }, 'keep'],
      },
      { actions: { type: 'assignTags', params: ({ event }) => event.tags } },
    ],
    'tags.add': change,
    'tags.remove': change,
    'tags.rename': change,
    'tags.import': change,
  },
})

export type TagsRef = ActorRefFrom<typeof tagsMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly tags: TagsRef
  }
}
export type TagsSnapshot = SnapshotFrom<typeof tagsMachine>

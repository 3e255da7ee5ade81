import { assign, enqueueActions, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  NO_TAGS,
  ownNamesIn,
  tagsAfter,
  type OwnNames,
  type TagChange,
  type Tags,
} from '../../../folding/fleet/tags.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { KeepTags, TagsEvent, TagsNotification } from './tags.events.ts'

/** `named`: the own names that were told. */
export type TagsContext = { readonly tags: Tags; readonly named: OwnNames }

/** What each change does. */
const change = {
  guard: { type: 'isChange', params: ({ event }: { readonly event: TagChange }) => event },
  actions: [
    { type: 'change', params: ({ event }: { readonly event: TagChange }) => event },
    'keep',
    { type: 'notifyChanged', params: ({ event }: { readonly event: TagChange }) => event },
    'notifyNamed',
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
    notifyNamed: enqueueActions(({ context, enqueue }) => {
      const named = ownNamesIn(context.tags)
      if (isSameValue(named, context.named)) return
      enqueue.assign({ named })
      enqueue.sendParent({ type: 'tags.named', tags: named } satisfies TagsNotification)
    }),
    notifyChanged: sendParent((_, change: TagChange): TagsNotification => ({ type: 'tags.changed', change })),
  },
}).createMachine({
  id: 'tags',
  description: 'Tags of machines, kept in this browser, and by the server of this page where there is one.',
  context: { tags: NO_TAGS, named: {} },
  invoke: { src: 'tagStore', id: 'tagStore' },
  on: {
    'tags.restored': { actions: [{ type: 'assignTags', params: ({ event }) => event.tags }, 'notifyNamed'] },
    'tags.served': [
      {
        guard: ({ event }) => event.isCopied,
        actions: [{ type: 'assignTags', params: ({ event }) => event.tags }, 'keep', 'notifyNamed'],
      },
      { actions: [{ type: 'assignTags', params: ({ event }) => event.tags }, 'notifyNamed'] },
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

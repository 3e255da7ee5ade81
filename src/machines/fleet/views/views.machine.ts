import { assign, sendParent, sendTo, setup, type SnapshotFrom } from 'xstate'
import {
  NO_VIEWS,
  viewsAfter,
  type SavedViews,
  type ViewChange,
  type ViewParams,
} from '../../../folding/fleet/saved-views.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { KeepViews, ViewsEvent, ViewsNotification } from './views.events.ts'

export type ViewsContext = {
  readonly saved: SavedViews
  /** The parameters with which the machines screen was last shown since the page was loaded; undefined before that. */
  readonly last: ViewParams | undefined
}

/** What each change does. */
const change = {
  guard: { type: 'isChange', params: ({ event }: { readonly event: ViewChange }) => event },
  actions: [
    { type: 'change', params: ({ event }: { readonly event: ViewChange }) => event },
    'keep',
    { type: 'notifyChanged', params: ({ event }: { readonly event: ViewChange }) => event },
  ],
} as const

export const viewsMachine = setup({
  types: { context: {} as ViewsContext, events: {} as ViewsEvent },
  actors: {
    /** Keeps the views in this browser. */
    viewStore: actorPlaceholder<KeepViews, undefined>('viewStore'),
  },
  guards: {
    isChange: ({ context }, change: ViewChange) => viewsAfter(context.saved, change) !== context.saved,
  },
  actions: {
    change: assign(({ context }, change: ViewChange) => ({ saved: viewsAfter(context.saved, change) })),
    assignViews: assign((_, saved: SavedViews) => ({ saved })),
    keep: sendTo('viewStore', ({ context }): KeepViews => ({ type: 'store.keep', value: context.saved })),
    notifyChanged: sendParent((_, change: ViewChange): ViewsNotification => ({ type: 'views.changed', change })),
  },
}).createMachine({
  id: 'views',
  description:
    'Saved views of the machines screen, kept in this browser, and by the server of this page where there is one; and how the screen was last shown.',
  context: { saved: NO_VIEWS, last: undefined },
  invoke: { src: 'viewStore', id: 'viewStore' },
  on: {
    'views.save': change,
    'views.rename': change,
    'views.move': change,
    'views.delete': change,
    'views.choose': change,
    'views.import': change,
    'views.restored': { actions: { type: 'assignViews', params: ({ event }) => event.views } },
    'views.served': [
      {
        guard: ({ event }) => event.isCopied,
        actions: [{ type: 'assignViews', params: ({ event }) => event.views }, 'keep'],
      },
      { actions: { type: 'assignViews', params: ({ event }) => event.views } },
    ],
    'views.shown': { actions: assign(({ event }) => ({ last: event.params })) },
  },
  initial: 'closed',
  states: {
    closed: { on: { 'views.open': 'open' } },
    open: { description: 'The dialog that manages views is open.', tags: 'open', on: { 'views.close': 'closed' } },
  },
})

export type ViewsSnapshot = SnapshotFrom<typeof viewsMachine>

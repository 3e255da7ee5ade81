import { assign, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import {
  NO_VIEWS,
  viewNamed,
  viewNameOf,
  withImportedViews,
  withoutView,
  withView,
  withViewMoved,
  withViewRenamed,
  type SavedViews,
  type ViewParams,
} from '../../../folding/fleet/saved-views.ts'
import { actorPlaceholder } from '../../shared/actor-placeholder.ts'
import type { KeepViews, ViewsCommand, ViewsEvent } from './views.events.ts'

export type ViewsContext = {
  readonly saved: SavedViews
  /** The parameters with which the machines screen was last shown since the page was loaded; undefined before that. */
  readonly last: ViewParams | undefined
}

/** The views after a command; the same when it changes nothing. */
const viewsAfter = (saved: SavedViews, command: ViewsCommand): SavedViews => {
  switch (command.type) {
    case 'views.save': {
      const name = viewNameOf(command.name)
      return name === undefined ? saved : withView(saved, name, command.params)
    }
    case 'views.rename': {
      const to = viewNameOf(command.newName)
      return to === undefined ? saved : withViewRenamed(saved, command.name, to)
    }
    case 'views.move':
      return withViewMoved(saved, command.name, command.by)
    case 'views.delete':
      return viewNamed(saved, command.name) === undefined ? saved : withoutView(saved, command.name)
    case 'views.choose': {
      const chosen = command.name === undefined ? undefined : viewNamed(saved, command.name)?.name
      return chosen === saved.chosen ? saved : { ...saved, chosen }
    }
    case 'views.import':
      return withImportedViews(saved, command.views, command.mode)
  }
}

export const viewsMachine = setup({
  types: { context: {} as ViewsContext, events: {} as ViewsEvent },
  actors: {
    /** Keeps the views in this browser. */
    viewStore: actorPlaceholder<KeepViews, undefined>('viewStore'),
  },
  guards: { isChange: ({ context }, command: ViewsCommand) => viewsAfter(context.saved, command) !== context.saved },
  actions: {
    change: assign(({ context }, command: ViewsCommand) => ({ saved: viewsAfter(context.saved, command) })),
    keep: sendTo('viewStore', ({ context }): KeepViews => ({ type: 'store.keep', value: context.saved })),
  },
}).createMachine({
  id: 'views',
  description: 'Saved views of the machines screen, kept in this browser, and how it was last shown.',
  context: { saved: NO_VIEWS, last: undefined },
  invoke: { src: 'viewStore', id: 'viewStore' },
  on: {
    'views.save': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'views.rename': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'views.move': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'views.delete': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'views.choose': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'views.import': {
      guard: { type: 'isChange', params: ({ event }) => event },
      actions: [{ type: 'change', params: ({ event }) => event }, 'keep'],
    },
    'views.restored': { actions: assign(({ event }) => ({ saved: event.views })) },
    'views.shown': { actions: assign(({ event }) => ({ last: event.params })) },
  },
  initial: 'closed',
  states: {
    closed: { on: { 'views.open': 'open' } },
    open: { description: 'The dialog that manages views is open.', tags: 'open', on: { 'views.close': 'closed' } },
  },
})

export type ViewsRef = ActorRefFrom<typeof viewsMachine>
export type ViewsSnapshot = SnapshotFrom<typeof viewsMachine>

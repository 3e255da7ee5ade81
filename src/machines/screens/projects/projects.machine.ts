import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { ProjectsEvent } from './projects.events.ts'

export type ProjectsContext = {
  /** How many earlier projects are to be described, and how many of them are fetched by now. */
  readonly asked: number
  readonly described: number
}

/** Of a longer list, the others are not described while the screen is open. */
const MOST_DESCRIBED = 500

const nothing: ProjectsContext = { asked: 0, described: 0 }

export const projectsMachine = setup({
  types: { context: {} as ProjectsContext, events: {} as ProjectsEvent },
  // Searching asks for the descriptions of all earlier projects, so those are fetched one after another.
  delays: { connectingTime: 1000, loadingIndicator: 8000, descriptionPace: 100 },
  guards: { lacksSome: ({ context: { asked, described } }) => described < asked },
}).createMachine({
  id: 'projects',
  description: 'Decides when descriptions of projects are fetched, and how long a loading indicator is shown.',
  context: nothing,
  // The list may be there before the screen that opens it.
  on: {
    'projects.describe': {
      actions: assign(({ context, event }) => ({
        asked: Math.min(MOST_DESCRIBED, Math.max(context.asked, event.count)),
      })),
    },
  },
  initial: 'closed',
  states: {
    closed: { on: { 'projects.open': 'open' } },
    open: {
      type: 'parallel',
      exit: assign(nothing),
      on: { 'projects.close': 'closed' },
      states: {
        active: {
          initial: 'connecting',
          states: {
            connecting: {
              description: 'Waiting for connecting machines to report their projects.',
              tags: 'loading',
              after: { connectingTime: 'loading' },
            },
            loading: { tags: ['loading', 'wanted'], after: { loadingIndicator: 'shown' } },
            shown: { tags: 'wanted' },
          },
        },
        earlier: {
          initial: 'resting',
          states: {
            resting: { always: { guard: 'lacksSome', target: 'describing' } },
            describing: {
              tags: 'describing',
              after: {
                descriptionPace: {
                  target: 'resting',
                  actions: assign(({ context }) => ({ described: context.described + 1 })),
                },
              },
            },
          },
        },
      },
    },
  },
})

export type ProjectsRef = ActorRefFrom<typeof projectsMachine>
export type ProjectsSnapshot = SnapshotFrom<typeof projectsMachine>

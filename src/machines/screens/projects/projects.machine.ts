import { setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { ProjectsEvent } from './projects.events.ts'

export const projectsMachine = setup({
  types: { events: {} as ProjectsEvent },
  delays: { connectingTime: 1000, loadingIndicator: 8000 },
}).createMachine({
  id: 'projects',
  description: 'Decides when descriptions of active projects are fetched, and how long a loading indicator is shown.',
  initial: 'closed',
  states: {
    closed: { on: { 'projects.open': 'open' } },
    open: {
      on: { 'projects.close': 'closed' },
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
  },
})

export type ProjectsRef = ActorRefFrom<typeof projectsMachine>
export type ProjectsSnapshot = SnapshotFrom<typeof projectsMachine>

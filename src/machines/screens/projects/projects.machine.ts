import { setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { ProjectsEvent } from './projects.events.ts'

export const projectsMachine = setup({
  types: { events: {} as ProjectsEvent },
  delays: { connectingTime: 1000, loadingIndicator: 8000 },
}).createMachine({
  id: 'projects',
  description: 'When the descriptions of active projects are fetched, and for how long the page says so.',
  initial: 'closed',
  states: {
    closed: { on: { 'projects.open': 'open' } },
    open: {
      on: { 'projects.close': 'closed' },
      initial: 'connecting',
      states: {
        connecting: {
          description: 'Machines that are being connected still tell what they work on.',
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

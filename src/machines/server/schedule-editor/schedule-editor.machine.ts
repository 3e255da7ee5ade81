import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { ScheduleEditorEvent } from './schedule-editor.events.ts'

export type ScheduleEditorContext = {
  readonly draft: Schedule | undefined
  readonly before: Schedule | undefined
  readonly at: number | undefined
}

const EMPTY: ScheduleEditorContext = { draft: undefined, before: undefined, at: undefined }

export const scheduleEditorMachine = setup({
  types: { context: {} as ScheduleEditorContext, events: {} as ScheduleEditorEvent },
  actions: {
    begin: assign((_, { schedule, at }: { schedule: Schedule; at: number | undefined }) => ({
      draft: schedule,
      before: at === undefined ? undefined : schedule,
      at,
    })),
    change: assign(({ context: { draft } }, change: Partial<Schedule>) => ({
      draft: draft === undefined ? undefined : { ...draft, ...change },
    })),
    clear: assign(EMPTY),
  },
}).createMachine({
  id: 'scheduleEditor',
  description: 'The schedule that is being edited, until it is saved or given up.',
  context: EMPTY,
  initial: 'closed',
  states: {
    closed: { on: { 'editor.open': { target: 'open', actions: { type: 'begin', params: ({ event }) => event } } } },
    open: {
      on: {
        'editor.change': { actions: { type: 'change', params: ({ event }) => event.change } },
        'editor.close': { target: 'closed', actions: 'clear' },
      },
    },
  },
})

export type ScheduleEditorRef = ActorRefFrom<typeof scheduleEditorMachine>
export type ScheduleEditorSnapshot = SnapshotFrom<typeof scheduleEditorMachine>

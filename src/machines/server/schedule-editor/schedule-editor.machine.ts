import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import type { Schedule } from '../../../folding/schedule/schedule.ts'
import type { ScheduleEditorEvent } from './schedule-editor.events.ts'

export type ScheduleEditorContext = {
  readonly draft: Schedule | undefined
  readonly before: Schedule | undefined
  readonly at: number | undefined
  /** Drafts before each change in the picture, the newest last. */
  readonly past: readonly Schedule[]
}

type Begun = Pick<ScheduleEditorContext, 'before' | 'at'> & { readonly schedule: Schedule }

const EMPTY: ScheduleEditorContext = { draft: undefined, before: undefined, at: undefined, past: [] }
const MOST_STEPS = 100

export const scheduleEditorMachine = setup({
  types: { context: {} as ScheduleEditorContext, events: {} as ScheduleEditorEvent },
  actions: {
    begin: assign((_, { schedule, before, at }: Begun) => ({
      draft: schedule,
      before,
      at,
      past: before === undefined || before === schedule ? [] : [before],
    })),
    step: assign(({ context: { draft, past } }, schedule: Schedule) => ({
      draft: schedule,
      past: draft === undefined ? past : [...past, draft].slice(-MOST_STEPS),
    })),
    clear: assign(EMPTY),
    /** What was changed since is a change of what was saved. */
    assignSaved: assign(({ context: { draft } }, schedules: readonly Schedule[]) => {
      const at = schedules.findIndex(({ id }) => id === draft?.id)
      return at < 0 ? {} : { before: schedules[at], at, past: [] }
    }),
  },
  guards: {
    isLastStep: ({ context: { before, past } }) => past.length === 1 && past[0] === before,
    hasStep: ({ context }) => context.past.length > 0,
    isDraftOf: ({ context: { draft } }, schedules: readonly Schedule[]) =>
      draft !== undefined && schedules.includes(draft),
  },
}).createMachine({
  id: 'scheduleEditor',
  description: 'The schedule that is being edited, until it is saved or given up.',
  context: EMPTY,
  initial: 'closed',
  on: {
    'editor.close': { target: '.closed', actions: 'clear' },
    'editor.saved': [
      {
        guard: { type: 'isDraftOf', params: ({ event }) => event.schedules },
        target: '.closed',
        actions: 'clear',
      },
      { actions: { type: 'assignSaved', params: ({ event }) => event.schedules } },
    ],
  },
  states: {
    closed: {
      on: {
        'editor.open': {
          target: 'open',
          actions: {
            type: 'begin',
            params: ({ event: { schedule, at } }) => ({
              schedule,
              at,
              before: at === undefined ? undefined : schedule,
            }),
          },
        },
        'editor.draw': { target: 'drawn', actions: { type: 'begin', params: ({ event }) => event } },
      },
    },
    drawn: {
      description: 'Changed in the picture of the week, step by step, and not saved.',
      on: {
        'editor.draw': {
          guard: ({ context, event }) => context.draft?.id === event.schedule.id,
          actions: { type: 'step', params: ({ event }) => event.schedule },
        },
        'editor.undo': [
          { guard: 'isLastStep', target: 'closed', actions: 'clear' },
          {
            guard: 'hasStep',
            actions: assign(({ context: { draft, past } }) => ({
              draft: past.at(-1) ?? draft,
              past: past.slice(0, -1),
            })),
          },
        ],
        'editor.showForm': 'open',
      },
    },
    open: {
      description: 'In its form.',
      tags: 'form',
      on: {
        'editor.change': {
          actions: assign(({ context: { draft }, event }) => ({
            draft: draft === undefined ? undefined : { ...draft, ...event.change },
          })),
        },
      },
    },
  },
})

export type ScheduleEditorSnapshot = SnapshotFrom<typeof scheduleEditorMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly scheduleEditor: ActorRefFrom<typeof scheduleEditorMachine>
  }
}

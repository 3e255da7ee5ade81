import { assign, enqueueActions, setup, type SnapshotFrom } from 'xstate'
import type { SchedulesAnswer, SessionAnswer } from '../../../folding/schedule/server-answers.ts'
import { backOffDelay, SERVER } from '../../../folding/shared/back-off.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { sendToSibling } from '../../shared/siblings.ts'
import type { ServerAnswer, ServerTask, SessionEvent, TaskResult } from './session.events.ts'

type TaskFault = Exclude<TaskResult, { readonly kind: 'done' | 'signedOut' }>

export type SessionContext = {
  /** The last known; undefined before the first answer. */
  readonly session: SessionAnswer | undefined
  readonly schedules: SchedulesAnswer | undefined
  /** What the user asked for and the server has not answered yet. */
  readonly task: ServerTask | undefined
  readonly fault: TaskFault | undefined
  readonly failures: number
}

export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent },
  actors: {
    askServer: taskPlaceholder<ServerAnswer, undefined>('askServer'),
    doTask: taskPlaceholder<TaskResult, ServerTask>('doTask'),
    serverEvents: actorPlaceholder<{ readonly type: 'none' }, undefined>('serverEvents'),
  },
  delays: {
    refreshPeriod: 60_000,
    retryDelay: ({ context }) => backOffDelay(context.failures, SERVER),
  },
  actions: {
    assignKnown: assign((_, answer: ServerAnswer) =>
      answer.kind === 'known' ? { session: answer.session, schedules: answer.schedules, failures: 0 } : {},
    ),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    assignTask: assign((_, task: ServerTask) => ({ task, fault: undefined })),
    assignFault: assign((_, result: TaskResult) => ({
      task: undefined,
      fault: result.kind === 'done' || result.kind === 'signedOut' ? undefined : result,
    })),
    giveUpTask: assign(({ context: { task } }) =>
      task === undefined ? {} : { task: undefined, fault: { kind: 'unreachable' as const } },
    ),
    closeSavedDraft: enqueueActions(({ context: { task }, enqueue, system }, { kind }: TaskResult) => {
      if (kind === 'done' && task?.kind === 'save')
        sendToSibling({ enqueue, system }, 'scheduleEditor', { type: 'editor.saved', schedules: task.schedules })
    }),
  },
  guards: {
    isKnown: (_, answer: ServerAnswer) => answer.kind === 'known',
    isSignedOut: (_, { kind }: ServerAnswer | TaskResult) => kind === 'signedOut',
  },
}).createMachine({
  id: 'serverSession',
  description: 'Who this page is with at the server that serves it, what it may do there, and the schedules.',
  context: { session: undefined, schedules: undefined, task: undefined, fault: undefined, failures: 0 },
  initial: 'off',
  on: { 'session.dismiss': { actions: assign({ fault: undefined }) } },
  states: {
    off: {
      tags: 'off',
      description: 'No server is known to serve this page.',
      on: { 'session.begin': 'asking' },
    },
    asking: {
      invoke: {
        src: 'askServer',
        onDone: [
          {
            guard: { type: 'isKnown', params: ({ event }) => event.output },
            target: 'known',
            actions: { type: 'assignKnown', params: ({ event }) => event.output },
          },
          { guard: { type: 'isSignedOut', params: ({ event }) => event.output }, target: 'signedOut' },
          { target: 'unreachable', actions: 'countFailure' },
        ],
        onError: { target: 'unreachable', actions: 'countFailure' },
      },
    },
    known: {
      invoke: { src: 'serverEvents', onError: { target: 'unreachable', actions: ['countFailure', 'giveUpTask'] } },
      initial: 'idle',
      on: {
        'server.eventsLost': { target: 'asking', actions: 'giveUpTask' },
        'server.changed': '.refreshing',
        'session.check': '.refreshing',
      },
      states: {
        idle: {
          on: {
            'session.do': { target: 'acting', actions: { type: 'assignTask', params: ({ event }) => event.task } },
          },
          after: { refreshPeriod: 'refreshing' },
        },
        refreshing: {
          invoke: {
            src: 'askServer',
            onDone: [
              {
                guard: { type: 'isKnown', params: ({ event }) => event.output },
                target: 'idle',
                actions: { type: 'assignKnown', params: ({ event }) => event.output },
              },
              {
                guard: { type: 'isSignedOut', params: ({ event }) => event.output },
                target: '#serverSession.signedOut',
              },
              { target: '#serverSession.unreachable', actions: 'countFailure' },
            ],
            onError: { target: '#serverSession.unreachable', actions: 'countFailure' },
          },
          on: {
            'session.do': { target: 'acting', actions: { type: 'assignTask', params: ({ event }) => event.task } },
          },
        },
        acting: {
          description: 'One request at a time. What changed meanwhile is asked for afterwards.',
          tags: 'acting',
          invoke: {
            src: 'doTask',
            input: ({ context }) => context.task ?? { kind: 'signOut' },
            onDone: [
              {
                guard: { type: 'isSignedOut', params: ({ event }) => event.output },
                target: '#serverSession.signedOut',
                actions: assign({ task: undefined }),
              },
              {
                target: 'refreshing',
                actions: [
                  { type: 'closeSavedDraft', params: ({ event }) => event.output },
                  { type: 'assignFault', params: ({ event }) => event.output },
                ],
              },
            ],
            onError: {
              target: 'refreshing',
              actions: { type: 'assignFault', params: (): TaskResult => ({ kind: 'unreachable' }) },
            },
          },
          on: { 'server.changed': {}, 'session.check': {} },
        },
      },
    },
    unreachable: {
      after: { retryDelay: 'asking' },
      on: { 'session.check': 'asking' },
    },
    signedOut: {
      description: 'The session is over. Its machines are disconnected until a user signs in again.',
      tags: 'signedOut',
      on: { 'session.check': 'asking' },
    },
  },
})

export type SessionSnapshot = SnapshotFrom<typeof sessionMachine>

import { assign, setup, type SnapshotFrom } from 'xstate'
import { backOffDelay, SERVER } from '../../../folding/shared/back-off.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { AlertsReply, AlertTask, AlertTaskResult, ServerAlertsEvent } from './server-alerts.events.ts'

export type ServerAlertsContext = {
  /** The last known; undefined before the first answer. */
  readonly known: Extract<AlertsReply, { readonly kind: 'known' }> | undefined
  /** The task that the server works on. */
  readonly task: AlertTask | undefined
  /** How the last task went. */
  readonly result: AlertTaskResult | undefined
  readonly failures: number
}

export const serverAlertsMachine = setup({
  types: { context: {} as ServerAlertsContext, events: {} as ServerAlertsEvent },
  actors: {
    askAlerts: taskPlaceholder<AlertsReply, undefined>('askAlerts'),
    doAlertTask: taskPlaceholder<AlertTaskResult, AlertTask>('doAlertTask'),
  },
  delays: {
    refreshPeriod: 10_000,
    retryDelay: ({ context }) => backOffDelay(context.failures, SERVER),
  },
  actions: {
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    assignTask: assign((_, task: AlertTask) => ({ task, result: undefined })),
    assignResult: assign((_, result: AlertTaskResult) => ({ task: undefined, result })),
  },
}).createMachine({
  id: 'serverAlerts',
  description: 'Channels, messages and subscriptions of the server of this page, while their screen is open.',
  context: { known: undefined, task: undefined, result: undefined, failures: 0 },
  initial: 'closed',
  states: {
    closed: { on: { 'alerts.open': { target: 'open', actions: assign({ result: undefined }) } } },
    open: {
      initial: 'asking',
      on: { 'alerts.close': 'closed' },
      states: {
        asking: {
          invoke: {
            src: 'askAlerts',
            onDone: [
              {
                guard: ({ event }) => event.output.kind === 'known',
                target: 'idle',
                actions: assign(({ event }) =>
                  event.output.kind === 'known' ? { known: event.output, failures: 0 } : {},
                ),
              },
              { target: 'failed', actions: 'countFailure' },
            ],
            onError: { target: 'failed', actions: 'countFailure' },
          },
          on: { 'alerts.do': { target: 'acting', actions: { type: 'assignTask', params: ({ event }) => event.task } } },
        },
        idle: {
          after: { refreshPeriod: 'asking' },
          on: { 'alerts.do': { target: 'acting', actions: { type: 'assignTask', params: ({ event }) => event.task } } },
        },
        acting: {
          description: 'One task at a time. What it has changed is asked for afterwards.',
          invoke: {
            src: 'doAlertTask',
            input: ({ context }) => context.task ?? { kind: 'unsubscribe' },
            onDone: { target: 'asking', actions: { type: 'assignResult', params: ({ event }) => event.output } },
            onError: {
              target: 'asking',
              actions: { type: 'assignResult', params: (): AlertTaskResult => ({ kind: 'unreachable' }) },
            },
          },
        },
        failed: {
          tags: 'failed',
          description: 'The server does not answer. What was known stays on the screen.',
          after: { retryDelay: 'asking' },
        },
      },
    },
  },
})

export type ServerAlertsSnapshot = SnapshotFrom<typeof serverAlertsMachine>

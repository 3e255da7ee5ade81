import { assign, enqueueActions, sendParent, setup } from 'xstate'
import type { SharedChange } from '../../../folding/fleet/shared.ts'
import { backOffDelay, SERVER } from '../../../folding/shared/back-off.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { ChangeResult, SharedEvent, SharedNotification, SharedReply } from './shared.events.ts'

export type SharedContext = {
  /** Of what this page has. */
  readonly revision: string | undefined
  /** Of what the server has. */
  readonly announced: string | undefined
  readonly mayChange: boolean
  /** Changes of this page that the server has not taken yet. */
  readonly changes: readonly SharedChange[]
  readonly failures: number
}

export const sharedMachine = setup({
  types: { context: {} as SharedContext, events: {} as SharedEvent },
  actors: {
    /** Gives the server what this browser kept itself, once. */
    giveOwn: taskPlaceholder<undefined, undefined>('giveOwn'),
    readShared: taskPlaceholder<SharedReply, undefined>('readShared'),
    sendChange: taskPlaceholder<ChangeResult, { readonly change: SharedChange | undefined }>('sendChange'),
  },
  delays: { retryDelay: ({ context }) => backOffDelay(context.failures, SERVER) },
  guards: {
    isOutdated: ({ context }) => context.announced !== context.revision,
    hasChanges: ({ context }) => context.changes.length > 0,
  },
  actions: {
    assignAnnounced: assign((_, { revision, mayChange }: { revision: string; mayChange: boolean }) => ({
      announced: revision,
      mayChange,
    })),
    forgetRevision: assign({ revision: undefined }),
    /** What the user changed meanwhile is sent first: until then the page shows it. */
    takeReply: enqueueActions(({ context, enqueue }, reply: SharedReply) => {
      if (reply.kind !== 'known') return
      const { shared } = reply
      enqueue.assign({ failures: 0, revision: shared.revision, announced: shared.revision })
      if (context.changes.length === 0)
        enqueue.sendParent({
          type: 'shared.received',
          shared,
          isCopied: context.mayChange,
        } satisfies SharedNotification)
    }),
    dropChanges: assign({ changes: [], revision: undefined }),
    notifyNotKept: sendParent((_, result: ChangeResult): SharedNotification => ({
      type: 'shared.notKept',
      reason: result.kind === 'refused' ? result.reason : undefined,
    })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
  },
}).createMachine({
  id: 'serverShared',
  description: 'Tags, saved views and settings of power that the server of this page keeps for all pages.',
  context: { revision: undefined, announced: undefined, mayChange: false, changes: [], failures: 0 },
  initial: 'off',
  on: {
    'shared.announced': { actions: { type: 'assignAnnounced', params: ({ event }) => event } },
    'shared.refresh': { actions: 'forgetRevision' },
    'shared.change': { actions: assign(({ context, event }) => ({ changes: [...context.changes, event.change] })) },
  },
  states: {
    off: {
      description: 'No server is known to serve this page.',
      on: {
        'shared.announced': [
          {
            guard: ({ event }) => event.mayChange,
            target: 'giving',
            actions: { type: 'assignAnnounced', params: ({ event }) => event },
          },
          { target: 'reading', actions: { type: 'assignAnnounced', params: ({ event }) => event } },
        ],
      },
    },
    giving: { invoke: { src: 'giveOwn', onDone: 'reading', onError: 'reading' } },
    reading: {
      invoke: {
        src: 'readShared',
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'known',
            target: 'idle',
            actions: { type: 'takeReply', params: ({ event }) => event.output },
          },
          { target: 'unreachable', actions: 'countFailure' },
        ],
        onError: { target: 'unreachable', actions: 'countFailure' },
      },
    },
    idle: {
      always: [
        { guard: 'hasChanges', target: 'sending' },
        { guard: 'isOutdated', target: 'reading' },
      ],
    },
    sending: {
      description: 'One change at a time, in their order.',
      invoke: {
        src: 'sendChange',
        input: ({ context }) => ({ change: context.changes[0] }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'taken',
            target: 'idle',
            actions: [assign(({ context }) => ({ changes: context.changes.slice(1) })), 'forgetRevision'],
          },
          {
            target: 'reading',
            actions: ['dropChanges', { type: 'notifyNotKept', params: ({ event }) => event.output }],
          },
        ],
        onError: {
          target: 'reading',
          actions: ['dropChanges', { type: 'notifyNotKept', params: (): ChangeResult => ({ kind: 'unreachable' }) }],
        },
      },
    },
    unreachable: {
      after: { retryDelay: 'reading' },
      on: {
        'shared.announced': {
          target: 'reading',
          actions: { type: 'assignAnnounced', params: ({ event }) => event },
        },
      },
    },
  },
})

import { assign, enqueueActions, sendParent, sendTo, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { REMOTE, waitAfter } from '../../../folding/shared/back-off.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import { emptySlot, emptyTask } from '../../shared/actor-placeholder.ts'
import { broadcastPayload, type Broadcast } from '../broadcast/broadcast.events.ts'
import type { RelayEvent, RelayNews, RelaySocketCommand, RelayTarget } from './relay.events.ts'

export type RelayContext = {
  readonly target: RelayTarget | undefined
  /** What the account names as its node, when that is no address. */
  readonly invalidNode: string | undefined
  /** Ids of the clients that the node says are connected. */
  readonly joined: readonly string[]
  /** When something last came through, in epoch milliseconds. */
  readonly heardAt: number | undefined
  /** Connections in a row that ended before the node had named anybody. */
  readonly refusals: number
  /** Attempts in a row of which nothing good came. */
  readonly failures: number
}

const REFUSALS_APART = 3

export const relayMachine = setup({
  types: { context: {} as RelayContext, events: {} as RelayEvent },
  actors: {
    relaySocket: emptySlot<RelaySocketCommand, RelayTarget>('relaySocket'),
    pingNode: emptyTask<undefined, { readonly url: SocketUrl }>('pingNode'),
  },
  delays: {
    connectTimeout: 20_000,
    loadingIndicator: 8000,
    reconnectDelay: ({ context }) => relayWait(context),
    /** A connection that lasts so long was a good one, though the account's machines may all be switched off. */
    steadyTime: 30_000,
    quietTime: 60_000,
    probeTimeout: 15_000,
  },
  guards: {
    isOtherTarget: ({ context }, target: RelayTarget) =>
      context.target?.url !== target.url || context.target.keys.id !== target.keys.id,
    hasNoClients: ({ context }) => context.joined.length === 0,
    hasClientToProbe: ({ context }) => context.joined.length > 0,
  },
  actions: {
    assignTarget: assign((_, target: RelayTarget) => ({ target, invalidNode: undefined })),
    assignInvalidNode: assign((_, invalidNode: string | undefined) => ({ invalidNode })),
    reset: assign({ target: undefined, joined: [], heardAt: undefined, refusals: 0, failures: 0 }),
    addClient: assign({
      joined: ({ context }, id: string) => (context.joined.includes(id) ? context.joined : [...context.joined, id]),
      refusals: 0,
      failures: 0,
    }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    resetFailures: assign({ failures: 0 }),
    removeClient: assign({ joined: ({ context }, id: string) => context.joined.filter(other => other !== id) }),
    countRefusal: assign({ refusals: ({ context }) => context.refusals + 1 }),
    // The first, and then now and then: whoever hears of it asks a server.
    notifyRefused: enqueueActions(({ context, enqueue }) => {
      if (context.refusals % REFUSALS_APART === 1) enqueue.sendParent({ type: 'relay.refused' } satisfies RelayNews)
    }),
    clearClients: assign({ joined: [] }),
    assignLastReceivedAt: assign((_, at: number) => ({ heardAt: at })),
    probe: sendTo('socket', ({ context }): RelaySocketCommand => ({
      type: 'relaySocket.probe',
      client: context.joined[0] ?? '',
    })),
    send: sendTo('socket', (_, { broadcast, at }: { broadcast: Broadcast; at: number }): RelaySocketCommand => ({
      type: 'relaySocket.broadcast',
      secrets: { payload: broadcastPayload(broadcast, at) },
    })),
    notifyParent: sendParent((_, news: RelayNews): RelayNews => news),
    notifyLost: sendParent(({ context }): RelayNews => ({ type: 'relay.lost', at: context.heardAt })),
  },
}).createMachine({
  id: 'relay',
  description: 'The account node: the way to the machines of a person who is signed in.',
  context: { target: undefined, invalidNode: undefined, joined: [], heardAt: undefined, refusals: 0, failures: 0 },
  initial: 'inactive',
  on: {
    'relay.broadcast': {
      actions: {
        type: 'notifyParent',
        params: ({ event: { broadcast } }) => ({ type: 'relay.broadcastRefused', broadcast }),
      },
    },
  },
  states: {
    inactive: {
      description: 'Nobody is signed in, or the account has no node that could be connected to.',
      entry: 'reset',
      on: {
        'relay.deactivate': { actions: { type: 'assignInvalidNode', params: ({ event }) => event.invalidNode } },
        'relay.activate': { target: 'active', actions: { type: 'assignTarget', params: ({ event }) => event.target } },
      },
    },
    active: {
      initial: 'attempt',
      on: {
        'relay.deactivate': {
          target: 'inactive',
          actions: { type: 'assignInvalidNode', params: ({ event }) => event.invalidNode },
        },
        'relay.activate': {
          guard: { type: 'isOtherTarget', params: ({ event }) => event.target },
          target: 'active',
          reenter: true,
          actions: { type: 'assignTarget', params: ({ event }) => event.target },
        },
      },
      states: {
        attempt: {
          invoke: {
            src: 'relaySocket',
            id: 'socket',
            input: ({ context }) => targetOf(context),
            onError: 'waiting',
          },
          initial: 'connecting',
          exit: ['clearClients', 'notifyLost'],
          on: {
            'relay.closed': {
              target: 'waiting',
              actions: { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
            },
          },
          states: {
            connecting: {
              tags: 'loading',
              after: { loadingIndicator: 'slow', connectTimeout: '#relay.active.waiting' },
              on: { 'relay.opened': 'open' },
            },
            slow: {
              description: 'Still connecting, but the page no longer pretends that it is about to be done.',
              after: { connectTimeout: '#relay.active.waiting' },
              on: { 'relay.opened': 'open' },
            },
            open: {
              tags: 'connected',
              initial: 'receiving',
              after: { steadyTime: { actions: 'resetFailures' } },
              on: {
                'relay.closed': {
                  guard: 'hasNoClients',
                  target: '#relay.active.waiting',
                  actions: [
                    { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
                    'countRefusal',
                    'notifyRefused',
                  ],
                },
                'relay.clientConnected': {
                  actions: [
                    { type: 'addClient', params: ({ event }) => event.id },
                    { type: 'notifyParent', params: ({ event }) => event },
                  ],
                },
                'relay.clientDisconnected': {
                  actions: [
                    { type: 'removeClient', params: ({ event }) => event.id },
                    { type: 'notifyParent', params: ({ event }) => event },
                  ],
                },
                'relay.broadcastReceived': { actions: { type: 'notifyParent', params: ({ event }) => event } },
                'relay.broadcast': {
                  actions: [
                    { type: 'send', params: ({ event }) => event },
                    {
                      type: 'notifyParent',
                      params: ({ event: { broadcast, at } }) => ({ type: 'relay.broadcastSent', broadcast, at }),
                    },
                  ],
                },
              },
              states: {
                receiving: {
                  after: { quietTime: { guard: 'hasClientToProbe', target: 'probing' } },
                  on: {
                    'relay.heard': {
                      target: 'receiving',
                      reenter: true,
                      actions: { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
                    },
                    'relay.check': [
                      { guard: 'hasClientToProbe', target: 'probing' },
                      { target: '#relay.active.waiting' },
                    ],
                  },
                },
                probing: {
                  description:
                    'A dead relay connection looks like a quiet one, so somebody is asked for a sign of life.',
                  entry: 'probe',
                  after: { probeTimeout: '#relay.active.waiting' },
                  on: {
                    'relay.heard': {
                      target: 'receiving',
                      actions: { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
                    },
                  },
                },
              },
            },
          },
        },
        waiting: {
          entry: 'countFailure',
          // Whatever comes of it, the next attempt is made.
          invoke: { src: 'pingNode', input: ({ context }) => ({ url: targetOf(context).url }), onError: {} },
          after: { reconnectDelay: 'attempt' },
          on: { 'relay.check': 'attempt', 'relay.retry': 'attempt' },
        },
      },
    },
  },
})

export type RelayRef = ActorRefFrom<typeof relayMachine>
export type RelaySnapshot = SnapshotFrom<typeof relayMachine>

/** Until the next attempt, in milliseconds, without chance. */
export const relayWait = ({ failures }: RelayContext): number => waitAfter(failures, REMOTE)

const targetOf = ({ target }: RelayContext): RelayTarget => {
  if (target === undefined) throw new Error('An active relay has a target.')
  return target
}

import { assign, cancel, enqueueActions, raise, sendParent, sendTo, setup, type SnapshotFrom } from 'xstate'
import { LOOKED_AT, REMOTE, askDelay, spreadDelay } from '../../../folding/shared/back-off.ts'
import type { SocketUrl } from '../../../protocol/url.ts'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import { broadcastPayload, type BroadcastContent } from '../broadcast/broadcast.events.ts'
import type { RelayEvent, RelayNotification, RelaySocketCommand, RelayTarget } from './relay.events.ts'

export type RelayContext = {
  readonly target: RelayTarget | undefined
  /** The account's node setting, when it is not an address. */
  readonly invalidNode: string | undefined
  /** Ids of the clients that the node reports as connected. */
  readonly connectedIds: readonly string[]
  /** When the last message arrived, in epoch milliseconds. */
  readonly lastReceivedAt: number | undefined
  /** Whether a connection ended since the account was last asked for: broadcasts of others may have been missed. */
  readonly hasMissed: boolean
  /** Connections in a row that ended before the node reported any client. */
  readonly loginRefusals: number
  /** Failed attempts in a row. */
  readonly failures: number
  /** Requests in a row that the node's host did not answer. */
  readonly unanswered: number
  /** Whether the page has been hidden for a while. */
  readonly isPageLeft: boolean
  /** Whether the node may still be listing its clients: it does not say when it has listed all. */
  readonly isListing: boolean
}

const REFUSALS_APART = 3
/** Of so many requests without an answer, the last one is followed by an attempt. */
const UNANSWERED_APART = 60

export const relayMachine = setup({
  types: { context: {} as RelayContext, events: {} as RelayEvent },
  actors: {
    relaySocket: actorPlaceholder<RelaySocketCommand, RelayTarget>('relaySocket'),
    pingNode: taskPlaceholder<undefined, { readonly url: SocketUrl }>('pingNode'),
  },
  delays: {
    connectTimeout: 20_000,
    loadingIndicator: 8000,
    reconnectDelay: ({ context }) => relayWait(context),
    spreadDelay: spreadDelay(1),
    /** A connection that lasts this long counts as successful, even when no client is online. */
    steadyTime: 30_000,
    quietTime: 60_000,
    probeTimeout: 15_000,
    /** A node answers a login at once, but one that passes on messages slowly may take seconds (docs/protocol.md §11.6). */
    loginTimeout: 20_000,
    /** Longer than a look at another tab. */
    leavingTime: 60_000,
    /** From the login to the first client, and from one client to the next. */
    listingTime: 3000,
  },
  guards: {
    /** Something between may let sockets pass, and no requests. */
    mustTryAnyway: ({ context }) => (context.unanswered + 1) % UNANSWERED_APART === 0,
    wasAway: ({ context }) => context.unanswered > 0,
    hasNoClients: ({ context }) => context.connectedIds.length === 0,
    hasClientToProbe: ({ context }) => context.connectedIds.length > 0,
  },
  actions: {
    assignTarget: assign((_, target: RelayTarget) => ({ target, invalidNode: undefined })),
    assignInvalidNode: assign((_, invalidNode: string | undefined) => ({ invalidNode })),
    leaveSoon: raise({ type: 'relay.pageLeft' }, { delay: 'leavingTime', id: 'pageLeft' }),
    stay: cancel('pageLeft'),
    listSoon: enqueueActions(({ context, enqueue }) => {
      if (!context.isListing) return
      enqueue.cancel('listed')
      enqueue.raise({ type: 'relay.listed' }, { delay: 'listingTime', id: 'listed' })
    }),
    endListing: assign({ isListing: false }),
    notePage: assign((_, isPageLeft: boolean) => ({ isPageLeft })),
    logInAgain: sendTo('socket', { type: 'relaySocket.logInAgain' } satisfies RelaySocketCommand),
    sample: sendTo('socket', ({ context }): RelaySocketCommand => ({
      type: 'relaySocket.sample',
      isHidden: context.isPageLeft,
    })),
    sampleIfLeft: enqueueActions(({ context, enqueue }) => {
      if (context.isPageLeft)
        enqueue.sendTo('socket', { type: 'relaySocket.sample', isHidden: true } satisfies RelaySocketCommand)
    }),
    reset: assign({
      target: undefined,
      connectedIds: [],
      lastReceivedAt: undefined,
      loginRefusals: 0,
      failures: 0,
      unanswered: 0,
      hasMissed: false,
    }),
    addClient: assign({
      connectedIds: ({ context }, id: string) =>
        context.connectedIds.includes(id) ? context.connectedIds : [...context.connectedIds, id],
      loginRefusals: 0,
      failures: 0,
      unanswered: 0,
    }),
    countUnanswered: assign({ unanswered: ({ context }) => context.unanswered + 1 }),
    removeClient: assign({
      connectedIds: ({ context }, id: string) => context.connectedIds.filter(other => other !== id),
    }),
    // On the first refusal and every third one after it: the app then asks a server for the time.
    notifyRefused: enqueueActions(({ context, enqueue }) => {
      if (context.loginRefusals % REFUSALS_APART === 1)
        enqueue.sendParent({ type: 'relay.refused' } satisfies RelayNotification)
    }),
    assignLastReceivedAt: assign((_, at: number) => ({ lastReceivedAt: at })),
    probe: sendTo('socket', ({ context }): RelaySocketCommand => ({
      type: 'relaySocket.probe',
      client: context.connectedIds[0] ?? '',
    })),
    send: sendTo('socket', (_, { broadcast, at }: { broadcast: BroadcastContent; at: number }): RelaySocketCommand => ({
      type: 'relaySocket.broadcast',
      secrets: { payload: broadcastPayload(broadcast, at) },
    })),
    notifyParent: sendParent((_, notification: RelayNotification): RelayNotification => notification),
    notifyLost: sendParent(({ context }): RelayNotification => ({ type: 'relay.lost', at: context.lastReceivedAt })),
    notifyMissed: enqueueActions(({ context, enqueue }) => {
      if (!context.hasMissed) return
      enqueue.assign({ hasMissed: false })
      enqueue.sendParent({ type: 'relay.missed' } satisfies RelayNotification)
    }),
  },
}).createMachine({
  id: 'relay',
  description: 'The connection to the account’s relay node.',
  context: {
    target: undefined,
    invalidNode: undefined,
    connectedIds: [],
    lastReceivedAt: undefined,
    hasMissed: false,
    loginRefusals: 0,
    failures: 0,
    unanswered: 0,
    isPageLeft: false,
    isListing: false,
  },
  initial: 'inactive',
  on: {
    'relay.pageHidden': { actions: ['stay', 'leaveSoon'] },
    'relay.pageShown': { actions: ['stay', { type: 'notePage', params: false }] },
    'relay.pageLeft': { actions: { type: 'notePage', params: true } },
    'relay.broadcast': {
      actions: {
        type: 'notifyParent',
        params: ({ event: { broadcast } }) => ({ type: 'relay.broadcastRefused', broadcast }),
      },
    },
  },
  states: {
    inactive: {
      description: 'Signed out, or the account names no usable node.',
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
          guard: ({ context, event }) =>
            context.target?.url !== event.target.url || context.target.keys.id !== event.target.keys.id,
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
          exit: [assign({ connectedIds: [] }), assign({ hasMissed: true }), 'notifyLost'],
          on: {
            'relay.pageShown': {
              actions: ['stay', { type: 'notePage', params: false }, 'sample'],
            },
            'relay.pageLeft': { actions: [{ type: 'notePage', params: true }, 'sample'] },
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
              description: 'Still connecting; the loading indicator is hidden.',
              after: { connectTimeout: '#relay.active.waiting' },
              on: { 'relay.opened': 'open' },
            },
            open: {
              tags: 'connected',
              initial: 'receiving',
              entry: ['sampleIfLeft', assign({ isListing: true }), 'listSoon'],
              exit: 'endListing',
              after: { steadyTime: { actions: [assign({ failures: 0, unanswered: 0 }), 'notifyMissed'] } },
              on: {
                'relay.closed': {
                  guard: 'hasNoClients',
                  target: '#relay.active.waiting',
                  actions: [
                    { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
                    assign({ loginRefusals: ({ context }) => context.loginRefusals + 1 }),
                    'notifyRefused',
                  ],
                },
                'relay.clientConnected': {
                  actions: [
                    { type: 'addClient', params: ({ event }) => event.id },
                    { type: 'notifyParent', params: ({ event }) => event },
                    'listSoon',
                  ],
                },
                'relay.listed': { actions: 'endListing' },
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
                    'relay.dataReceived': {
                      target: 'receiving',
                      reenter: true,
                      actions: { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
                    },
                    'relay.loginSent': { guard: 'hasClientToProbe', target: 'loggingIn' },
                    'relay.check': [
                      { guard: 'hasClientToProbe', target: 'probing' },
                      { target: '#relay.active.waiting' },
                    ],
                  },
                },
                probing: {
                  description:
                    'After a silence a client is sent a message: an answer shows that the connection still works.',
                  entry: 'probe',
                  after: { probeTimeout: { target: 'loggingIn', actions: 'logInAgain' } },
                  on: {
                    'relay.dataReceived': {
                      target: 'receiving',
                      actions: { type: 'assignLastReceivedAt', params: ({ event }) => event.at },
                    },
                  },
                },
                loggingIn: {
                  description:
                    'A machine that does not answer does not say that the node is gone: a node answers a login with its machines.',
                  after: { loginTimeout: '#relay.active.waiting' },
                  on: {
                    'relay.dataReceived': {
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
          entry: assign({ failures: ({ context }) => context.failures + 1 }),
          initial: 'pausing',
          on: {
            'relay.check': 'attempt',
            'relay.pageShown': { target: 'attempt', actions: ['stay', { type: 'notePage', params: false }] },
          },
          states: {
            pausing: { after: { reconnectDelay: 'asking' } },
            asking: {
              description:
                'A browser delays sockets to a host after each failure, silently and for up to a minute, but not requests: so its host is asked until it answers.',
              invoke: {
                src: 'pingNode',
                input: ({ context }) => ({ url: targetOf(context).url }),
                onDone: [
                  { guard: 'wasAway', target: 'spreading', actions: assign({ unanswered: 0 }) },
                  { target: '#relay.active.attempt' },
                ],
                onError: [
                  { guard: 'mustTryAnyway', target: '#relay.active.attempt', actions: 'countUnanswered' },
                  { target: 'pausing', actions: 'countUnanswered' },
                ],
              },
            },
            spreading: {
              description: 'The node was away, and is there again: pages come back one after another.',
              after: { spreadDelay: '#relay.active.attempt' },
            },
          },
        },
      },
    },
  },
})

export type RelaySnapshot = SnapshotFrom<typeof relayMachine>

/** Milliseconds until the next attempt, without random jitter. */
export function relayWait({ failures, unanswered, isPageLeft }: RelayContext): number {
  return askDelay(unanswered, failures, isPageLeft ? REMOTE : LOOKED_AT)
}

function targetOf({ target }: RelayContext): RelayTarget {
  if (target === undefined) throw new Error('An active relay has a target.')
  return target
}

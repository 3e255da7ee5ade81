import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { backOffDelay, type BackOff } from '../../../../src/folding/shared/back-off.ts'
import { taskPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import type { Holdings, LeaseEvent } from './lease.events.ts'

export type LeaseInput = {
  /** How long a lease lasts that is not renewed: milliseconds. */
  readonly duration: number
}

export type LeaseContext = LeaseInput & {
  /** Of the last renewal; undefined without a lease. */
  readonly holdings: Holdings | undefined
  /** Failed attempts in a row to get a lease. */
  readonly failures: number
}

const RETRY: BackOff = { first: 500, most: 5000 }

export const leaseMachine = setup({
  types: { context: {} as LeaseContext, input: {} as LeaseInput, events: {} as LeaseEvent },
  actors: {
    /** A new lease. */
    join: taskPlaceholder<Holdings, undefined>('join'),
    /** Undefined: the lease is over. */
    renew: taskPlaceholder<Holdings | undefined, { readonly server: string }>('renew'),
    /** Stops what depends on these holdings, then gives them up. */
    release: taskPlaceholder<undefined, { readonly server: string; readonly resources: readonly string[] }>('release'),
  },
  delays: {
    // Three attempts before it is over.
    renewalPeriod: ({ context }) => context.duration / 4,
    // Before the database lets others take over: its answer may have been on the way for a while.
    leaseTime: ({ context }) => context.duration * 0.7,
    retryDelay: ({ context }) => backOffDelay(context.failures, RETRY),
  },
  guards: {
    hasReleases: ({ context }) => (context.holdings?.releases.length ?? 0) > 0,
  },
  actions: {
    assignHoldings: assign((_, holdings: Holdings | undefined) => ({ holdings, failures: 0 })),
  },
}).createMachine({
  id: 'lease',
  description: 'The lease by which this server holds machines, when several servers use one database.',
  context: ({ input }) => ({ ...input, holdings: undefined, failures: 0 }),
  initial: 'joining',
  states: {
    joining: {
      invoke: {
        src: 'join',
        onDone: { target: 'holding', actions: { type: 'assignHoldings', params: ({ event }) => event.output } },
        onError: { target: 'waiting', actions: assign({ failures: ({ context }) => context.failures + 1 }) },
      },
    },
    waiting: {
      description: 'The database does not answer, or another server lets no others in.',
      after: { retryDelay: 'joining' },
    },
    holding: {
      description: 'Renewed from time to time. Without a renewal everything is given up before others take over.',
      after: { leaseTime: 'lost' },
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'hasReleases', target: 'releasing' }, { target: 'resting' }] },
        resting: {
          after: { renewalPeriod: 'renewing' },
          on: { 'lease.hinted': 'renewing' },
        },
        renewing: {
          invoke: {
            src: 'renew',
            input: ({ context }) => ({ server: context.holdings?.server ?? '' }),
            onDone: [
              { guard: ({ event }) => event.output === undefined, target: '#lease.lost' },
              {
                target: '#lease.holding',
                reenter: true,
                actions: { type: 'assignHoldings', params: ({ event }) => event.output },
              },
            ],
            onError: 'resting',
          },
        },
        releasing: {
          description: 'Another server has joined: it gets its share of the machines.',
          invoke: {
            src: 'release',
            input: ({ context }) => ({
              server: context.holdings?.server ?? '',
              resources: context.holdings?.releases ?? [],
            }),
            onDone: 'renewing',
            onError: 'resting',
          },
        },
      },
    },
    lost: {
      description: 'Others may hold everything by now.',
      entry: assign({ holdings: undefined }),
      always: 'joining',
    },
  },
})

export type LeaseRef = ActorRefFrom<typeof leaseMachine>
export type LeaseSnapshot = SnapshotFrom<typeof leaseMachine>

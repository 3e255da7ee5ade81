import { assign, setup, type ActorRefFrom } from 'xstate'
import { backOffDelay, type BackOff } from '../../../../src/folding/shared/back-off.ts'
import { taskPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import type { Attempt, DeliveryInput, DeliveryState, Examination, KeptDelivery } from './delivery.events.ts'

export type DeliveryContext = DeliveryInput & {
  /** Milliseconds until the quiet hours end. */
  readonly remaining: number
  /** What the receiver of the last failed attempt demands, milliseconds. */
  readonly demanded: number
  readonly error: string | undefined
}

/** From half a minute to an hour, for about a day. */
const ATTEMPTS: BackOff = { first: 30_000, most: 3_600_000 }
export const MOST_FAILURES = 30
/** The longest delay of a timer in Node is 24.8 days. */
const LONGEST_WAIT = 20 * 86_400_000

/** Milliseconds until the next attempt, without jitter. */
export function attemptWait({ failures, demanded }: Pick<DeliveryContext, 'failures' | 'demanded'>): number {
  return backOffDelay(failures, ATTEMPTS, demanded)
}

function bounded(wait: number): number {
  return Math.min(LONGEST_WAIT, Math.max(0, wait))
}

export const deliveryMachine = setup({
  types: { context: {} as DeliveryContext, input: {} as DeliveryInput },
  actors: {
    /** Takes the alerts that are due, and leaves out those that are no news any more. */
    examine: taskPlaceholder<Examination, { readonly id: string }>('examine'),
    /** One attempt, stored before it begins. */
    attempt: taskPlaceholder<Attempt, { readonly id: string }>('attempt'),
  },
  delays: {
    dueDelay: ({ context }) => bounded(context.wait),
    quietEnd: ({ context }) => bounded(Math.max(1000, context.remaining)),
    storeDelay: 30_000,
  },
  actions: {
    assignWait: assign(({ context }) => ({ wait: attemptWait(context) })),
    /** Stores where the delivery is. */
    keep: (_, _params: KeptDelivery): void => undefined,
    assignFailure: assign(({ context }, result: Attempt) => ({
      failures: context.failures + 1,
      wasTried: true,
      demanded: result.kind === 'failed' ? (result.wait ?? 0) : 0,
      error: result.kind === 'sent' ? undefined : result.reason,
    })),
  },
}).createMachine({
  id: 'delivery',
  description: 'One message with alerts for one person by one channel, until it is delivered or given up.',
  context: ({ input }) => ({ ...input, remaining: 0, demanded: 0, error: undefined }),
  initial: 'queued',
  states: {
    queued: {
      description: 'Alerts that come meanwhile are in the same message.',
      after: { dueDelay: [{ guard: ({ context }) => context.wasTried, target: 'sending' }, { target: 'examining' }] },
    },
    examining: {
      invoke: {
        src: 'examine',
        input: ({ context }) => ({ id: context.id }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'later',
            target: 'held',
            actions: assign(({ event }) =>
              event.output.kind === 'later' ? { remaining: event.output.remaining } : {},
            ),
          },
          { guard: ({ event }) => event.output.kind === 'nothing', target: 'unneeded' },
          { target: 'sending' },
        ],
        onError: 'blocked',
      },
    },
    blocked: {
      description: 'The database could not be read.',
      after: { storeDelay: 'examining' },
    },
    held: {
      description: 'Quiet hours, or a message about the same is being sent: what still lasts afterwards is sent then.',
      entry: { type: 'keep', params: ({ context }) => keptOf(context, 'held', context.remaining) },
      after: { quietEnd: 'examining' },
    },
    sending: {
      invoke: {
        src: 'attempt',
        input: ({ context }) => ({ id: context.id }),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'sent',
            target: 'delivered',
            actions: assign({ error: undefined }),
          },
          {
            guard: ({ event }) => event.output.kind === 'unknown',
            target: 'uncertain',
            actions: { type: 'assignFailure', params: ({ event }) => event.output },
          },
          {
            guard: ({ context, event }) => event.output.kind === 'refused' || context.failures + 1 >= MOST_FAILURES,
            target: 'givenUp',
            actions: { type: 'assignFailure', params: ({ event }) => event.output },
          },
          { target: 'retrying', actions: { type: 'assignFailure', params: ({ event }) => event.output } },
        ],
        // The attempt did not begin: it could not be stored.
        onError: 'postponed',
      },
    },
    postponed: {
      description: 'The attempt could not be stored, so it was not made: it could be repeated after a restart.',
      after: { storeDelay: 'sending' },
    },
    retrying: {
      description: 'The channel failed; the delay grows with each attempt.',
      entry: ['assignWait', { type: 'keep', params: ({ context }) => keptOf(context, 'retrying', context.wait) }],
      after: { dueDelay: 'sending' },
    },
    delivered: {
      type: 'final',
      entry: { type: 'keep', params: ({ context }) => keptOf(context, 'delivered', 0) },
    },
    givenUp: {
      description: 'The channel refuses the message, or failed for a day.',
      type: 'final',
      entry: { type: 'keep', params: ({ context }) => keptOf(context, 'given-up', 0) },
    },
    uncertain: {
      description: 'The receiver may have taken the message, and could not tell a second one from it.',
      type: 'final',
      entry: { type: 'keep', params: ({ context }) => keptOf(context, 'unknown', 0) },
    },
    unneeded: {
      description: 'Everything was acknowledged or over before it was told.',
      type: 'final',
      entry: { type: 'keep', params: ({ context }) => keptOf(context, 'unneeded', 0) },
    },
  },
})

export type DeliveryRef = ActorRefFrom<typeof deliveryMachine>

function keptOf({ id, failures, error }: DeliveryContext, state: DeliveryState, wait: number): KeptDelivery {
  return {
    id,
    state,
    failures,
    error,
    wait,
  }
}

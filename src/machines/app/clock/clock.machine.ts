import { assign, setup, type ActorRefFrom, type SnapshotFrom } from 'xstate'
import { actorPlaceholder, taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { ClockEvent } from './clock.events.ts'

export type ClockContext = {
  /** Epoch milliseconds, corrected by `offset`. */
  readonly now: number
  /** Milliseconds to add to this computer's clock to get the time of the folding network. */
  readonly offset: number
}

export const clockMachine = setup({
  types: {
    context: {} as ClockContext,
    events: {} as ClockEvent,
    input: {} as { readonly at: number },
  },
  actors: {
    ticker: actorPlaceholder<{ type: 'none' }, undefined>('ticker'),
    /** Makes a call whose response carries the server's time. */
    askTime: taskPlaceholder<undefined, undefined>('askTime'),
  },
}).createMachine({
  id: 'clock',
  description: 'The current time, corrected by the offset of this computer’s clock.',
  context: ({ input }) => ({ now: input.at, offset: 0 }),
  invoke: { src: 'ticker' },
  on: {
    'clock.ticked': { actions: assign({ now: ({ context, event }) => event.at + context.offset }) },
    'clock.compared': {
      actions: assign({
        offset: ({ event }) => event.offset,
        now: ({ context, event }) => context.now - context.offset + event.offset,
      }),
    },
  },
  initial: 'idle',
  states: {
    idle: { on: { 'clock.check': 'checking' } },
    checking: {
      description: 'A server is asked for its time. If the call fails, the offset stays until the next check.',
      invoke: { src: 'askTime', onDone: 'idle', onError: 'idle' },
    },
  },
})

export type ClockRef = ActorRefFrom<typeof clockMachine>

declare module '../../shared/siblings.ts' {
  interface Siblings {
    readonly clock: ClockRef
  }
}
export type ClockSnapshot = SnapshotFrom<typeof clockMachine>

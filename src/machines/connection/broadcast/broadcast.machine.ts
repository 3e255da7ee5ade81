import { assign, enqueueActions, setup, type DoneActorEvent } from 'xstate'
import { commandSpacing } from '../../../protocol/client/command-queue.ts'
import { taskPlaceholder } from '../../shared/actor-placeholder.ts'
import type { BroadcastContent, BroadcastCommand, BroadcastNotification } from './broadcast.events.ts'

export type ClockReading = {
  /** Corrected epoch milliseconds. */
  readonly now: number
  /** False when this computer's clock is known to be wrong. */
  readonly isTrusted: boolean
}

export type BroadcastContext = {
  readonly waiting: readonly BroadcastContent[]
  /** The second of the last broadcast of each kind. */
  readonly lastSecond: Readonly<Partial<Record<BroadcastContent['cmd'], number>>>
  /** Milliseconds until the next one may be sent. */
  readonly spacing: number
}

type ReadDone = DoneActorEvent<ClockReading>

export const broadcastMachine = setup({
  types: { context: {} as BroadcastContext, events: {} as BroadcastCommand },
  actors: { readClock: taskPlaceholder<ClockReading, undefined>('readClock') },
  delays: { spacing: ({ context }) => context.spacing },
  guards: {
    isEmpty: ({ context }) => context.waiting.length === 0,
  },
  actions: {
    add: assign(({ context }, broadcast: BroadcastContent) => ({ waiting: [...context.waiting, broadcast] })),
    refuseAll: enqueueActions(({ context, enqueue }) => {
      for (const broadcast of context.waiting)
        enqueue.sendParent({ type: 'broadcast.refused', broadcast, because: 'clock' } satisfies BroadcastNotification)
    }),
    notifyDue: enqueueActions(
      (
        {
          context: {
            waiting: [broadcast],
          },
          enqueue,
        },
        { now }: ClockReading,
      ) => {
        if (broadcast !== undefined)
          enqueue.sendParent({ type: 'broadcast.due', broadcast, at: now } satisfies BroadcastNotification)
      },
    ),
    removeFirst: assign(
      (
        {
          context: {
            waiting: [first, ...others],
            lastSecond,
          },
        },
        { now }: ClockReading,
      ) => (first === undefined ? {} : { waiting: others, lastSecond: { ...lastSecond, [first.cmd]: secondOf(now) } }),
    ),
    removeAll: assign({ waiting: [] }),
  },
}).createMachine({
  id: 'broadcast',
  description: 'Schedules broadcasts: at most one of a kind per second, and none while the clock is wrong.',
  context: { waiting: [], lastSecond: {}, spacing: 0 },
  initial: 'ready',
  on: { 'broadcast.send': { actions: { type: 'add', params: ({ event }) => event.broadcast } } },
  states: {
    ready: {
      on: {
        'broadcast.send': { target: 'readingClock', actions: { type: 'add', params: ({ event }) => event.broadcast } },
      },
    },
    readingClock: {
      invoke: {
        src: 'readClock',
        onDone: [
          {
            guard: ({ event }: { event: ReadDone }) => !event.output.isTrusted,
            target: 'ready',
            actions: ['refuseAll', 'removeAll'],
          },
          {
            guard: ({ context, event }) => waitOf(context, event.output.now) > 0,
            target: 'spacing',
            actions: assign(({ context, event }) => ({ spacing: waitOf(context, event.output.now) })),
          },
          {
            target: 'released',
            actions: [
              { type: 'notifyDue', params: ({ event }) => event.output },
              { type: 'removeFirst', params: ({ event }) => event.output },
            ],
          },
        ],
        onError: { target: 'ready', actions: ['refuseAll', 'removeAll'] },
      },
    },
    released: { always: [{ guard: 'isEmpty', target: 'ready' }, { target: 'readingClock' }] },
    spacing: {
      description:
        'Nodes and machines accept one of a kind per second and silently drop the others (docs/protocol.md §11.4).',
      after: { spacing: 'readingClock' },
    },
  },
})

function secondOf(at: number): number {
  return Math.floor(at / 1000)
}

function waitOf({ waiting: [first], lastSecond }: BroadcastContext, now: number): number {
  return commandSpacing(first && lastSecond[first.cmd], now)
}

import { assign, sendTo, setup, type SnapshotFrom } from 'xstate'
import { backOffDelay, SERVER } from '../../../../src/folding/shared/back-off.ts'
import { relayMachine } from '../../../../src/machines/connection/relay/relay.machine.ts'
import type { RelayCommand } from '../../../../src/machines/connection/relay/relay.events.ts'
import { taskPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import type { AccountKeys } from '../../../../src/protocol/crypto/keys.ts'
import type { AccountEvent, AccountList, AccountNews } from './account.events.ts'

export type AccountInput = {
  readonly keys: AccountKeys
  /** Milliseconds between two samples. */
  readonly samplePeriod: number
  readonly staysConnected: boolean
}

export type AccountContext = AccountInput & {
  /** Undefined before the first answer of the API. */
  readonly list: AccountList | undefined
  readonly isRead: boolean
  /** Failed attempts in a row to read the list. */
  readonly failures: number
}

/** For so long a sample takes what the clients report. Milliseconds. */
const SAMPLE_TIME = 60_000

export const accountMachine = setup({
  types: { context: {} as AccountContext, input: {} as AccountInput, events: {} as AccountEvent },
  actors: {
    relay: relayMachine,
    /** Reads the account's clients and node. Rejects when the API does not answer, or the session is over. */
    readList: taskPlaceholder<AccountList, undefined>('readList'),
  },
  delays: {
    sampleTime: SAMPLE_TIME,
    samplePeriod: ({ context }) => context.samplePeriod,
    retryDelay: ({ context }) => backOffDelay(context.failures, SERVER),
    restartDelay: 5000,
  },
  guards: {
    isNeeded: ({ context }) => context.isRead || context.staysConnected,
    hasList: ({ context }) => context.list !== undefined,
  },
  actions: {
    tellFleet: (_, _news: AccountNews): void => undefined,
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    assignRead: assign((_, isRead: boolean) => ({ isRead })),
    connect: sendTo('relay', ({ context: { list, keys } }): RelayCommand =>
      list?.node === undefined
        ? { type: 'relay.deactivate' }
        : { type: 'relay.activate', target: { url: list.node, keys } },
    ),
    disconnect: sendTo('relay', { type: 'relay.deactivate' } satisfies RelayCommand),
  },
}).createMachine({
  id: 'enrolledAccount',
  description: 'The machines of an account, reached through its relay node: sampled, or connected while they are read.',
  context: ({ input }) => ({ ...input, list: undefined, isRead: false, failures: 0 }),
  initial: 'running',
  states: {
    running: {
      invoke: { id: 'relay', src: 'relay', onError: 'restarting' },
      initial: 'listing',
      on: {
        'account.read': { actions: { type: 'assignRead', params: ({ event }) => event.isRead } },
        'relay.clientConnected': { actions: { type: 'tellFleet', params: ({ event }) => event } },
        'relay.clientDisconnected': { actions: { type: 'tellFleet', params: ({ event }) => event } },
        'relay.lost': { actions: { type: 'tellFleet', params: ({ event }) => event } },
      },
      states: {
        listing: {
          description: 'Only machines that the account lists are accepted.',
          invoke: {
            src: 'readList',
            onDone: {
              target: 'sampling',
              actions: [
                assign(({ event }) => ({ list: event.output, failures: 0 })),
                {
                  type: 'tellFleet',
                  params: ({ event, context }) => ({
                    type: 'fleet.machinesListed',
                    account: context.keys.id,
                    machines: event.output.machines,
                  }),
                },
              ],
            },
            onError: [
              { guard: 'hasList', target: 'sampling', actions: 'countFailure' },
              { target: 'unlisted', actions: 'countFailure' },
            ],
          },
        },
        unlisted: {
          description: 'The API does not answer, or the session is over: no machine is known.',
          after: { retryDelay: 'listing' },
        },
        sampling: {
          description: 'Connected for as long as machines need to report their state and history.',
          entry: 'connect',
          after: { sampleTime: [{ guard: 'isNeeded', target: 'connected' }, { target: 'resting' }] },
        },
        connected: {
          description: 'A page reads a machine, a schedule changes one, or the settings want it.',
          after: { samplePeriod: 'listing' },
          on: {
            'account.read': {
              guard: ({ context, event }) => !event.isRead && !context.staysConnected,
              target: 'resting',
              actions: { type: 'assignRead', params: ({ event }) => event.isRead },
            },
          },
        },
        resting: {
          entry: 'disconnect',
          after: { samplePeriod: 'listing' },
          on: {
            'account.read': {
              guard: ({ event }) => event.isRead,
              target: 'listing',
              actions: { type: 'assignRead', params: ({ event }) => event.isRead },
            },
          },
        },
      },
    },
    restarting: {
      description: 'The connection to the relay failed by a mistake.',
      after: { restartDelay: 'running' },
    },
  },
})

export type EnrolledAccountSnapshot = SnapshotFrom<typeof accountMachine>

import { sendTo, setup } from 'xstate'
import { fleetMachine } from '../../../../src/machines/connection/fleet/fleet.machine.ts'
import type { Clones } from '../../../../src/folding/client/client-key.ts'
import type { DirectClient } from '../../../../src/folding/client/direct-clients.ts'
import { actorPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import type { RecorderCommand, ServerEvent } from './server.events.ts'

export type ServerInput = {
  /** The clients of the settings. */
  readonly clients: readonly DirectClient[]
  /** Ids that several computers were found to have. */
  readonly clones: Clones
  /** Milliseconds between two samples of points per day. */
  readonly samplePeriod: number
}

export const serverMachine = setup({
  types: { context: {} as ServerInput, input: {} as ServerInput, events: {} as ServerEvent },
  actors: {
    fleet: fleetMachine,
    /** Stores what happens, on disk. */
    recorder: actorPlaceholder<RecorderCommand, undefined>('recorder'),
  },
  delays: { samplePeriod: ({ context }) => context.samplePeriod, restartDelay: 1000 },
  actions: {
    collectHistory: sendTo('fleet', { type: 'fleet.reportHistory' }),
    sample: sendTo('recorder', { type: 'recorder.sample' } satisfies RecorderCommand),
    store: sendTo(
      'recorder',
      (_, { machine: client, units }: Omit<Extract<RecorderCommand, { type: 'recorder.store' }>, 'type'>) =>
        ({ type: 'recorder.store', machine: client, units }) satisfies RecorderCommand,
    ),
  },
}).createMachine({
  id: 'server',
  description: 'The server: its machines, and the record of what they do.',
  context: ({ input }) => input,
  initial: 'running',
  states: {
    running: {
      invoke: [
        {
          id: 'fleet',
          systemId: 'fleet',
          src: 'fleet',
          input: ({ context }) => ({ defaultAddress: '', addresses: context.clients, clones: context.clones }),
          onError: 'restarting',
        },
        { id: 'recorder', src: 'recorder', onError: 'restarting' },
      ],
      on: { 'fleet.unitsEnded': { actions: { type: 'store', params: ({ event }) => event } } },
      initial: 'beginning',
      states: {
        // The fleet has started when a state below is entered.
        beginning: { entry: 'collectHistory', always: 'sampling' },
        sampling: { after: { samplePeriod: { target: 'sampling', reenter: true, actions: 'sample' } } },
      },
    },
    restarting: {
      description: 'A part failed. Every machine is connected again, so what pages see begins with its full state.',
      after: { restartDelay: 'running' },
    },
  },
})

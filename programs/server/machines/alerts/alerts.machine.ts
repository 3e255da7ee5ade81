import { assign, enqueueActions, sendTo, setup, type SnapshotFrom } from 'xstate'
import { incidentsMachine } from '../../../../src/machines/incidents/incidents/incidents.machine.ts'
import { taskPlaceholder } from '../../../../src/machines/shared/actor-placeholder.ts'
import type { DeliveryInput } from '../delivery/delivery.events.ts'
import { deliveryMachine, type DeliveryRef } from '../delivery/delivery.machine.ts'
import type { AlertsEvent } from './alerts.events.ts'

export type AlertsInput = {
  /** Milliseconds between two signs of life; undefined when no address for them is set. */
  readonly alivePeriod: number | undefined
}

export type AlertsContext = AlertsInput & {
  /** Deliveries that are not over, by id. */
  readonly deliveries: Readonly<Record<string, DeliveryRef>>
  /** Whether the last sign of life failed. */
  readonly isAliveFailing: boolean
}

export const alertsMachine = setup({
  types: { context: {} as AlertsContext, input: {} as AlertsInput, events: {} as AlertsEvent },
  actors: {
    incidents: incidentsMachine,
    delivery: deliveryMachine,
    /** Reads the deliveries that were not over when the server ended. */
    restore: taskPlaceholder<readonly DeliveryInput[], undefined>('restore'),
    /** Calls the address of the sign of life, if the database answers. Rejects when it could not. */
    showAlive: taskPlaceholder<undefined, undefined>('showAlive'),
  },
  delays: { restartDelay: 5000, alivePeriod: ({ context }) => context.alivePeriod ?? 0 },
  guards: { isAliveWanted: ({ context }) => context.alivePeriod !== undefined },
  actions: {
    openIncidents: sendTo('incidents', { type: 'incidents.open' }),
    startDeliveries: assign(({ context, spawn }, inputs: readonly DeliveryInput[]) => {
      const deliveries = { ...context.deliveries }
      for (const input of inputs)
        deliveries[input.id] ??= spawn('delivery', { id: input.id, systemId: `delivery:${input.id}`, input })
      return { deliveries }
    }),
    /** One that failed by a mistake of the program is still stored, and is taken up again at the next start. */
    endDelivery: enqueueActions(({ context, enqueue }, actorId: string) => {
      const { [actorId]: ended, ...deliveries } = context.deliveries
      if (ended === undefined) return
      enqueue.stopChild(ended)
      enqueue.assign({ deliveries })
    }),
    assignAlive: assign((_, isAliveFailing: boolean) => ({ isAliveFailing })),
    stopDeliveries: enqueueActions(({ context, enqueue }) => {
      for (const ref of Object.values(context.deliveries)) enqueue.stopChild(ref)
      enqueue.assign({ deliveries: {} })
    }),
  },
}).createMachine({
  id: 'alerts',
  description: 'Incidents of all machines, and the messages that tell people about them.',
  context: ({ input }) => ({ ...input, deliveries: {}, isAliveFailing: false }),
  type: 'parallel',
  states: {
    work: {
      initial: 'restoring',
      states: {
        restoring: {
          description: 'Deliveries that were not over go on, before new ones are added.',
          invoke: {
            src: 'restore',
            onDone: {
              target: 'running',
              actions: { type: 'startDeliveries', params: ({ event }) => event.output },
            },
            onError: 'restarting',
          },
        },
        running: {
          invoke: { id: 'incidents', systemId: 'incidents', src: 'incidents', onError: 'restarting' },
          on: {
            'alerts.planned': { actions: { type: 'startDeliveries', params: ({ event }) => event.deliveries } },
            'xstate.done.actor.*': { actions: { type: 'endDelivery', params: ({ event }) => event.actorId } },
            'xstate.error.actor.*': { actions: { type: 'endDelivery', params: ({ event }) => event.actorId } },
          },
          initial: 'beginning',
          states: {
            // The machine of incidents has started when a state below is entered.
            beginning: { entry: 'openIncidents', always: 'watching' },
            watching: {},
          },
        },
        restarting: {
          description: 'The database could not be read, or a part failed.',
          entry: 'stopDeliveries',
          after: { restartDelay: 'restoring' },
        },
      },
    },
    alive: {
      initial: 'idle',
      states: {
        idle: { always: { guard: 'isAliveWanted', target: 'showing' } },
        waiting: { after: { alivePeriod: 'showing' } },
        showing: {
          description: 'Who does not hear of the server for a while knows that something is wrong.',
          invoke: {
            src: 'showAlive',
            onDone: { target: 'waiting', actions: { type: 'assignAlive', params: false } },
            onError: { target: 'waiting', actions: { type: 'assignAlive', params: true } },
          },
        },
      },
    },
  },
})

export type AlertsSnapshot = SnapshotFrom<typeof alertsMachine>

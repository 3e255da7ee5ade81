import { assign, setup, transition } from 'xstate'
import { incidentKey, type Condition } from '../../../folding/incidents/incident.ts'
import type { StoredIncident } from '../../../folding/incidents/incident-schema.ts'
import type { IncidentEvent } from './incident.events.ts'

export type IncidentContext = Omit<StoredIncident, 'state'>

export type IncidentInput = {
  readonly machine: string
  readonly name: string
  readonly owner: string | undefined
  readonly condition: Condition
}

export const incidentMachine = setup({
  types: { context: {} as IncidentContext, events: {} as IncidentEvent, input: {} as IncidentInput },
  actions: {
    assignCondition: assign((_, { condition, name }: { condition: Condition; name: string }) => ({
      ...condition,
      name,
    })),
    // What comes and goes is one incident that lasts since it first began.
    assignReturn: assign(({ context }, { condition, name }: { condition: Condition; name: string }) => ({
      ...condition,
      name,
      since: Math.min(context.since, condition.since),
      times: context.times + 1,
      resolvedAt: undefined,
    })),
    assignEnd: assign((_, at: number) => ({ resolvedAt: at, snoozedUntil: undefined })),
    assignSnooze: assign((_, snoozedUntil: number) => ({ snoozedUntil, wasAcknowledged: false })),
    clearSnooze: assign({ snoozedUntil: undefined, wasAcknowledged: false }),
    markAcknowledged: assign({ snoozedUntil: undefined, wasAcknowledged: true }),
  },
}).createMachine({
  id: 'incident',
  description: 'Something about a machine that a person should know, from its first occurrence to its end.',
  context: ({ input }) => {
    const { state: _, ...context } = newIncident(input)
    return context
  },
  initial: 'open',
  states: {
    open: {
      description: 'It asks for attention.',
      on: {
        'incident.found': { actions: { type: 'assignCondition', params: ({ event }) => event } },
        'incident.acknowledge': { target: 'acknowledged', actions: 'markAcknowledged' },
        'incident.snooze': { target: 'snoozed', actions: { type: 'assignSnooze', params: ({ event }) => event.until } },
        'incident.ended': { target: 'resolved', actions: { type: 'assignEnd', params: ({ event }) => event.at } },
      },
    },
    acknowledged: {
      description: 'A person knows about it.',
      on: {
        'incident.found': { actions: { type: 'assignCondition', params: ({ event }) => event } },
        'incident.snooze': { target: 'snoozed', actions: { type: 'assignSnooze', params: ({ event }) => event.until } },
        'incident.reopen': { target: 'open', actions: 'clearSnooze' },
        'incident.ended': { target: 'resolved', actions: { type: 'assignEnd', params: ({ event }) => event.at } },
      },
    },
    snoozed: {
      description: 'It asks for attention again later.',
      on: {
        'incident.found': { actions: { type: 'assignCondition', params: ({ event }) => event } },
        'incident.acknowledge': { target: 'acknowledged', actions: 'markAcknowledged' },
        'incident.snooze': { actions: { type: 'assignSnooze', params: ({ event }) => event.until } },
        'incident.reopen': { target: 'open', actions: 'clearSnooze' },
        'incident.timePassed': {
          guard: ({ context, event }) => event.at >= (context.snoozedUntil ?? 0),
          target: 'open',
          actions: 'clearSnooze',
        },
        'incident.ended': { target: 'resolved', actions: { type: 'assignEnd', params: ({ event }) => event.at } },
      },
    },
    resolved: {
      description: 'It is over. When it returns soon, it is the same incident.',
      on: {
        'incident.found': [
          {
            guard: ({ context }) => context.wasAcknowledged,
            target: 'acknowledged',
            actions: { type: 'assignReturn', params: ({ event }) => event },
          },
          { target: 'open', actions: { type: 'assignReturn', params: ({ event }) => event } },
        ],
      },
    },
  },
})

/** A new incident, open. */
export function newIncident({ machine: client, name, owner, condition }: IncidentInput): StoredIncident {
  return {
    ...condition,
    key: incidentKey(client, condition),
    machine: client,
    name,
    owner,
    state: 'open',
    times: 1,
    snoozedUntil: undefined,
    resolvedAt: undefined,
    wasAcknowledged: false,
  }
}

/**
 * The incident after an event; the same object when nothing changed. Its statechart runs as a pure function: thousands of
 * actors would all be in every checkpoint of the journal.
 */
export function advance(incident: StoredIncident, event: IncidentEvent): StoredIncident {
  const { state, ...context } = incident
  const before = incidentMachine.resolveState({ value: state, context })
  const [after] = transition(incidentMachine, before, event)
  return after === before ? incident : { ...after.context, state: after.value }
}

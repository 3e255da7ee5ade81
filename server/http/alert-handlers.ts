import type { Context } from 'hono'
import { kindEntry } from '../../src/folding/incidents/incident-kinds.ts'
import type { StoredIncident } from '../../src/machines/incidents/incident/incident.machine.ts'
import type { Identity } from '../access/access.ts'
import type { IncidentAnswer } from './alert-routes.ts'
import type { ApiServices, Handlers } from './api.ts'

type AlertServices = Pick<ApiServices, 'alerts' | 'store' | 'config' | 'now'>
type AlertRouteName =
  | 'incidents'
  | 'acknowledgeIncidents'
  | 'snoozeIncidents'
  | 'reopenIncidents'
  | 'alerts'
  | 'testAlert'
type Change = Parameters<ApiServices['alerts']['change']>[0]

const MINUTE_MS = 60_000
const MOST_MACHINES = 3

const timeText = (at: number | null | undefined): string | null =>
  at === undefined || at === null ? null : new Date(at).toISOString()

/** Handlers of the routes of incidents and alerts. */
export const alertHandlers = ({ alerts, store, config, now }: AlertServices): Pick<Handlers, AlertRouteName> => {
  /** Changes incidents once it is recorded who did it. */
  const change = async (
    identity: Identity,
    what: string,
    reason: string,
    command: Change,
    context: Context,
  ): Promise<Response> => {
    const names = new Set(alerts.incidents().flatMap(({ key, name }) => (command.keys.includes(key) ? [name] : [])))
    const listed = [...names].slice(0, MOST_MACHINES).join(', ')
    const machine = names.size > MOST_MACHINES ? `${listed} and ${names.size - MOST_MACHINES} more` : listed
    const action = { at: now(), who: identity.name, machine, command: what, reason: reason || 'HTTP API' }
    const id = await store.addAction(action)
    const changed = alerts.change(command)
    await store.settleAction(id, changed > 0 ? 'confirmed' : 'ignored')
    return context.json({ changed })
  }

  return {
    incidents: async ({ query: { state, kind, machine, from, to, limit } }, context) => {
      const at = now()
      const filter = { state, kind, machine, from: parsed(from), to: parsed(to) }
      const incidents = await store.incidents.list(filter, limit)
      return context.json({ incidents: incidents.map(incident => incidentAnswer(incident, at)) })
    },
    acknowledgeIncidents: ({ identity, body: { keys, reason } }, context) =>
      change(identity, 'acknowledge incidents', reason, { type: 'incidents.acknowledge', keys }, context),
    snoozeIncidents: ({ identity, body: { keys, reason, minutes } }, context) => {
      const until = now() + minutes * MINUTE_MS
      return change(
        identity,
        `snooze incidents for ${minutes} minutes`,
        reason,
        { type: 'incidents.snooze', keys, until },
        context,
      )
    },
    reopenIncidents: ({ identity, body: { keys, reason } }, context) =>
      change(identity, 'open incidents again', reason, { type: 'incidents.reopen', keys }, context),
    alerts: async ({ query: { limit } }, context) => {
      const deliveries = await store.alerts.list(limit)
      return context.json({
        channels: config.channels.map(({ name, kind }) => ({ name, kind })),
        messages: deliveries.map(
          ({ id, rule, channel, state, alerts: size, failures, error, created, due, settled }) => ({
            id,
            person: rule,
            channel,
            state,
            alerts: size,
            failures,
            error,
            created: new Date(created).toISOString(),
            due: new Date(due).toISOString(),
            settled: timeText(settled),
          }),
        ),
      })
    },
    testAlert: async ({ body: { channel } }, context) => {
      const result = await alerts.test(channel)
      if (result === undefined) return context.json({ error: 'There is no channel of that name' }, 404)
      return context.json({ outcome: result.kind, reason: result.kind === 'sent' ? null : result.reason })
    },
  }
}

const parsed = (time: string | undefined): number | undefined => (time === undefined ? undefined : Date.parse(time))

export const incidentAnswer = (incident: StoredIncident, now: number): IncidentAnswer => {
  const { title, cause, advice } = kindEntry(incident.kind)
  const { key, machine, name, kind, gravity, state, times } = incident
  return {
    key,
    machine,
    name,
    kind,
    gravity,
    state,
    title,
    cause: cause(incident, now),
    advice,
    since: new Date(incident.since).toISOString(),
    snoozedUntil: timeText(incident.snoozedUntil),
    ended: timeText(incident.resolvedAt),
    times,
  }
}

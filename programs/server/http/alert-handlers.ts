import type { Context } from 'hono'
import { adviceOf, kindEntry } from '../../../src/folding/incidents/incident-kinds.ts'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import { CHANNEL_KINDS } from '../alerts/channels/channel-kinds.ts'
import type { ChannelSettings, AlertRule } from '../config/alert-settings.ts'
import type { Identity } from '../access/access.ts'
import type {
  AlertChannel,
  AlertMessage,
  AlertPerson,
  AlertsAnswer,
  PushAnswer,
} from '../../../src/folding/incidents/alert-answers.ts'
import { timeText } from './answers.ts'
import type { alertRoutes, IncidentAnswer } from './alert-routes.ts'
import type { ApiServices, Handlers } from './handler.ts'

type AlertServices = Pick<ApiServices, 'coordinated' | 'store' | 'config' | 'now' | 'pushKey'>
type AlertRouteName = keyof typeof alertRoutes
type Alerts = ReturnType<ApiServices['coordinated']>['alerts']
type Change = Parameters<Alerts['change']>[0]

const MINUTE_MS = 60_000
const MOST_CLIENTS = 3
/** Messages from which the state of channels is read. */
const MOST_RECENT = 1000

/** Handlers of the routes of incidents and alerts. */
export function alertHandlers({
  coordinated,
  store,
  config,
  now,
  pushKey,
}: AlertServices): Pick<Handlers, AlertRouteName> {
  /** Changes incidents once it is recorded who did it. */
  const change = async (
    identity: Identity,
    what: string,
    reason: string,
    command: Change,
    context: Context,
  ): Promise<Response> => {
    const keys = new Set(command.keys)
    const names = new Set(
      coordinated()
        .alerts.incidents()
        .flatMap(({ key, name }) => (keys.has(key) ? [name] : [])),
    )
    const listed = [...names].slice(0, MOST_CLIENTS).join(', ')
    const client = names.size > MOST_CLIENTS ? `${listed} and ${names.size - MOST_CLIENTS} more` : listed
    const action = { at: now(), who: identity.name, machine: client, command: what, reason: reason || 'HTTP API' }
    const id = await store.addAction(action)
    const changed = coordinated().alerts.change(command)
    await store.settleAction(id, changed > 0 ? 'confirmed' : 'ignored')
    return context.json({ changed })
  }

  const pushState = async ({ name }: Identity): Promise<PushAnswer> => ({
    key: pushKey ?? null,
    browsers: (await store.push.list(name)).length,
  })

  return {
    incidents: async ({ query: { state, kind, machine: client, from, to, limit } }, context) => {
      const at = now()
      const filter = { state, kind, machine: client, from: parsed(from), to: parsed(to) }
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
      const recent = await store.alerts.list(MOST_RECENT)
      return context.json({
        channels: config.channels.map(channel =>
          channelAnswer(channel, recent, coordinated().alerts.lastTest(channel.name)),
        ),
        people: config.alerts.map(personAnswer),
        messages: recent.slice(0, limit).map(messageAnswer),
      } satisfies AlertsAnswer)
    },
    testAlert: async ({ body: { channel } }, context) => {
      const result = await coordinated().alerts.test(channel)
      if (result === undefined) return context.json({ error: 'There is no channel of that name' }, 404)
      return context.json({ outcome: result.kind, reason: result.kind === 'sent' ? null : result.reason })
    },
    push: async ({ identity }, context) => context.json(await pushState(identity)),
    subscribePush: async ({ identity, body }, context) => {
      if (pushKey === undefined) return context.json({ error: 'The settings have no channel of the kind push' }, 404)
      if (identity.scopes !== undefined) return context.json({ error: 'A token has no browser' }, 403)
      await store.push.add({ ...body, user: identity.name, created: now() })
      return context.json(await pushState(identity))
    },
    unsubscribePush: async ({ identity, body }, context) => {
      await store.push.remove(body.endpoint, identity.name)
      return context.json(await pushState(identity))
    },
  }
}

type Delivery = Awaited<ReturnType<ApiServices['store']['alerts']['list']>>[number]

const WAITING: readonly string[] = ['queued', 'held', 'ready', 'sending']

function channelAnswer(
  { name, kind }: ChannelSettings,
  deliveries: readonly Delivery[],
  test: ReturnType<Alerts['lastTest']>,
): AlertChannel {
  const ownDeliveries = deliveries.filter(({ channel }) => channel === name)
  const tried = ownDeliveries
    .filter(({ state, settled }) => settled !== null || state === 'retrying')
    .map(({ state, attempted, settled, due, error }) => ({
      at: attempted ?? settled ?? due,
      isDelivered: state === 'delivered',
      reason: error,
      isTrial: false,
    }))
  const tested =
    test === undefined
      ? []
      : [
          {
            at: test.at,
            isDelivered: test.result.kind === 'sent',
            reason: test.result.kind === 'sent' ? null : test.result.reason,
            isTrial: true,
          },
        ]
  const [last] = [...tested, ...tried].sort((a, b) => b.at - a.at)
  return {
    name,
    kind,
    label: CHANNEL_KINDS[kind].label,
    last:
      last === undefined
        ? null
        : {
            at: new Date(last.at).toISOString(),
            outcome: last.isDelivered ? 'delivered' : 'failed',
            reason: last.isDelivered ? null : last.reason,
            isTrial: last.isTrial,
          },
    waiting: ownDeliveries.filter(({ state }) => WAITING.includes(state)).length,
    retrying: ownDeliveries.filter(({ state }) => state === 'retrying').length,
  }
}

function personAnswer(rule: AlertRule): AlertPerson {
  return {
    name: rule.name,
    channels: [...rule.channels],
    together: rule.together,
    escalateMinutes: rule['escalate-minutes'],
    least: rule.least,
    kinds: rule.kinds === undefined ? null : [...rule.kinds],
    machines: rule.machines === undefined ? null : [...rule.machines],
    digestMinutes: rule['digest-minutes'],
    recovery: rule.recovery,
    quiet: rule.quiet === undefined ? null : { ...rule.quiet, except: [...rule.quiet.except] },
  }
}

function messageAnswer({
  id,
  rule,
  channel,
  state,
  alerts,
  failures,
  error,
  created,
  due,
  settled,
}: Delivery): AlertMessage {
  return {
    id,
    person: rule,
    channel,
    state: state as AlertMessage['state'],
    alerts,
    failures,
    error,
    created: new Date(created).toISOString(),
    due: new Date(due).toISOString(),
    settled: timeText(settled),
  }
}

function parsed(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time)
}

export function incidentAnswer(incident: StoredIncident, now: number): IncidentAnswer {
  const { title, cause } = kindEntry(incident.kind)
  const { key, machine: client, name, kind, gravity, state, times } = incident
  return {
    key,
    machine: client,
    name,
    kind,
    gravity,
    state,
    title,
    cause: cause(incident, now),
    advice: adviceOf(incident),
    since: new Date(incident.since).toISOString(),
    snoozedUntil: timeText(incident.snoozedUntil),
    ended: timeText(incident.resolvedAt),
    times,
  }
}

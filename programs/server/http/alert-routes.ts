import * as v from 'valibot'
import { alertsAnswer, pushAnswer, testAnswer } from '../../../src/folding/incidents/alert-answers.ts'
import { endpointBody, subscriptionBody } from '../push/push-services.ts'
import { GRAVITIES, INCIDENT_KINDS } from '../../../src/folding/incidents/incident.ts'
import { count, shortText, span, type RouteSpec } from './route-fields.ts'

/* Routes of incidents and alerts, as those of routes.ts. */

const MOST_KEYS = 1000

const incidentsQuery = v.object({
  state: v.pipe(
    v.optional(v.picklist(['active', 'ended', 'all']), 'active'),
    v.description('Those that last, those that are over, or both'),
  ),
  kind: v.optional(v.picklist(INCIDENT_KINDS)),
  ...span,
  limit: v.optional(count(10_000), '500'),
})
const keys = v.pipe(v.array(v.pipe(v.string(), v.maxLength(3000))), v.minLength(1), v.maxLength(MOST_KEYS))
const reason = v.pipe(v.optional(shortText, ''), v.description('Why, for the record of actions'))
const keysBody = v.object({ keys, reason })
const snoozeBody = v.object({
  keys,
  reason,
  minutes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(525_600)),
})
const testBody = v.object({ channel: shortText })

const incidentAnswer = v.object({
  key: v.string(),
  machine: v.pipe(v.string(), v.description('Id of the machine')),
  name: v.string(),
  kind: v.picklist(INCIDENT_KINDS),
  gravity: v.picklist(GRAVITIES),
  state: v.picklist(['open', 'acknowledged', 'snoozed', 'resolved']),
  title: v.string(),
  cause: v.string(),
  advice: v.string(),
  since: v.string(),
  snoozedUntil: v.nullable(v.string()),
  ended: v.nullable(v.string()),
  times: v.pipe(v.number(), v.description('How often it came back within half an hour; 1 at first')),
})
const changed = v.object({ changed: v.pipe(v.number(), v.description('How many of the incidents last')) })

export const alertRoutes = {
  incidents: {
    method: 'get',
    path: '/api/server/incidents',
    need: 'view',
    isCoordinated: true,
    summary: 'Incidents, the newest first',
    query: incidentsQuery,
    answer: v.object({ incidents: v.array(incidentAnswer) }),
  },
  acknowledgeIncidents: {
    method: 'post',
    path: '/api/server/incidents/acknowledge',
    need: 'control',
    isCoordinated: true,
    summary: 'Acknowledges incidents: no further alert about them is sent',
    body: keysBody,
    answer: changed,
  },
  snoozeIncidents: {
    method: 'post',
    path: '/api/server/incidents/snooze',
    need: 'control',
    isCoordinated: true,
    summary: 'These incidents ask for attention again later, if they last',
    body: snoozeBody,
    answer: changed,
  },
  reopenIncidents: {
    method: 'post',
    path: '/api/server/incidents/reopen',
    need: 'control',
    isCoordinated: true,
    summary: 'These incidents ask for attention again now',
    body: keysBody,
    answer: changed,
  },
  alerts: {
    method: 'get',
    path: '/api/server/alerts',
    need: 'administer',
    isCoordinated: true,
    summary: 'Channels without their secrets, who is told of what, and messages with what became of them',
    query: v.object({ limit: v.optional(count(1000), '100') }),
    answer: alertsAnswer,
  },
  testAlert: {
    method: 'post',
    path: '/api/server/alerts/test',
    need: 'administer',
    isCoordinated: true,
    summary: 'Sends a test by a channel, at once and once',
    body: testBody,
    answer: testAnswer,
  },
  push: {
    method: 'get',
    path: '/api/server/push',
    need: 'view',
    summary: 'What a browser needs to subscribe to alerts',
    answer: pushAnswer,
  },
  subscribePush: {
    method: 'post',
    path: '/api/server/push/subscribe',
    need: 'view',
    summary: 'This browser shows alerts of the channels of push. Only for people; 404 without such a channel',
    body: subscriptionBody,
    answer: pushAnswer,
  },
  unsubscribePush: {
    method: 'post',
    path: '/api/server/push/unsubscribe',
    need: 'view',
    summary: 'This browser shows no alerts any more',
    body: endpointBody,
    answer: pushAnswer,
  },
} as const satisfies Readonly<Record<string, RouteSpec>>

export type IncidentAnswer = v.InferOutput<typeof incidentAnswer>

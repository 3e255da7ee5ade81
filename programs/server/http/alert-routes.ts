import * as v from 'valibot'
import { alertsAnswer, pushAnswer, testAnswer } from '../../../src/folding/incidents/alert-answers.ts'
import { endpointBody, subscriptionBody } from '../push/push-services.ts'
import { GRAVITIES, INCIDENT_KINDS } from '../../../src/folding/incidents/incident.ts'
import { count, shortText, span, get, post, type RouteSpec } from './route-fields.ts'

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
  incidents: get('/api/server/incidents', 'view', 'Incidents, the newest first', {
    isCoordinated: true,
    query: incidentsQuery,
    answer: v.object({ incidents: v.array(incidentAnswer) }),
  }),
  acknowledgeIncidents: post(
    '/api/server/incidents/acknowledge',
    'control',
    'Acknowledges incidents: no further alert about them is sent',
    { isCoordinated: true, body: keysBody, answer: changed },
  ),
  snoozeIncidents: post(
    '/api/server/incidents/snooze',
    'control',
    'These incidents ask for attention again later, if they last',
    { isCoordinated: true, body: snoozeBody, answer: changed },
  ),
  reopenIncidents: post('/api/server/incidents/reopen', 'control', 'These incidents ask for attention again now', {
    isCoordinated: true,
    body: keysBody,
    answer: changed,
  }),
  alerts: get(
    '/api/server/alerts',
    'administer',
    'Channels without their secrets, who is told of what, and messages with what became of them',
    { isCoordinated: true, query: v.object({ limit: v.optional(count(1000), '100') }), answer: alertsAnswer },
  ),
  testAlert: post('/api/server/alerts/test', 'administer', 'Sends a test by a channel, at once and once', {
    isCoordinated: true,
    body: testBody,
    answer: testAnswer,
  }),
  push: get('/api/server/push', 'view', 'What a browser needs to subscribe to alerts', { answer: pushAnswer }),
  subscribePush: post(
    '/api/server/push/subscribe',
    'view',
    'This browser shows alerts of the channels of push. Only for people; 404 without such a channel',
    { body: subscriptionBody, answer: pushAnswer },
  ),
  unsubscribePush: post('/api/server/push/unsubscribe', 'view', 'This browser shows no alerts any more', {
    body: endpointBody,
    answer: pushAnswer,
  }),
} as const satisfies Readonly<Record<string, RouteSpec>>

export type IncidentAnswer = v.InferOutput<typeof incidentAnswer>

import { plural, t } from '@lingui/core/macro'
import { incidentTitle, kindEntry } from '../../../src/folding/incidents/incident-kinds.ts'
import { GRAVITIES, type Gravity, type Incident } from '../../../src/folding/incidents/incident.ts'
import { formatInterval } from '../../../src/folding/text/times.ts'
import { digestOf } from '../../../src/actors/incidents/digest.ts'
import type { Alert } from './alert.ts'

/** What a channel sends. Names come from clients: each channel escapes them for its own format. */
export type Message = {
  /** The same for each attempt, so that receivers can tell a repetition. */
  readonly id: string
  readonly title: string
  readonly body: string
  /** Of the gravest incident; undefined when all are over, or for a test. */
  readonly gravity: Gravity | undefined
  /** Epoch milliseconds. */
  readonly at: number
  /** The page of incidents, where the server knows its own address. */
  readonly link: string | undefined
  readonly incidents: readonly MessageIncident[]
}

export type MessageIncident = {
  readonly state: 'open' | 'ended'
  readonly machine: string
  readonly name: string
  readonly kind: string
  readonly gravity: Gravity
  readonly title: string
  readonly cause: string
  /** ISO 8601. */
  readonly since: string
  readonly ended: string | null
}

/** Incidents of one message; more are counted. */
const MOST_INCIDENTS = 50
const MOST_ENDED_LINES = 10

/** One message for all alerts of a delivery: what is open, then what is over. `now`: epoch milliseconds. */
export function messageOf(id: string, alerts: readonly Alert[], now: number, link: string | undefined): Message {
  const open = alerts.flatMap(({ phase, incident }) => (phase === 'found' ? [incident] : []))
  const ended = alerts.flatMap(({ phase, incident }) => (phase === 'ended' ? [incident] : []))
  const lines = ended.slice(0, MOST_ENDED_LINES).map(incident => {
    const lasted = formatInterval(Math.max(0, ((incident.resolvedAt ?? now) - incident.since) / 1000))
    return t`${incidentTitle(incident)} – over after ${lasted}`
  })
  if (ended.length > lines.length)
    lines.push(plural(ended.length - lines.length, { one: '# more is over', other: '# more are over' }))
  const [only] = ended
  const digest = open.length > 0 ? digestOf(open, now) : undefined
  const overTitle =
    ended.length === 1 && only !== undefined
      ? t`${incidentTitle(only)} – over`
      : plural(ended.length, { one: '# incident is over', other: '# incidents are over' })
  return {
    id,
    title: digest?.title ?? overTitle,
    body: [...(digest === undefined ? [] : [digest.body]), ...lines].join('\n'),
    gravity: GRAVITIES.find(gravity => open.some(incident => incident.gravity === gravity)),
    at: now,
    link,
    incidents: [...open, ...ended].slice(0, MOST_INCIDENTS).map(incident => incidentOf(incident, now)),
  }
}

function incidentOf(incident: Incident, now: number): MessageIncident {
  const { title, cause } = kindEntry(incident.kind)
  return {
    state: incident.resolvedAt === undefined ? 'open' : 'ended',
    machine: incident.machine,
    name: incident.name,
    kind: incident.kind,
    gravity: incident.gravity,
    title,
    cause: cause(incident, now),
    since: new Date(incident.since).toISOString(),
    ended: incident.resolvedAt === undefined ? null : new Date(incident.resolvedAt).toISOString(),
  }
}

/** What a test of a channel sends. */
export function testMessage(id: string, now: number, link: string | undefined): Message {
  return {
    id,
    title: t`Foldboard can reach you`,
    body: t`This is a test. Incidents of your machines will look like this.`,
    gravity: undefined,
    at: now,
    link,
    incidents: [],
  }
}

/*
 * Incidents of one kind that began together are one line: '8 clients out of reach since 03:12, all tagged attic'.
 */
import type { Incident } from './incident.ts'

export type IncidentGroup = {
  /** Of the first incident. Stays the same while others join. */
  readonly key: string
  /** By gravity and age, all of one kind and state. */
  readonly incidents: readonly [Incident, ...Incident[]]
  /** When the first one began, epoch milliseconds. */
  readonly since: number
  /** Tags that all its clients have. */
  readonly tags: readonly string[]
}

/** Incidents of one kind that began less than this after one another are shown together. Milliseconds. */
const TOGETHER = 10 * 60_000

/** `incidents`: by gravity and age. `tagsOf`: the tags that a person gave a client. */
export function groupIncidents(
  incidents: readonly Incident[],
  tagsOf: (client: string) => readonly string[] = () => [],
): readonly IncidentGroup[] {
  const groups: { incidents: [Incident, ...Incident[]]; last: number }[] = []
  const latest = new Map<string, (typeof groups)[number]>()
  for (const incident of incidents) {
    const sort = `${incident.kind} ${incident.state}`
    const group = latest.get(sort)
    // Notices have no urgency, so that when they began does not tell them apart.
    if (group !== undefined && (incident.gravity === 'notice' || incident.since - group.last <= TOGETHER)) {
      group.incidents.push(incident)
      group.last = incident.since
    } else {
      const started = { incidents: [incident] as [Incident, ...Incident[]], last: incident.since }
      groups.push(started)
      latest.set(sort, started)
    }
  }
  return groups.map(({ incidents: members }) => ({
    key: members[0].key,
    incidents: members,
    since: members[0].since,
    tags: members
      .map(({ machine: client }) => tagsOf(client))
      .reduce((shared, tags) => shared.filter(tag => tags.includes(tag))),
  }))
}

/** Ids of the clients of a group, each once. */
export function clientsOf({ incidents }: IncidentGroup): readonly string[] {
  return [...new Set(incidents.map(({ machine: client }) => client))]
}

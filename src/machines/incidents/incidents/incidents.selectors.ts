import {
  byGravityAndAge,
  isOpen,
  type Condition,
  type Incident,
  type IncidentKind,
} from '../../../folding/incidents/incident.ts'
import type { StoredIncident } from '../../../folding/incidents/incident-schema.ts'
import type { IncidentsSnapshot } from './incidents.machine.ts'

type Active = ReadonlyMap<string, StoredIncident>

/** What follows from all incidents, computed once. */
type Overview = {
  /** By gravity, then age. */
  readonly sorted: readonly Incident[]
  readonly byClient: ReadonlyMap<string, readonly Incident[]>
  readonly openKinds: ReadonlyMap<string, readonly IncidentKind[]>
  /** Incidents that ask for attention, without notices. */
  readonly count: number
  readonly hasGrave: boolean
}

const overviews = new WeakMap<Active, Overview>()

function overviewOf({ context: { incidents } }: IncidentsSnapshot): Overview {
  const cached = overviews.get(incidents.active)
  if (cached !== undefined) return cached
  const sorted = [...incidents.active.values()].sort(byGravityAndAge)
  const byClient = new Map<string, Incident[]>()
  const openKinds = new Map<string, readonly IncidentKind[]>()
  for (const incident of sorted) {
    const { machine: client, kind } = incident
    byClient.set(client, [...(byClient.get(client) ?? []), incident])
    const kinds = openKinds.get(client) ?? NO_KINDS
    if (isOpen(incident) && !kinds.includes(kind)) openKinds.set(client, [...kinds, kind])
  }
  const urgent = sorted.filter(incident => isOpen(incident) && incident.gravity !== 'notice')
  const overview: Overview = {
    sorted,
    byClient,
    openKinds,
    count: urgent.length,
    hasGrave: urgent.some(({ gravity }) => gravity === 'grave'),
  }
  overviews.set(incidents.active, overview)
  return overview
}

const none: readonly Incident[] = []
const NO_KINDS: readonly IncidentKind[] = Object.freeze([])

/** The number of incidents that ask for attention, without notices. */
export function selectAttentionCount(snapshot: IncidentsSnapshot): number {
  return overviewOf(snapshot).count
}
/** Whether one of them is grave. */
export function hasGraveIncident(snapshot: IncidentsSnapshot): boolean {
  return overviewOf(snapshot).hasGrave
}
/** All that last, by gravity and age. The same list while nothing changed. */
export function selectIncidents(snapshot: IncidentsSnapshot): readonly Incident[] {
  return overviewOf(snapshot).sorted
}
/** Those of one client that last, by its own id. The same list while nothing changed. */
export function selectIncidentsOf(client: string | undefined) {
  return (snapshot: IncidentsSnapshot): readonly Incident[] =>
    client === undefined ? none : (overviewOf(snapshot).byClient.get(client) ?? none)
}
/** The kinds of the open incidents of one client, by its own id, the gravest first. */
export function selectOpenKindsOf(client: string | undefined) {
  return (snapshot: IncidentsSnapshot): readonly IncidentKind[] =>
    client === undefined ? NO_KINDS : (overviewOf(snapshot).openKinds.get(client) ?? NO_KINDS)
}

/**
 * The time in the log of what is wrong with a part of a client: when its server answered last, else since when it lasts.
 * Of its gravest incident that is about that part, else of its wait; undefined when there is none. `machine`: its own id.
 */
export function selectLogTime(client: string | undefined, isAbout: (condition: Condition) => boolean) {
  return (snapshot: IncidentsSnapshot): number | undefined => {
    const waits = client === undefined ? undefined : snapshot.context.waits.get(client)
    const found = selectIncidentsOf(client)(snapshot).find(isAbout) ?? waits?.find(isAbout)
    return found?.evidence.answerAt ?? found?.since
  }
}
/** Whether stored incidents are loaded and clients are watched. */
export function areIncidentsLoaded(snapshot: IncidentsSnapshot): boolean {
  return snapshot.matches({ watching: 'watched' })
}

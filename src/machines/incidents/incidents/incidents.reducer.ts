import { incidentKey, storageId } from '../../../folding/incidents/incident.ts'
import type { IncidentEvent } from '../incident/incident.events.ts'
import type { StoredIncident } from '../../../folding/incidents/incident-schema.ts'
import { advance, newIncident } from '../incident/incident.machine.ts'
import type { Observation } from './incidents.events.ts'

/** Incidents that last, by key, and those that are over, the newest first. */
export type Incidents = {
  readonly active: ReadonlyMap<string, StoredIncident>
  /** Those that are over, the newest first. */
  readonly ended: readonly StoredIncident[]
}

export const noIncidents: Incidents = { active: new Map(), ended: [] }

/** What changed, for the store; `opened`: keys of incidents that ask for attention since now. */
export type IncidentChanges = {
  readonly incidents: Incidents
  readonly put: readonly StoredIncident[]
  readonly removed: readonly string[]
  readonly opened: readonly string[]
}

/** An incident that returns after less than this is the same one. Milliseconds. */
export const RETURNING = 30 * 60_000
/** Incidents that are over, kept: the newest. */
export const MAX_ENDED = 2000
/** Incidents at a time. Five thousand clients with four each. */
export const MAX_ACTIVE = 20_000

/** The incidents after the clients were looked at. */
export function withObservations(
  incidents: Incidents,
  observations: readonly Observation[],
  at: number,
): IncidentChanges {
  const draft = draftOf(incidents)
  for (const { machine: client, name, owner, present, gone } of observations) {
    for (const condition of present) {
      const key = incidentKey(client, condition)
      const before = draft.active.get(key) ?? draft.takeReturning(key, at)
      if (before === undefined && draft.active.size >= MAX_ACTIVE) continue
      if (before === undefined) draft.set(newIncident({ machine: client, name, owner, condition }), undefined)
      else
        draft.set(
          { ...advance(before, { type: 'incident.found', at, condition, name }), owner: ownerOf(before, owner) },
          before,
        )
    }
    for (const key of gone) draft.advance(`${client} ${key}`, { type: 'incident.ended', at })
  }
  return draft.changes()
}

/** The incidents after an event that concerns some of them; undefined for all. */
export function withEvent(
  incidents: Incidents,
  event: IncidentEvent,
  keys: readonly string[] | undefined,
): IncidentChanges {
  const draft = draftOf(incidents)
  for (const key of keys ?? [...incidents.active.keys()]) draft.advance(key, event)
  return draft.changes()
}

/** Ends the incidents of clients that are no longer listed. */
export function withoutClients(incidents: Incidents, clients: readonly string[], at: number): IncidentChanges {
  const left = new Set(clients)
  const keys = [...incidents.active.values()].flatMap(({ key, machine: client }) => (left.has(client) ? [key] : []))
  return withEvent(incidents, { type: 'incident.ended', at }, keys)
}

/** Without incidents of clients that belong to an account other than this one. */
export function withoutOthers(incidents: Incidents, account: string | undefined): Incidents {
  const isKept = ({ owner }: StoredIncident): boolean => owner === undefined || owner === account
  return {
    active: new Map([...incidents.active].filter(([, incident]) => isKept(incident))),
    ended: incidents.ended.filter(isKept),
  }
}

/** Stored incidents, with those that were found meanwhile. */
export function withStored({ active, ended }: Incidents, stored: readonly StoredIncident[]): Incidents {
  const lasting = stored.filter(({ resolvedAt }) => resolvedAt === undefined).slice(0, MAX_ACTIVE)
  const over = stored.filter(({ resolvedAt }) => resolvedAt !== undefined)
  return {
    active: new Map([...lasting.map(incident => [incident.key, incident] as const), ...active]),
    ended: [...ended, ...over].sort((a, b) => (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0)).slice(0, MAX_ENDED),
  }
}

// A client that was ever connected directly keeps its incidents when the account is left.
function ownerOf(before: StoredIncident, owner: string | undefined): string | undefined {
  return before.owner === undefined ? undefined : owner
}

function draftOf({ active: before, ended: endedBefore }: Incidents) {
  const active = new Map(before)
  let ended = endedBefore
  const put = new Map<string, StoredIncident>()
  const removed = new Set<string>()
  const opened: string[] = []
  const remove = (incident: StoredIncident): void => {
    const id = storageId(incident)
    put.delete(id)
    removed.add(id)
  }
  const set = (incident: StoredIncident, previous: StoredIncident | undefined): void => {
    if (incident === previous) return
    if (previous !== undefined && storageId(previous) !== storageId(incident)) remove(previous)
    if (incident.state === 'resolved') {
      active.delete(incident.key)
      for (const dropped of ended.slice(MAX_ENDED - 1)) remove(dropped)
      ended = [incident, ...ended.slice(0, MAX_ENDED - 1)]
    } else active.set(incident.key, incident)
    removed.delete(storageId(incident))
    put.set(storageId(incident), incident)
    if (incident.state === 'open' && previous?.state !== 'open') opened.push(incident.key)
  }
  return {
    active,
    set,
    advance: (key: string, event: IncidentEvent): void => {
      const existing = active.get(key)
      if (existing !== undefined) set(advance(existing, event), existing)
    },
    /** An incident of this key that ended a short time ago, taken from those that are over. */
    takeReturning: (key: string, at: number): StoredIncident | undefined => {
      for (const incident of ended) {
        if (at - (incident.resolvedAt ?? 0) > RETURNING) return undefined
        if (incident.key !== key) continue
        ended = ended.filter(other => other !== incident)
        return incident
      }
      return undefined
    },
    changes: (): IncidentChanges => ({
      incidents: put.size === 0 && removed.size === 0 ? { active: before, ended } : { active, ended },
      put: [...put.values()],
      removed: [...removed],
      opened,
    }),
  }
}

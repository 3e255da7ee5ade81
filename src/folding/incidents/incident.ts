/*
 * What an incident is: something about a client, a group, a GPU or a unit that a person should know. Small functions without
 * texts; the kinds, with their rules and texts, are in incident-kinds.ts.
 */
import type { Condition, Incident } from './incident-schema.ts'
import { GRAVITIES } from './incident-names.ts'

export { GRAVITIES, INCIDENT_KINDS, LONGEST_EVIDENCE, type Gravity, type IncidentKind } from './incident-names.ts'
export type { Condition, Evidence, Incident } from './incident-schema.ts'

export function incidentKey(client: string, { kind, subject }: Pick<Condition, 'kind' | 'subject'>): string {
  return `${client} ${conditionKey({ kind, subject })}`
}

/** Under which it is stored: one that is over is kept beside a later one of the same key. */
export function storageId({ key, resolvedAt }: Pick<Incident, 'key' | 'resolvedAt'>): string {
  return resolvedAt === undefined ? key : `${key} @${resolvedAt}`
}

/** Identifies a condition within its client. */
export function conditionKey({ kind, subject }: Pick<Condition, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`
}

/** Grave ones first, then the longest lasting. */
export function byGravityAndAge(a: Incident, b: Incident): number {
  return GRAVITIES.indexOf(a.gravity) - GRAVITIES.indexOf(b.gravity) || a.since - b.since || (a.key < b.key ? -1 : 1)
}

/** Whether the incident still asks for attention: it is neither acknowledged, snoozed nor resolved. */
export function isOpen({ state }: Incident): boolean {
  return state === 'open'
}

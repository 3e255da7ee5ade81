import type { Incident } from '../../../folding/incidents/incident.ts'

/** How long it lasted, or has lasted until now, in seconds. */
export function durationOf({ since, resolvedAt }: Incident, now: number): number {
  return Math.max(0, ((resolvedAt ?? now) - since) / 1000)
}

import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'

/** `found`: it asks for attention. `ended`: it is over. */
export type AlertPhase = 'found' | 'ended'

/** One incident for one person by one channel. Times are epoch milliseconds. */
export type Alert = {
  /** The event, person and channel: unique for ever. */
  readonly key: string
  /** Of the incident: the same for its beginning and its end. */
  readonly occurrence: string
  readonly rule: string
  readonly channel: string
  readonly phase: AlertPhase
  readonly at: number
  /** When it is sent at the earliest. */
  readonly due: number
  readonly incident: StoredIncident
}

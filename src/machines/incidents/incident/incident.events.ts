import type { Condition } from '../../../folding/incidents/incident.ts'

export type IncidentEvent =
  /** Its condition holds. `name`: the client's name now. */
  | { readonly type: 'incident.found'; readonly at: number; readonly condition: Condition; readonly name: string }
  /** Its condition no longer holds. */
  | { readonly type: 'incident.ended'; readonly at: number }
  /** A person knows about it: it no longer asks for attention. */
  | { readonly type: 'incident.acknowledge' }
  | { readonly type: 'incident.snooze'; readonly until: number }
  /** Ask for attention again. */
  | { readonly type: 'incident.reopen' }
  | { readonly type: 'incident.timePassed'; readonly at: number }

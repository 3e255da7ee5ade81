/*
 * What an incident is: something about a client, a group, a GPU or a unit that a person should know. Types and small
 * functions without texts; the kinds, with their rules and texts, are in incident-kinds.ts.
 */

/** All kinds, in the order in which the settings list them. */
export const INCIDENT_KINDS = [
  'stopped',
  'failing',
  'gpu-driver',
  'gpu-gone',
  'stalled',
  'deadline',
  'timeout',
  'unreachable',
  'excessive',
  'waiting',
  'unsent',
  'full',
  'starved',
  'slow',
  'clock',
  'too-old',
  'outdated',
  'nonsense',
  'shared',
  'ineffective',
  'silent',
  'forgotten',
] as const

export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** `grave`: points are being lost. `warning`: they may be. `notice`: nothing is lost, but something is not as it should be. */
export type Gravity = 'grave' | 'warning' | 'notice'

/** The longest text of what a rule found, in characters. */
export const LONGEST_EVIDENCE = 1000

/** The values that a rule found; which of them are set depends on the kind. Never a secret. */
export type Evidence = {
  readonly group?: string
  /** The client's number of a unit, and its id. */
  readonly unit?: number
  readonly unitId?: string
  readonly project?: number
  /** The id of a GPU, and its description. */
  readonly gpu?: string
  readonly name?: string
  readonly count?: number
  /** What exactly is wrong, of several possibilities of one kind. */
  readonly reason?: string
  /** The value that is stored, and the one that the client uses. */
  readonly stored?: string
  readonly used?: string
  /** The server's last answer, and when it came. */
  readonly answer?: string
  readonly answerAt?: number
  /** A timeout or deadline, epoch milliseconds, and whether it has passed. */
  readonly limitAt?: number
  readonly isPast?: boolean
  readonly seconds?: number
  readonly usualSeconds?: number
  readonly version?: string
  /** Vendor and system of a GPU, by which advice about its driver is chosen. */
  readonly place?: string
}

/** A fact about a client at one moment that is an incident while it lasts. */
export type Condition = {
  readonly kind: IncidentKind
  readonly gravity: Gravity
  /** Tells conditions of one kind on one client apart: a group, a GPU, a unit, a setting. */
  readonly subject: string
  /** Epoch milliseconds. */
  readonly since: number
  readonly evidence: Evidence
}

export type IncidentState = 'open' | 'acknowledged' | 'snoozed' | 'resolved'

/** An incident as it is shown and stored. Times are epoch milliseconds. */
export type Incident = Condition & {
  /** Client, kind and subject. One incident at a time has it; resolved ones are told apart by `since`. */
  readonly key: string
  readonly machine: string
  /** The client's name when the incident was last seen. */
  readonly name: string
  /** Id of the account the client was reached through; undefined if it was connected directly. */
  readonly owner: string | undefined
  readonly state: IncidentState
  /** How often it came back after it had been resolved for a short time; 1 at first. */
  readonly times: number
  /** The end of a snooze. */
  readonly snoozedUntil: number | undefined
  readonly resolvedAt: number | undefined
}

export function incidentKey(client: string, { kind, subject }: Pick<Condition, 'kind' | 'subject'>): string {
  return `${client} ${conditionKey({ kind, subject })}`
}

/** Identifies a condition within its client. */
export function conditionKey({ kind, subject }: Pick<Condition, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`
}

export const GRAVITIES: readonly Gravity[] = ['grave', 'warning', 'notice']

/** Grave ones first, then the longest lasting. */
export function byGravityAndAge(a: Incident, b: Incident): number {
  return GRAVITIES.indexOf(a.gravity) - GRAVITIES.indexOf(b.gravity) || a.since - b.since || (a.key < b.key ? -1 : 1)
}

/** Whether the incident still asks for attention: it is neither acknowledged, snoozed nor resolved. */
export function isOpen({ state }: Incident): boolean {
  return state === 'open'
}

/** Whether both say the same, so that nothing needs to be reported or drawn again. */
export function isSameCondition(a: Condition, b: Condition): boolean {
  if (a.kind !== b.kind || a.subject !== b.subject || a.since !== b.since || a.gravity !== b.gravity) return false
  const keys = Object.keys(a.evidence) as (keyof Evidence)[]
  return keys.length === Object.keys(b.evidence).length && keys.every(key => a.evidence[key] === b.evidence[key])
}

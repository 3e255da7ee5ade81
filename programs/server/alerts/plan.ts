/*
 * Which alerts follow from changed incidents: pure, so that the same change always has the same alerts under the same
 * keys, and none is stored twice.
 */
import { GRAVITIES } from '../../../src/folding/incidents/incident.ts'
import type { StoredIncident } from '../../../src/folding/incidents/incident-schema.ts'
import type { AlertRule } from '../config/alert-settings.ts'
import type { Alert, AlertPhase } from './alert.ts'

/** Alerts that are due within this time share a delivery. Milliseconds. */
const TOGETHER_MS = 5000
const MINUTE_MS = 60_000

/** When an alert is sent: the same for those that are sent together. */
function dueAt(at: number): number {
  return Math.ceil(at / TOGETHER_MS) * TOGETHER_MS
}

/** Whether a person wants to know of an incident. */
export function concerns(
  { least, kinds, machines: clients }: AlertRule,
  { gravity, kind, name }: StoredIncident,
): boolean {
  return (
    GRAVITIES.indexOf(gravity) <= GRAVITIES.indexOf(least) &&
    (kinds === undefined || kinds.includes(kind)) &&
    (clients === undefined || clients.includes(name))
  )
}

/** `before`: the stored incident of the same key that has not ended; undefined when there is none. */
export type Change = { readonly before: TrackedIncident | undefined; readonly after: StoredIncident }

/** `occurrence`: since when it asks for attention, as text: told once to each person by each channel. */
export type TrackedIncident = { readonly incident: StoredIncident; readonly occurrence: string }

export type Plan = {
  /** The changed incidents with their occurrences, in the given order. */
  readonly tracked: readonly TrackedIncident[]
  readonly alerts: readonly Alert[]
}

/** The alerts of changes at a time, for all persons who want to know. */
export function planAlerts(changes: readonly Change[], rules: readonly AlertRule[], at: number): Plan {
  const alerts: Alert[] = []
  const tracked = changes.map(({ before, after }) => {
    const wokenAt = snoozeEndOf(before, after, at)
    const isNew = after.state === 'open' && (before === undefined || wokenAt !== undefined)
    const occurrence =
      before === undefined || isNew
        ? `${after.key} ${after.since} ${after.times}${wokenAt === undefined ? '' : ` ${wokenAt}`}`
        : before.occurrence
    const hasEnded = after.state === 'resolved' && before !== undefined
    for (const rule of rules) {
      if (!concerns(rule, after)) continue
      if (isNew) alerts.push(...alertsOf(rule, occurrence, 'found', after, at))
      else if (hasEnded && rule.recovery) alerts.push(...alertsOf(rule, occurrence, 'ended', after, at))
    }
    return { incident: after, occurrence }
  })
  return { tracked, alerts }
}

/** When a snooze ended that is over; undefined when a person opened the incident again, who knows about it. */
function snoozeEndOf(before: TrackedIncident | undefined, after: StoredIncident, at: number): number | undefined {
  const until =
    before?.incident.state === 'snoozed' && after.state === 'open' ? before.incident.snoozedUntil : undefined
  return until !== undefined && until <= at ? until : undefined
}

function alertsOf(
  rule: AlertRule,
  occurrence: string,
  phase: AlertPhase,
  incident: StoredIncident,
  at: number,
): readonly Alert[] {
  return rule.channels.map((channel, position) => {
    const isLater = phase === 'found' && !rule.together
    const wait = rule['digest-minutes'] + (isLater ? position * rule['escalate-minutes'] : 0)
    return {
      key: JSON.stringify([occurrence, phase, rule.name, channel]),
      occurrence,
      rule: rule.name,
      channel,
      phase,
      at,
      due: dueAt(at + wait * MINUTE_MS),
      incident,
    }
  })
}

/** What is known of an alert when it is due. */
export type Standing = {
  /** The incident of its key now; undefined when it is over. */
  readonly now: TrackedIncident | undefined
  /**
   * Whether the same person was told of it by the same channel, and not of its end: of this occurrence or an earlier one of the same
   * begin, and of one that returned, after its return.
   */
  readonly wasSent: boolean
}

/**
 * Parts of an occurrence: `begin`: the incident and since when it lasts, the same when it returns soon; `times`: how often it came;
 * `isWoken`: whether it is told again since a snooze has ended.
 */
export function partsOfOccurrence(occurrence: string) {
  const [, begin = occurrence, times = '1', wokenAt] = /^(.*) (\d{1,9})( \d+)?$/.exec(occurrence) ?? []
  return { begin, times: Number(times), isWoken: wokenAt !== undefined }
}

/** Whether an alert that is due is still of use: its incident is open, or its end is news to those who got its beginning. */
export function isAlertStillUseful(
  { phase, occurrence }: Pick<Alert, 'phase' | 'occurrence'>,
  { now, wasSent }: Standing,
): boolean {
  return phase === 'found'
    ? !wasSent && now?.incident.state === 'open' && now.occurrence === occurrence
    : wasSent && now === undefined
}

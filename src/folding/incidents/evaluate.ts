/*
 * Applies all rules to one client: which conditions hold now, which wait to last long enough, and which are over. The
 * same functions run in the page and in a server.
 */
import { ownGroupName } from '../fleet/tags.ts'
import { isWrittenOff, type ClientView } from '../client/client.ts'
import { boundedKey, boundedText } from '../text/vocabulary.ts'
import { conditionKey, LONGEST_EVIDENCE, type Condition, type Evidence, type IncidentKind } from './incident.ts'
import { incidentKinds, thresholdOf, type IncidentSettings } from './incident-kinds.ts'
import { isWithoutGap, remember, type ClientMemory } from './client-memory.ts'
import type { ClientMoment } from './rules.ts'

export type Evaluation = {
  readonly memory: ClientMemory
  /** Conditions that hold, and lasted long enough. */
  readonly present: readonly Condition[]
  /** Waits that are normal for now: they have not lasted long enough to be an incident. */
  readonly waits: readonly Condition[]
  /** Keys of conditions that were reported and are over. */
  readonly gone: readonly string[]
  /** Whether something is over for too short a time to be certain. */
  readonly isSettling: boolean
}

/** Of one client: ten times what many groups and units have at once. */
const MOST_CONDITIONS = 500
/** What is known of a client that is not connected. */
const OF_CONNECTIONS: ReadonlySet<IncidentKind> = new Set(['unreachable', 'excessive'])
/** A condition that is over for less than this may return: its end is not reported yet. Milliseconds. */
export const SETTLED = 30_000
/** After a break, such as sleep, clients get this long to reconnect. Milliseconds. */
export const RECONNECTING = 120_000

/**
 * Judges a client. What a disconnected client does is unknown: its conditions neither begin nor end, but for being out
 * of reach.
 */
export function evaluate(input: ClientMoment, settings: IncidentSettings): Evaluation {
  const { view, now } = input
  const isKnown = view.isConnected && view.data !== undefined
  const memory = isKnown ? remember(input.memory, view, now, input.asOf ?? now) : input.memory
  const moment = { ...input, memory }
  const isContinuous = !isKnown || isWithoutGap(input.memory, now)
  const held = new Map<string, { since: number; last: number; isReported: boolean }>()
  const present: Condition[] = []
  const waits: Condition[] = []
  for (const [kind, { rule, gravity }] of incidentKinds) {
    if (settings.disabled.includes(kind) || (!isKnown && !OF_CONNECTIONS.has(kind))) continue
    const limit = (name: string): number => thresholdOf(settings, kind, name)
    const hold = limit('minutes') * 60_000
    for (const { since, lastsFrom, isUrgent, ...found } of rule(moment, limit)) {
      if (held.size >= MOST_CONDITIONS) break
      const subject = boundedKey(found.subject)
      const key = conditionKey({ kind, subject })
      const before = memory.held.get(key)
      // Whether it lasted is unknown for the time in which the client was not watched.
      const previous = isContinuous || before?.isReported === true ? before : undefined
      // The clock may have been set back since then.
      const began = Math.min(now, previous?.since ?? now, since ?? now)
      const isLater = lastsFrom !== undefined && lastsFrom > began && lastsFrom <= now
      // What was reported goes on, whatever the client does anew, such as connecting.
      const from = before?.isReported !== true && isLater ? lastsFrom : began
      const lasted = isUrgent === true || now - from >= hold
      const isReported = lasted && (before?.isReported === true || isSettled(kind, moment))
      held.set(key, { since: began, last: now, isReported })
      const condition = {
        kind,
        gravity,
        subject,
        since: began,
        evidence: boundedEvidence(withOwnName(found.evidence, view)),
      }
      if (isReported) present.push(condition)
      else if (kind === 'waiting') waits.push(condition)
    }
  }
  const gone: string[] = []
  let isSettling = false
  for (const [key, before] of memory.held) {
    const after = held.get(key)
    if (after !== undefined) {
      // A threshold was raised.
      if (before.isReported && !after.isReported) gone.push(key)
      continue
    }
    const kind = key.slice(0, key.indexOf(' ')) as IncidentKind
    const isDisabled = settings.disabled.includes(kind)
    // These end only with a connection, or a client that takes its place: while the page is offline, or begins, nothing is known.
    const isUndecided = OF_CONNECTIONS.has(kind) ? !view.isConnected && !isWrittenOff(view) : !isKnown
    const last = Math.min(before.last, now)
    const mayReturn = before.isReported && now - last < SETTLED
    if (!isDisabled && !isUndecided && mayReturn) isSettling = true
    if (!isDisabled && (isUndecided || mayReturn)) held.set(key, { ...before, last })
    else if (before.isReported) gone.push(key)
  }
  return { memory: { ...memory, held }, present, waits, gone, isSettling }
}

function withOwnName(evidence: Evidence, view: ClientView): Evidence {
  const title = evidence.group === undefined ? undefined : ownGroupName(view.data?.info, evidence.group)
  return title === undefined ? evidence : { ...evidence, title }
}

/** Texts of a client may have any length. */
function boundedEvidence(evidence: Evidence): Evidence {
  return Object.fromEntries(
    Object.entries(evidence).map(([name, value]) => [
      name,
      typeof value === 'string' ? boundedText(value, LONGEST_EVIDENCE) : value,
    ]),
  )
}

function isSettled(kind: IncidentKind, { now, watchedSince }: ClientMoment): boolean {
  return kind !== 'unreachable' || now - watchedSince >= RECONNECTING
}

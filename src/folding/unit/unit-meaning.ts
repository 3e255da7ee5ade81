/*
 * What a work unit does, and why: the table from what its client said to what that means. Everything that shows, counts or
 * judges units asks here, so that no two places differ.
 */
import { t } from '@lingui/core/macro'
import type { ClientData, Unit } from '../../protocol/client/client-data.ts'
import { isGroupFinishing } from '../client/group.ts'
import { finite, list, positive, record, text } from '../shared/read.ts'
import { parseTime } from '../text/times.ts'
import { plainAnswer } from './known-answers.ts'
import { pauseHelp, pauseReasonText, pauseSetting, unsentText } from './pause-reasons.ts'
import { RESOURCE_MEANINGS } from './resource-meanings.ts'
import type { Row, UnitCondition, UnitEvidence } from './unit-evidence.ts'

export type UnitMeaning = {
  readonly condition: UnitCondition
  /** The row of the table. */
  readonly row: string
  /** The word of its state for `statusAppearance`; '' when there is none. */
  readonly status: string
  /** Milliseconds until its wait ends; only while it waits. */
  readonly left: number | undefined
  /** Why it does not go on, and what would help; undefined when there is nothing to say. */
  readonly reason: string | undefined
  readonly help: string | undefined
  /** The setting of its group that decides; undefined without one. */
  readonly setting: string | undefined
}

/** Whether the unit has an end time and a result. Such units are in the history. */
export function hasEnded(unit: Unit): boolean {
  return text(unit.end_time) !== undefined && text(unit.result) !== undefined
}

/** Whether all that is left of its work is to send the results: it is finished, and they are not sent. */
export function isUnsent(unit: Unit): boolean {
  return unit.state === 'UPLOAD' && !hasEnded(unit)
}

/** When its wait ends, on the client's clock. Waits that are over stay in a unit (docs/protocol.md §6). */
function waitOf({ unit, at }: UnitEvidence): number | undefined {
  const until = parseTime(unit.wait)
  return until !== undefined && until > at ? until : undefined
}

function pauseOf(unit: Unit): string | undefined {
  return text(unit.pause_reason)
}
/**
 * Whether the unit is of a client before 8.4.0: it has been started, and no progress of its work is reported. Such a client
 * reports neither the start nor the process of a core, and `progress` in RUN is that of the work (docs/protocol.md §12).
 */
export function isOldStyle(unit: Unit): boolean {
  return unit.wu_progress === undefined && unit.start_time === undefined && record(unit.assignment) !== undefined
}

/** Both exist only while the core's process does. */
function hasProcess(unit: Unit): boolean {
  return finite(unit.pid) !== undefined || text(unit.start_time) !== undefined || isOldStyle(unit)
}
function stateOf(unit: Unit): string {
  return text(unit.state) ?? ''
}

function answerOf({ unit }: UnitEvidence): string | undefined {
  const error = text(unit.error)
  return error === undefined ? undefined : plainAnswer(error)
}
function lastAnswer(evidence: UnitEvidence): string | undefined {
  const answer = answerOf(evidence)
  return answer === undefined ? undefined : t`Last answer: ${answer}`
}
/** A server's answer is kept until a good one comes, and an attempt that reaches no server leaves none (docs/protocol.md §6). */
function isUnanswered({ unit }: UnitEvidence): boolean {
  return text(unit.error) === undefined && (finite(unit.retries) ?? 0) > 0
}

/** Whether the last attempts of the client, as far as they tell, reached no server. */
function isCutOff({ unit, data, at }: UnitEvidence): boolean {
  return (data?.units ?? []).some(
    other =>
      other !== unit && waitOf({ unit: other, data, at }) !== undefined && isUnanswered({ unit: other, data, at }),
  )
}

export const NO_SERVER = t`No server could be reached. Check the machine’s network, DNS, firewall and proxy; its log says which server it tried.`

function lastAnswerText(evidence: UnitEvidence): string | undefined {
  const answer = answerOf(evidence)
  return answer === undefined ? undefined : t`The last answer that came: ${answer}.`
}

function withAnswer(what: string) {
  return (evidence: UnitEvidence) => {
    const answer = answerOf(evidence)
    return answer === undefined ? `${what}.` : `${what}: ${answer}.`
  }
}
function networkHelp(evidence: UnitEvidence): string | undefined {
  return isUnanswered(evidence) ? NO_SERVER : undefined
}

const WAITS: Readonly<Record<string, string>> = {
  DOWNLOAD: t`Download failed`,
  CORE: t`Core download failed`,
  RUN: t`Core stopped`,
  UPLOAD: t`Upload failed`,
}

/** Seconds of the delay between servers that are tried in turn; it is no retry. */
const NEXT_SERVER = 5

export const UNUSABLE_CORE = t`Its core was fetched, and could not be used; the client does not try again by itself.`

/** The first row that holds is what a unit does. */
export const UNIT_MEANINGS: readonly Row[] = [
  {
    id: 'ended',
    source: '§7',
    holds: ({ unit }) => hasEnded(unit),
    condition: 'ended',
    status: unit => text(unit.result) ?? '',
  },
  {
    id: 'leaving',
    source: '§6',
    holds: ({ unit }) => unit.state === 'DONE' || unit.state === 'CLEAN',
    condition: 'ended',
    status: unit => text(unit.result) ?? stateOf(unit),
  },
  {
    id: 'dump not reported',
    source: '§6',
    holds: evidence => evidence.unit.state === 'DUMP' && waitOf(evidence) !== undefined,
    condition: 'waiting',
    status: () => 'DUMP_WAIT',
    reason: withAnswer(t`Reporting the dump failed`),
    help: networkHelp,
  },
  {
    id: 'dumping',
    source: '§6',
    holds: ({ unit }) => unit.state === 'DUMP',
    condition: 'dumping',
    status: () => 'DUMP',
    reason: lastAnswer,
  },
  {
    id: 'running',
    source: '§6',
    holds: ({ unit }) => unit.state === 'RUN' && hasProcess(unit) && pauseOf(unit) === undefined,
    condition: 'running',
    status: () => 'RUN',
  },
  {
    id: 'finished and held',
    source: '§6',
    holds: ({ unit }) => unit.state === 'UPLOAD' && pauseOf(unit) !== undefined,
    condition: 'held',
    status: () => 'UNSENT',
    reason: ({ unit }) => unsentText(pauseOf(unit) ?? ''),
    setting: ({ unit }) => pauseSetting(pauseOf(unit) ?? ''),
  },
  ...RESOURCE_MEANINGS,
  {
    id: 'held',
    source: '§6',
    holds: ({ unit }) => pauseOf(unit) !== undefined,
    condition: 'held',
    status: () => 'PAUSE',
    reason: ({ unit }) => pauseReasonText(pauseOf(unit) ?? ''),
    help: ({ unit }) => pauseHelp(pauseOf(unit) ?? ''),
    setting: ({ unit }) => pauseSetting(pauseOf(unit) ?? ''),
  },
  {
    id: 'next server',
    source: '§6',
    holds: evidence =>
      evidence.unit.state === 'UPLOAD' && waitOf(evidence) !== undefined && evidence.unit.delay === NEXT_SERVER,
    condition: 'waiting',
    status: () => 'UPLOAD_WAIT',
    reason: withAnswer(t`Finished; a server did not take the results, and the next one is tried`),
  },
  {
    id: 'results refused',
    source: '§6',
    holds: evidence => evidence.unit.state === 'UPLOAD' && waitOf(evidence) !== undefined,
    condition: 'waiting',
    status: () => 'UPLOAD_WAIT',
    reason: withAnswer(t`Finished, but sending the results failed`),
    help: networkHelp,
  },
  {
    id: 'no server reached',
    source: '§6',
    holds: evidence => evidence.unit.state === 'ASSIGN' && waitOf(evidence) !== undefined && isUnanswered(evidence),
    condition: 'waiting',
    status: () => 'ASSIGN_WAIT',
    reason: () => NO_SERVER,
  },
  {
    id: 'earlier answer',
    source: '§6',
    holds: evidence => evidence.unit.state === 'ASSIGN' && waitOf(evidence) !== undefined && isCutOff(evidence),
    condition: 'waiting',
    status: () => 'ASSIGN_WAIT',
    reason: evidence => `${NO_SERVER} ${lastAnswerText(evidence) ?? ''}`,
  },
  {
    id: 'no work',
    source: '§6',
    holds: evidence => evidence.unit.state === 'ASSIGN' && waitOf(evidence) !== undefined,
    condition: 'waiting',
    status: () => 'ASSIGN_WAIT',
    reason: lastAnswerText,
  },
  {
    id: 'core unusable',
    source: '§6',
    holds: evidence =>
      evidence.unit.state === 'CORE' &&
      waitOf(evidence) === undefined &&
      (finite(evidence.unit.retries) ?? 0) > 0 &&
      (positive(evidence.unit.progress) ?? 0) >= 1,
    condition: 'held',
    status: () => 'CORE_WAIT',
    reason: () => UNUSABLE_CORE,
    help: () =>
      t`Restart the folding client on the machine. If that does not help, see whether a virus scanner removes or blocks the core.`,
  },
  {
    id: 'waiting',
    source: '§6',
    holds: evidence => waitOf(evidence) !== undefined,
    condition: 'waiting',
    status: unit => (Object.hasOwn(WAITS, stateOf(unit)) ? `${stateOf(unit)}_WAIT` : 'WAIT'),
    reason: evidence => {
      const what = WAITS[stateOf(evidence.unit)] ?? t`Waiting to continue`
      return evidence.unit.state === 'DOWNLOAD' ? withAnswer(what)(evidence) : `${what}.`
    },
    help: evidence => (evidence.unit.state === 'DOWNLOAD' ? networkHelp(evidence) : undefined),
  },
  {
    id: 'result',
    source: '§7',
    holds: ({ unit }) => text(unit.result) !== undefined,
    condition: 'ended',
    status: unit => text(unit.result) ?? '',
    reason: lastAnswer,
  },
  {
    id: 'asking',
    source: '§6',
    holds: ({ unit }) => unit.state === 'ASSIGN',
    condition: 'asking',
    status: () => 'ASSIGN',
    reason: lastAnswer,
  },
  {
    id: 'transferring',
    source: '§6',
    holds: ({ unit }) => ['DOWNLOAD', 'CORE', 'UPLOAD'].includes(stateOf(unit)),
    condition: 'transferring',
    status: stateOf,
    reason: lastAnswer,
  },
  {
    id: 'starting',
    source: '§6',
    holds: ({ unit }) => unit.state === 'RUN',
    condition: 'running',
    status: () => 'RUN',
    reason: lastAnswer,
  },
  { id: 'unknown', source: '§6', holds: () => true, condition: 'unknown', status: stateOf, reason: lastAnswer },
]

function rowOf(evidence: UnitEvidence): Row {
  const row = UNIT_MEANINGS.find(({ holds }) => holds(evidence))
  if (row === undefined) throw new Error('The last row of the table holds for every unit.')
  return row
}

/** What a unit does. `at`: epoch milliseconds on the client's clock, see `clientTime`. */
export function conditionOf(unit: Unit, at: number): UnitCondition {
  return rowOf({ unit, data: undefined, at }).condition
}

/** Whether the core runs, or is just being started. */
export function isWorking(unit: Unit, at: number): boolean {
  return conditionOf(unit, at) === 'running'
}

/**
 * Whether the unit or its core is being fetched and no attempt has failed, so that nothing else tells when that goes wrong: a
 * client was seen to wait for hours for a server that had fallen silent (docs/protocol.md §6).
 */
export function isFirstTransfer(unit: Unit, at: number): boolean {
  return (
    (unit.state === 'DOWNLOAD' || unit.state === 'CORE') &&
    (finite(unit.retries) ?? 0) === 0 &&
    conditionOf(unit, at) === 'transferring'
  )
}

/** Whether the unit may run, but has no process: its core has not been started, or could not be. */
export function isStarting(unit: Unit, at: number): boolean {
  return rowOf({ unit, data: undefined, at }).id === 'starting'
}

/** Whether its core was fetched and could not be used, and the client does not try again. */
export function isCoreUnusable(unit: Unit, at: number): boolean {
  return rowOf({ unit, data: undefined, at }).id === 'core unusable'
}

/** Whether something on the client keeps the unit from going on. A dump goes ahead even so. */
export function isHeld(unit: Unit): boolean {
  return conditionOf(unit, Infinity) === 'held'
}

/** What a unit of this client does, why, and what would help. `now`: epoch milliseconds on this page's clock. */
export function meaningOf(unit: Unit, data: ClientData | undefined, now: number): UnitMeaning {
  const at = clientTime(data, now)
  const evidence = { unit, data, at }
  const { id, condition, status, reason, help, setting } = rowOf(evidence)
  const until = condition === 'waiting' ? waitOf(evidence) : undefined
  return {
    condition,
    row: id,
    status: condition === 'running' && isGroupFinishing(data, unit) ? 'FINISH' : status(unit),
    left: until === undefined ? undefined : until - at,
    reason: reason?.(evidence),
    help: help?.(evidence),
    setting: setting?.(evidence),
  }
}

/** The word of a unit's state alone. */
export function statusWord(unit: Unit, data: ClientData | undefined, now: number): string {
  const { condition, status } = rowOf({ unit, data: undefined, at: clientTime(data, now) })
  return condition === 'running' && isGroupFinishing(data, unit) ? 'FINISH' : status(unit)
}

const latestOf = new WeakMap<object, number>()

/**
 * The time on the client's clock, as far as its units prove it: at least that of the last start and the last attempt that
 * it wrote (docs/protocol.md §6). `now`: epoch milliseconds on this page's clock.
 */
export function clientTime(data: ClientData | undefined, now: number): number {
  if (data === undefined || list(data.units).length === 0) return now
  const { units } = data
  let latest = latestOf.get(units)
  if (latest === undefined) latestOf.set(units, (latest = latestTime(units)))
  return Math.max(now, latest)
}

/** By how much the client's clock is ahead at least, milliseconds. */
export function clockLead(data: ClientData | undefined, now: number): number {
  return clientTime(data, now) - now
}

function latestTime(units: readonly Unit[]): number {
  let latest = -Infinity
  for (const unit of units) {
    if (hasEnded(unit)) continue
    const started = parseTime(unit.start_time)
    const delay = finite(unit.delay)
    const until = delay === undefined ? undefined : parseTime(unit.wait)
    const tried = until === undefined || delay === undefined || delay < 0 ? undefined : until - delay * 1000
    latest = Math.max(latest, started ?? -Infinity, tried ?? -Infinity)
  }
  return latest
}

/** From this share of the work on, only rounding and the last frame are left. */
const DONE_SHARE = 0.999

/** How long a running unit may stand still, seconds. `tpf`: seconds per frame that are usual for it. */
export function longestStandstill(
  share: number,
  tpf: number | undefined,
  { frames, seconds }: { readonly frames: number; readonly seconds: number },
): number {
  return Math.max(seconds, (share >= DONE_SHARE ? 1 : frames) * (tpf ?? 0))
}

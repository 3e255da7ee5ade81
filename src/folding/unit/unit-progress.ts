/*
 * A unit's numbers: how far, how fast, until when. `now` is epoch milliseconds on the client's clock: the page's
 * own, corrected by what is known of the offset, and held at the last message while the client is out of reach
 * (a run time must not grow while nobody knows whether the core runs).
 */
import { t } from '@lingui/core/macro'
import type { Assignment, Unit } from '../../protocol/client-data.ts'
import { clampShare } from '../shared/format.ts'
import { finite, own, positive, record, text, texts } from '../shared/read.ts'
import type { UnitName } from '../shared/resource-keys.ts'
import { parseInterval, parseTime } from '../shared/times.ts'

/**
 * What the unit computes on: 'GPU' with at least one GPU (docs/product.md §10). Undefined when it says nothing about
 * either.
 */
export const unitType = (unit: Unit): 'CPU' | 'GPU' | undefined => {
  if (texts(unit.gpus).length > 0) return 'GPU'
  return Array.isArray(unit.gpus) || finite(unit.cpus) !== undefined ? 'CPU' : undefined
}

/** Whether the unit is over: it has an end and a result. Such units are in the history. */
export const hasEnded = (unit: Unit): boolean => text(unit.end_time) !== undefined && text(unit.result) !== undefined

/**
 * When the unit's wait is over, epoch milliseconds; undefined when it does not wait. A past `wait` means nothing
 * (docs/protocol.md §6).
 */
export const waitEnd = (unit: Unit, now: number): number | undefined => {
  const until = parseTime(unit.wait)
  return until !== undefined && until > now ? until : undefined
}

/**
 * Whether the core may be working: RUN, nothing that stops it, no wait (docs/protocol.md §6: RUN with a reason is
 * stopped).
 */
export const isWorking = (unit: Unit, now: number): boolean =>
  unit.state === 'RUN' && !isPaused(unit) && waitEnd(unit, now) === undefined && !hasEnded(unit)

/**
 * Whether the unit is stopped: it has a reason (docs/protocol.md §6). The unit's own `paused` is the scheduler's and
 * says less.
 */
export const isPaused = (unit: Unit): boolean => text(unit.pause_reason) !== undefined

/** Share of the work that is done, 0..1. A unit with a known state that has none yet has done nothing. */
export const workShare = (unit: Unit): number | undefined => {
  if (unit.wu_progress !== undefined) return clampShare(unit.wu_progress)
  return text(unit.state) === undefined || hasEnded(unit) ? undefined : 0
}

/** Seconds of core time up to now: `run_time` grows only when a run ends, so the present run is added. */
export const runTime = (unit: Unit, now: number): number | undefined => {
  const before = positive(unit.run_time)
  const started = hasEnded(unit) ? undefined : parseTime(unit.start_time)
  if (started === undefined) return before
  return (before ?? 0) + Math.max(0, (now - started) / 1000)
}

/** Seconds of work left as the client estimates them; undefined when it has not said. Stale unless the unit works. */
export const etaSeconds = (unit: Unit): number | undefined => parseInterval(unit.eta)

/**
 * Time per frame, seconds for 1 % of the unit (docs/product.md §2). A client does not send one, so it is, in this
 * order: what a newer client says (`tpf_secs`); the average so far, run time over percent done, once one
 * percent is done (before that the core's start-up weighs too much); the client's own estimate, time left
 * over percent left. Undefined when none can be had.
 */
export const tpfSeconds = (unit: Unit, now: number): number | undefined => {
  const told = positive(own(unit, 'tpf_secs'))
  if (told !== undefined && told > 0) return told
  const share = clampShare(unit.wu_progress) ?? 0
  const seconds = runTime(unit, now)
  if (share >= FRAME && seconds !== undefined && seconds > 0) return (seconds * FRAME) / share
  const left = hasEnded(unit) ? undefined : etaSeconds(unit)
  return left !== undefined && left > 0 && share < 1 ? (left * FRAME) / (1 - share) : undefined
}

/** Points a day as last reported. Only updated while the core runs. */
export const ppdOf = (unit: Unit): number | undefined => positive(unit.ppd)

/** Points a day that the unit makes at this moment: 0 unless it works. What totals add up. */
export const currentPpd = (unit: Unit, now: number): number => (isWorking(unit, now) ? Math.round(ppdOf(unit) ?? 0) : 0)

/** Whether `ppd` and `eta` are of an earlier moment: the client updates them only while the core runs. */
export const isStale = (unit: Unit, now: number): boolean => !hasEnded(unit) && !isWorking(unit, now)

/** The unit's assignment; undefined until the core first starts (docs/protocol.md §6). */
export const assignmentOf = (unit: Unit): Assignment | undefined =>
  record(unit.assignment) === undefined ? undefined : unit.assignment

/** The project's number. */
export const projectOf = (unit: Unit): number | undefined =>
  finite(assignmentOf(unit)?.project) ?? finite(own(unit, 'project'))

/** The core's type: '0xaa'. Older clients send a number. */
export const coreOf = (unit: Unit): string | undefined => {
  const core: unknown = assignmentOf(unit)?.core
  const type = record(core) === undefined ? core : own(core, 'type')
  const number = positive(type)
  return number === undefined ? text(type) : `0x${number.toString(16)}`
}

/** When the unit was assigned, epoch milliseconds. */
export const assignedAt = (unit: Unit): number | undefined => parseTime(assignmentOf(unit)?.time)

/** When the unit expires, epoch milliseconds: results that come later are worth nothing. */
export const deadlineAt = (unit: Unit): number | undefined => afterAssignment(unit, assignmentOf(unit)?.deadline)

/** When the unit is given to somebody else as well, epoch milliseconds: results that come later earn no bonus. */
export const timeoutAt = (unit: Unit): number | undefined => afterAssignment(unit, assignmentOf(unit)?.timeout)

/** How a unit stands to its deadline and timeout: none, timeout (misses it), deadline (misses it), passed (has missed it). */
export type DeadlineRisk = 'none' | 'timeout' | 'deadline' | 'passed'

/** Compares the time left with the deadline. Results being uploaded are only late when the deadline has passed. */
export const deadlineRisk = (unit: Unit, now: number): DeadlineRisk => {
  if (hasEnded(unit)) return 'none'
  const deadline = deadlineAt(unit)
  const timeout = timeoutAt(unit)
  if (deadline !== undefined && now > deadline) return 'passed'
  const ready = now + (etaSeconds(unit) ?? 0) * 1000
  if (deadline !== undefined && ready > deadline) return 'deadline'
  return timeout !== undefined && ready > timeout ? 'timeout' : 'none'
}

/** What a risk means, in words; undefined without one. */
export const deadlineWords = (risk: DeadlineRisk): string | undefined => DEADLINE_WORDS[risk]

/** Run, clone and gen as one text: '3, 7, 41'; undefined when one is missing. */
export const rcgOf = (unit: Unit): string | undefined => {
  const ids = [own(unit.wu, 'run'), own(unit.wu, 'clone'), own(unit.wu, 'gen')].map(finite)
  return ids.includes(undefined) ? undefined : ids.join(', ')
}

/** What the project calls the unit; undefined while a part of the name is not known. */
export const unitNameOf = (unit: Unit): UnitName | undefined => {
  const project = projectOf(unit)
  const [run, clone, gen] = [own(unit.wu, 'run'), own(unit.wu, 'clone'), own(unit.wu, 'gen')].map(finite)
  return project === undefined || run === undefined || clone === undefined || gen === undefined
    ? undefined
    : { project, run, clone, gen }
}

const FRAME = 0.01

const DEADLINE_WORDS: Readonly<Record<DeadlineRisk, string | undefined>> = {
  none: undefined,
  timeout: t`At this speed the unit misses its timeout: it will earn no bonus and be given to somebody else as well.`,
  deadline: t`At this speed the unit misses its deadline and will earn nothing.`,
  passed: t`The deadline has passed; the unit earns nothing any more.`,
}

const afterAssignment = (unit: Unit, seconds: unknown): number | undefined => {
  const assigned = assignedAt(unit)
  const length = positive(seconds)
  // 0 is how a server says that there is none.
  return assigned === undefined || length === undefined || length === 0 ? undefined : assigned + length * 1000
}

/*
 * A unit's numbers: progress, speed, deadlines. `now` is epoch milliseconds on the client's clock: the page's clock plus
 * the known offset. While the client is disconnected it is the time of its last message, so that run times do not grow
 * while it is unknown whether the core runs.
 */
import { t } from '@lingui/core/macro'
import type { Assignment, Unit } from '../../protocol/client/client-data.ts'
import { clampShare, UNKNOWN } from '../text/format.ts'
import { finite, ownValue, positive, record, text, texts } from '../shared/read.ts'
import type { UnitName } from '../shared/resource-keys.ts'
import { DAY, formatInterval, HOUR, MINUTE, parseInterval, parseTime } from '../text/times.ts'
import { hasEnded, isHeld, isOldStyle, isUnsent, isWorking } from './unit-meaning.ts'
import { watchedSpeed, watchedTpf, type SpeedBasis } from './watched.ts'

/** 'GPU' with at least one GPU (docs/product.md §10), else 'CPU'; undefined when the unit reports neither. */
export function unitType(unit: Unit): 'CPU' | 'GPU' | undefined {
  if (texts(unit.gpus).length > 0) return 'GPU'
  return Array.isArray(unit.gpus) || finite(unit.cpus) !== undefined ? 'CPU' : undefined
}

/**
 * Share of the work that is done, 0..1; 0 when a unit with a known state does not report it yet. Undefined of a credited
 * unit that reports nothing done: it was done, and its last progress was not reported (docs/protocol.md §7). Of a client
 * before 8.4.0 it is known only in RUN.
 */
export function workShare(unit: Unit): number | undefined {
  if (hasEnded(unit))
    return unit.result === 'credited' && unit.wu_progress === 0 ? undefined : clampShare(unit.wu_progress)
  if (unit.wu_progress !== undefined) return clampShare(unit.wu_progress)
  if (text(unit.state) === undefined) return undefined
  if (isUnsent(unit)) return 1
  if (!isOldStyle(unit)) return 0
  return unit.state === 'RUN' ? clampShare(unit.progress) : undefined
}

/** Whether the work of an ended unit was done: its results were credited, or it reported all of it. */
export function isComplete(unit: Unit): boolean {
  return unit.result === 'credited' || workShare(unit) === 1
}

/** The client's estimate of the time left, seconds. Undefined for one that no unit can take. Outdated unless it runs. */
export function etaSeconds(unit: Unit): number | undefined {
  const seconds = parseInterval(unit.eta)
  return seconds === undefined || seconds > LONGEST_ETA ? undefined : seconds
}

/** An `eta` of a newer client that is neither a duration nor a broken one. */
export function unknownEta(unit: Unit): string | undefined {
  const eta = hasEnded(unit) ? undefined : text(unit.eta)
  return eta === undefined || parseInterval(eta) !== undefined || /(?:^|\s)-\s*\d/.test(eta) ? undefined : eta
}

/**
 * Whether the time left of a unit that runs is a guess: in the first percent, whose start of the core distorts what is
 * measured, and where the run time so far contradicts what the work server expected while its speed was not watched.
 */
export function isGuess(unit: Unit, now: number): boolean {
  return (
    isRunning(unit) && (isYoung(unit) || (watchedTpf(unit) === undefined && refutedEstimate(unit, now) !== undefined))
  )
}

/** Whether its points per day are: clients compute them from what the work server expected, which nothing here corrects. */
export function isPpdGuess(unit: Unit, now: number): boolean {
  return isRunning(unit) && (isYoung(unit) || (hasServerEstimate(unit) && presentSpeed(unit, now) !== undefined))
}

function isRunning(unit: Unit): boolean {
  return unit.state === 'RUN' && !hasEnded(unit)
}

function isYoung(unit: Unit): boolean {
  return (workShare(unit) ?? 0) < FRAME
}

/**
 * Seconds left: the client's estimate, or by the speed that was seen or measured where that contradicts it. Undefined of an
 * ended unit, whose last estimate stays in its report.
 */
export function timeLeft(unit: Unit, now: number): number | undefined {
  if (hasEnded(unit)) return undefined
  const speed = presentSpeed(unit, now)
  return speed === undefined ? etaSeconds(unit) : (speed * (1 - (workShare(unit) ?? 0))) / FRAME
}

/**
 * The time per frame of now where the client's time left contradicts it: what was watched, else what was measured against a
 * time that the work server sent, from which clients compute `eta` whatever the speed is (docs/protocol.md §6).
 */
function presentSpeed(unit: Unit, now: number): number | undefined {
  const watched = isWorking(unit, now) && (workShare(unit) ?? 0) <= 1 - FRAME ? watchedTpf(unit) : undefined
  if (watched === undefined) return refutedEstimate(unit, now)
  const estimated = estimatedTpf(unit)
  return estimated !== undefined && !isContradicting(watched, estimated, unit) ? undefined : watched
}

function isContradicting(measured: number, estimated: number, unit: Unit): boolean {
  const most = CONTRADICTION * (1 + etaRounding(etaSeconds(unit) ?? 0))
  return measured > estimated * most || measured < estimated / most
}

/** Time per frame by the client's own estimate, which leaves out sleep and jumps of its clock; seconds. */
function estimatedTpf(unit: Unit): number | undefined {
  const left = etaSeconds(unit)
  const share = workShare(unit) ?? 0
  return left === undefined || left <= 0 || share >= 1 ? undefined : (left * FRAME) / (1 - share)
}

/** The relative error of a time left: clients round it to its two largest units. */
function etaRounding(seconds: number): number {
  return (seconds < HOUR ? 1 : seconds < DAY ? MINUTE : HOUR) / seconds
}

/**
 * By the times that the client reports: core time of earlier runs, and since the start of this one. Clients before 8.4.0
 * do not report that start.
 */
function reportedRunTime(unit: Unit, now: number): number | undefined {
  if (isOldStyle(unit) && isWorking(unit, now)) return undefined
  const before = positive(unit.run_time)
  const started = hasEnded(unit) ? undefined : parseTime(unit.start_time)
  if (started === undefined) return before
  return (before ?? 0) + Math.max(0, (now - started) / 1000)
}

/** Whether the client computes `eta` and `ppd` from what the work server expected, not from what it measures. */
function hasServerEstimate(unit: Unit): boolean {
  return (positive(ownValue(unit.wu, 'estimate')) ?? 0) > 0
}

/** Seconds per frame by the reported times; in the first percent the start of the core distorts them. */
function measuredTpf(unit: Unit, now: number): number | undefined {
  const share = workShare(unit) ?? 0
  const seconds = reportedRunTime(unit, now)
  return share >= FRAME && seconds !== undefined && seconds > 0 ? (seconds * FRAME) / share : undefined
}

/** Both times per frame of a running unit, where they differ by more than rounding. */
function contradiction(unit: Unit, now: number): { readonly measured: number; readonly estimated: number } | undefined {
  const share = workShare(unit) ?? 0
  const isFit = share <= 1 - FRAME && text(unit.start_time) !== undefined && isWorking(unit, now)
  const estimated = isFit ? estimatedTpf(unit) : undefined
  const measured = isFit && share >= FRAME ? ((reportedRunTime(unit, now) ?? 0) * FRAME) / share : undefined
  if (estimated === undefined || measured === undefined) return undefined
  return isContradicting(measured, estimated, unit) ? { measured, estimated } : undefined
}

/**
 * The time per frame without sleep where the reported times contradict the client's estimate. A client measures without sleep,
 * so the computer slept, or a clock is wrong (docs/protocol.md §6). What a work server expected says nothing of sleep: there
 * the speed that was watched decides, and without it nothing does. Undefined otherwise.
 */
function tpfWithoutSleep(unit: Unit, now: number): number | undefined {
  const found = contradiction(unit, now)
  const watched = watchedTpf(unit)
  if (found === undefined || watched === undefined) return hasServerEstimate(unit) ? undefined : found?.estimated
  const isSlower = Math.abs(Math.log(watched / found.measured)) < Math.abs(Math.log(watched / found.estimated))
  return isSlower ? undefined : watched
}

/**
 * The measured time per frame where it contradicts what the work server expected. Either the unit takes longer, or the
 * computer slept: nothing reported decides between them. Undefined otherwise.
 */
function refutedEstimate(unit: Unit, now: number): number | undefined {
  const measured = hasServerEstimate(unit) ? contradiction(unit, now)?.measured : undefined
  return measured === undefined || measured <= 0 ? undefined : measured
}

/**
 * Core time so far, seconds. `run_time` grows only when a run ends, so the current run is added; where the computer slept,
 * what was watched, or the client's progress and ETA, which leave that out, win.
 */
export function runTime(unit: Unit, now: number): number | undefined {
  const awake = tpfWithoutSleep(unit, now)
  if (awake === undefined) return reportedRunTime(unit, now)
  return Math.max(positive(unit.run_time) ?? 0, (awake * (workShare(unit) ?? 0)) / FRAME)
}

/**
 * Time per frame: seconds for 1 % of the unit (docs/product.md §2). In this order: `tpf_secs` of newer clients; what
 * was watched of late; the average, run time over percent done, from 1 % on, or the client's own measurement where the computer
 * slept; the client's estimate, time left over percent left. Undefined when all are unknown.
 */
export function tpfSeconds(unit: Unit, now: number): number | undefined {
  return speedOf(unit, now)?.seconds
}

/** The time per frame, and by which frames it was measured; undefined `by`: the client's estimate. */
export function speedOf(
  unit: Unit,
  now: number,
): { readonly seconds: number; readonly by: SpeedBasis | undefined } | undefined {
  const reported = positive(ownValue(unit, 'tpf_secs'))
  if (reported !== undefined && reported > 0) return { seconds: reported, by: 'all' }
  const watched = isWorking(unit, now) ? watchedSpeed(unit) : undefined
  if (watched !== undefined) return watched
  const measured = tpfWithoutSleep(unit, now) ?? measuredTpf(unit, now)
  if (measured !== undefined) return { seconds: measured, by: 'all' }
  const isUnknown = hasEnded(unit) || (unit.state === 'RUN' && workShare(unit) === 0)
  const seconds = isUnknown ? undefined : estimatedTpf(unit)
  return seconds === undefined ? undefined : { seconds, by: undefined }
}

/** Points per day as last reported; updated only while the core runs. 0 means that they were not reported. */
export function ppdOf(unit: Unit): number | undefined {
  const ppd = positive(unit.ppd)
  return ppd === 0 ? undefined : ppd
}

/** Points per day now: 0 unless the core is running. Used for totals. */
export function currentPpd(unit: Unit, now: number): number {
  return isWorking(unit, now) ? Math.round(ppdOf(unit) ?? 0) : 0
}

/** Whether `ppd` and `eta` are outdated: the client updates them only while the core runs. */
export function isStale(unit: Unit, now: number): boolean {
  return !hasEnded(unit) && !isWorking(unit, now)
}

/** The unit's assignment; undefined until the core first starts (docs/protocol.md §6). */
export function assignmentOf(unit: Unit): Assignment | undefined {
  return record(unit.assignment) === undefined ? undefined : unit.assignment
}

export function projectOf(unit: Unit): number | undefined {
  return finite(assignmentOf(unit)?.project) ?? finite(ownValue(unit, 'project'))
}

/** 'Project 18402'; 'Project ???' while it is not known. */
export function projectTitle(id: number | undefined): string {
  const project = id ?? UNKNOWN
  return t`Project ${project}`
}

/** Whether the unit is neither paused nor ended. */
export function isActive(unit: Unit): boolean {
  return !isHeld(unit) && !hasEnded(unit)
}

/** Distinct project numbers of active units, ascending. */
export function activeProjects(units: readonly Unit[]): readonly number[] {
  return inOrder(units.flatMap(unit => (isActive(unit) ? (projectOf(unit) ?? []) : [])))
}

/** Distinct, ascending. */
export function inOrder(projects: Iterable<number>): readonly number[] {
  return [...new Set(projects)].sort((a, b) => a - b)
}

/** The core's type, such as '0xaa'. Older clients send a number. */
export function coreOf(unit: Unit): string | undefined {
  const core: unknown = assignmentOf(unit)?.core
  const type = record(core) === undefined ? core : ownValue(core, 'type')
  const number = positive(type)
  return number === undefined ? text(type) : `0x${number.toString(16)}`
}

/** When the unit was assigned, epoch milliseconds. */
export function assignedAt(unit: Unit): number | undefined {
  return parseTime(assignmentOf(unit)?.time)
}

/** When the unit expires, epoch milliseconds: later results earn nothing. */
export function deadlineAt(unit: Unit): number | undefined {
  return afterAssignment(unit, assignmentOf(unit)?.deadline)
}

/** When the unit is also assigned to another client, epoch milliseconds: later results earn no bonus. */
export function timeoutAt(unit: Unit): number | undefined {
  return afterAssignment(unit, assignmentOf(unit)?.timeout)
}

/** Whether a unit will miss its timeout or deadline, or has passed its deadline. */
export type DeadlineRisk = 'none' | 'timeout' | 'deadline' | 'passed'

/** When its results are expected, by `timeLeft`; undefined while that is not known. */
export function readyAt(unit: Unit, now: number): number | undefined {
  const left = isUnsent(unit) ? 0 : timeLeft(unit, now)
  return left === undefined ? undefined : now + left * 1000
}

/**
 * Before then its results will not be ready, as far as that is known; else now. No more is claimed of the first percent, nor
 * where nothing decides between two estimates.
 */
export function readyAtEarliest(unit: Unit, now: number): number {
  if (isUnsent(unit) || isYoung(unit)) return now
  const left = timeLeft(unit, now) ?? 0
  return now + (isGuess(unit, now) ? Math.min(etaSeconds(unit) ?? 0, left) : left) * 1000
}

/** Compares the time left with timeout and deadline. */
export function deadlineRisk(unit: Unit, now: number): DeadlineRisk {
  if (hasEnded(unit)) return 'none'
  const deadline = deadlineAt(unit)
  const timeout = timeoutAt(unit)
  if (deadline !== undefined && now > deadline) return 'passed'
  const ready = readyAtEarliest(unit, now)
  if (deadline !== undefined && ready > deadline) return 'deadline'
  return timeout !== undefined && ready > timeout ? 'timeout' : 'none'
}

/** The next of timeout and deadline that lies ahead, epoch milliseconds. */
export function nextLimit(unit: Unit, now: number): number | undefined {
  return [timeoutAt(unit), deadlineAt(unit)].find(limit => limit !== undefined && limit > now)
}

/** What finished results stand to lose until they are sent; undefined for other units, and after the deadline. */
export function stakeText(unit: Unit, now: number): string | undefined {
  if (!isUnsent(unit)) return undefined
  const timeout = timeoutAt(unit)
  const deadline = deadlineAt(unit)
  if (timeout !== undefined && timeout > now)
    return t`The timeout is in ${formatInterval((timeout - now) / 1000)}: later they earn no bonus.`
  if (deadline === undefined || deadline <= now) return undefined
  const left = formatInterval((deadline - now) / 1000)
  return timeout === undefined
    ? t`The deadline is in ${left}: later they earn no points.`
    : t`The timeout has passed, so they earn no bonus; the deadline is in ${left}: later they earn no points.`
}

/** Until when a unit that is held should be ready; undefined without a limit ahead. */
export function heldLimitText(unit: Unit, now: number): string | undefined {
  const timeout = timeoutAt(unit)
  const limit = nextLimit(unit, now)
  if (limit === undefined) return undefined
  if (limit === timeout) return t`The timeout is in ${formatInterval((limit - now) / 1000)}: later they earn no bonus.`
  const left = formatInterval((limit - now) / 1000)
  return t`The deadline is in ${left}: later they earn no points.`
}

/** The warning for a risk; undefined without one. */
export function deadlineWarning(risk: DeadlineRisk): string | undefined {
  return DEADLINE_WARNINGS[risk]
}

/** Run, clone and gen as one text: '3, 7, 41'; undefined when one is missing. */
export function rcgOf(unit: Unit): string | undefined {
  const ids = [ownValue(unit.wu, 'run'), ownValue(unit.wu, 'clone'), ownValue(unit.wu, 'gen')].map(finite)
  return ids.includes(undefined) ? undefined : ids.join(', ')
}

/** Points that the API logged for a unit of the history; clients have no such field (credits.ts). */
export function loggedCredit(unit: Unit): number | undefined {
  return positive(ownValue(unit, 'logged_credit'))
}

/** Why a person left the unit out of benchmarks; undefined when it is not. Clients have no such field (credits.ts). */
export function leftOutReason(unit: Unit): string | undefined {
  return text(ownValue(unit, 'left_out'))
}

/** Project, run, clone and gen; undefined while one is unknown. */
export function unitNameOf(unit: Unit): UnitName | undefined {
  const project = projectOf(unit)
  const [run, clone, gen] = [ownValue(unit.wu, 'run'), ownValue(unit.wu, 'clone'), ownValue(unit.wu, 'gen')].map(finite)
  return project === undefined || run === undefined || clone === undefined || gen === undefined
    ? undefined
    : { project, run, clone, gen }
}

const FRAME = 0.01
/** Clients overflow at about 68 years, and no unit has a deadline of years. */
const LONGEST_ETA = 3650 * DAY
/** Factor by which times differ that rounding cannot explain. */
const CONTRADICTION = 1.25

const DEADLINE_WARNINGS: Readonly<Record<DeadlineRisk, string | undefined>> = {
  none: undefined,
  timeout: t`At this speed the work unit will miss its timeout, earn no bonus and be assigned to another machine as well.`,
  deadline: t`At this speed the work unit will miss its deadline and earn no points.`,
  passed: t`The deadline has passed: the work unit will earn no points.`,
}

function afterAssignment(unit: Unit, seconds: unknown): number | undefined {
  const assigned = assignedAt(unit)
  const length = positive(seconds)
  // Servers send 0 for none.
  return assigned === undefined || length === undefined || length === 0 ? undefined : assigned + length * 1000
}

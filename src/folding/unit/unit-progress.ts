/*
 * A unit's numbers: progress, speed, deadlines. `now` is epoch milliseconds on the client's clock: the page's clock plus
 * the known offset. While the client is disconnected it is the time of its last message, so that run times do not grow
 * while it is unknown whether the core runs.
 */
import { t } from '@lingui/core/macro'
import type { Assignment, Unit } from '../../protocol/client-data.ts'
import { clampShare } from '../shared/format.ts'
import { finite, own, positive, record, text, texts } from '../shared/read.ts'
import type { UnitName } from '../shared/resource-keys.ts'
import { parseInterval, parseTime } from '../shared/times.ts'

/** 'GPU' with at least one GPU (docs/product.md §10), else 'CPU'; undefined when the unit reports neither. */
export const unitType = (unit: Unit): 'CPU' | 'GPU' | undefined => {
  if (texts(unit.gpus).length > 0) return 'GPU'
  return Array.isArray(unit.gpus) || finite(unit.cpus) !== undefined ? 'CPU' : undefined
}

/** Whether the unit has an end time and a result. Such units are in the history. */
export const hasEnded = (unit: Unit): boolean => text(unit.end_time) !== undefined && text(unit.result) !== undefined

/** When the unit's wait ends, epoch milliseconds; undefined without a wait. A past `wait` is void (docs/protocol.md §6). */
export const waitEnd = (unit: Unit, now: number): number | undefined => {
  const until = parseTime(unit.wait)
  return until !== undefined && until > now ? until : undefined
}

/** Whether the core is running: state RUN, no pause reason, no wait (docs/protocol.md §6). */
export const isWorking = (unit: Unit, now: number): boolean =>
  unit.state === 'RUN' && !isPaused(unit) && waitEnd(unit, now) === undefined && !hasEnded(unit)

/** Whether the unit has a pause reason (docs/protocol.md §6). Its `paused` flag is the scheduler's and less reliable. */
export const isPaused = (unit: Unit): boolean => text(unit.pause_reason) !== undefined

/** Share of the work that is done, 0..1; 0 when a unit with a known state does not report it yet. */
export const workShare = (unit: Unit): number | undefined => {
  if (unit.wu_progress !== undefined) return clampShare(unit.wu_progress)
  return text(unit.state) === undefined || hasEnded(unit) ? undefined : 0
}

/** Core time so far, seconds. `run_time` grows only when a run ends, so the current run is added. */
export const runTime = (unit: Unit, now: number): number | undefined => {
  const before = positive(unit.run_time)
  const started = hasEnded(unit) ? undefined : parseTime(unit.start_time)
  if (started === undefined) return before
  return (before ?? 0) + Math.max(0, (now - started) / 1000)
}

/** The client's estimate of the time left, seconds. Outdated unless the core is running. */
export const etaSeconds = (unit: Unit): number | undefined => parseInterval(unit.eta)

/**
 * Time per frame: seconds for 1 % of the unit (docs/product.md §2). In this order: `tpf_secs` of newer clients; the
 * average, run time over percent done, from 1 % on (before that the core's start-up distorts it); the client's estimate,
 * time left over percent left. Undefined when all are unknown.
 */
export const tpfSeconds = (unit: Unit, now: number): number | undefined => {
  const reported = positive(own(unit, 'tpf_secs'))
  if (reported !== undefined && reported > 0) return reported
  const share = clampShare(unit.wu_progress) ?? 0
  const seconds = runTime(unit, now)
  if (share >= FRAME && seconds !== undefined && seconds > 0) return (seconds * FRAME) / share
  const left = hasEnded(unit) ? undefined : etaSeconds(unit)
  return left !== undefined && left > 0 && share < 1 ? (left * FRAME) / (1 - share) : undefined
}

/** Points per day as last reported; updated only while the core runs. */
export const ppdOf = (unit: Unit): number | undefined => positive(unit.ppd)

/** Points per day now: 0 unless the core is running. Used for totals. */
export const currentPpd = (unit: Unit, now: number): number => (isWorking(unit, now) ? Math.round(ppdOf(unit) ?? 0) : 0)

/** Whether `ppd` and `eta` are outdated: the client updates them only while the core runs. */
export const isStale = (unit: Unit, now: number): boolean => !hasEnded(unit) && !isWorking(unit, now)

/** The unit's assignment; undefined until the core first starts (docs/protocol.md §6). */
export const assignmentOf = (unit: Unit): Assignment | undefined =>
  record(unit.assignment) === undefined ? undefined : unit.assignment

export const projectOf = (unit: Unit): number | undefined =>
  finite(assignmentOf(unit)?.project) ?? finite(own(unit, 'project'))

/** Distinct project numbers of units that are neither paused nor ended, ascending. */
export const activeProjects = (units: readonly Unit[]): readonly number[] =>
  inOrder(units.flatMap(unit => (isPaused(unit) || hasEnded(unit) ? [] : (projectOf(unit) ?? []))))

/** Distinct, ascending. */
export const inOrder = (projects: Iterable<number>): readonly number[] => [...new Set(projects)].sort((a, b) => a - b)

/** The core's type, such as '0xaa'. Older clients send a number. */
export const coreOf = (unit: Unit): string | undefined => {
  const core: unknown = assignmentOf(unit)?.core
  const type = record(core) === undefined ? core : own(core, 'type')
  const number = positive(type)
  return number === undefined ? text(type) : `0x${number.toString(16)}`
}

/** When the unit was assigned, epoch milliseconds. */
export const assignedAt = (unit: Unit): number | undefined => parseTime(assignmentOf(unit)?.time)

/** When the unit expires, epoch milliseconds: later results earn nothing. */
export const deadlineAt = (unit: Unit): number | undefined => afterAssignment(unit, assignmentOf(unit)?.deadline)

/** When the unit is also assigned to another machine, epoch milliseconds: later results earn no bonus. */
export const timeoutAt = (unit: Unit): number | undefined => afterAssignment(unit, assignmentOf(unit)?.timeout)

/** Whether a unit will miss its timeout or deadline, or has passed its deadline. */
export type DeadlineRisk = 'none' | 'timeout' | 'deadline' | 'passed'

/** Compares the time left with timeout and deadline. */
export const deadlineRisk = (unit: Unit, now: number): DeadlineRisk => {
  if (hasEnded(unit)) return 'none'
  const deadline = deadlineAt(unit)
  const timeout = timeoutAt(unit)
  if (deadline !== undefined && now > deadline) return 'passed'
  const ready = now + (etaSeconds(unit) ?? 0) * 1000
  if (deadline !== undefined && ready > deadline) return 'deadline'
  return timeout !== undefined && ready > timeout ? 'timeout' : 'none'
}

/** The warning for a risk; undefined without one. */
export const deadlineWarning = (risk: DeadlineRisk): string | undefined => DEADLINE_WARNINGS[risk]

/** Run, clone and gen as one text: '3, 7, 41'; undefined when one is missing. */
export const rcgOf = (unit: Unit): string | undefined => {
  const ids = [own(unit.wu, 'run'), own(unit.wu, 'clone'), own(unit.wu, 'gen')].map(finite)
  return ids.includes(undefined) ? undefined : ids.join(', ')
}

/** Project, run, clone and gen; undefined while one is unknown. */
export const unitNameOf = (unit: Unit): UnitName | undefined => {
  const project = projectOf(unit)
  const [run, clone, gen] = [own(unit.wu, 'run'), own(unit.wu, 'clone'), own(unit.wu, 'gen')].map(finite)
  return project === undefined || run === undefined || clone === undefined || gen === undefined
    ? undefined
    : { project, run, clone, gen }
}

const FRAME = 0.01

const DEADLINE_WARNINGS: Readonly<Record<DeadlineRisk, string | undefined>> = {
  none: undefined,
  timeout: t`At this speed the work unit will miss its timeout, earn no bonus and be assigned to another machine as well.`,
  deadline: t`At this speed the work unit will miss its deadline and earn no points.`,
  passed: t`The deadline has passed: the work unit will earn no points.`,
}

const afterAssignment = (unit: Unit, seconds: unknown): number | undefined => {
  const assigned = assignedAt(unit)
  const length = positive(seconds)
  // Servers send 0 for none.
  return assigned === undefined || length === undefined || length === 0 ? undefined : assigned + length * 1000
}

import type { JsonObject } from '../../../src/protocol/json.ts'
import type { ClientDocument } from './document.ts'
import type { ClientLog, LogLevel } from './log.ts'
import type { ClientProfile, ProjectSpec, Schedule } from './types.ts'
import type { SimulatedUnit } from './unit/simulated-unit.ts'

/** Requested faults: those that have not happened yet, and those that last. */
export type PendingFaults = {
  unit: boolean
  assignments: number
  downloads: number
  uploads: number
  rejection: boolean
  /** Ids of GPUs that the client lost. */
  readonly lostGpus: Set<string>
  isStalled: boolean
  slowness: number
  /** Milliseconds. */
  clockAhead: number
}

/** The state and services that the parts of one client share. */
export type ClientContext = {
  readonly id: string
  readonly seed: number
  readonly speed: number
  readonly profile: ClientProfile
  readonly projects: readonly ProjectSpec[]
  readonly schedule: Schedule
  readonly doc: ClientDocument
  readonly log: ClientLog
  /** In the order of `doc.units`. */
  readonly units: SimulatedUnit[]
  readonly faults: PendingFaults
  /** Number of requests so far, for the log. */
  requests: number
  /** Whether a reader is connected; otherwise the numbers that change every second are not computed. */
  isWatched(): boolean
  /** Requests a run of the scheduler, at once or after the current batch. */
  reschedule(): void
  /** Runs `work` without a run of the scheduler in between. */
  batch(work: () => void): void
  /** Adds the row of a unit that has ended. */
  addHistory(row: JsonObject): void
  /** Must be called when stored state has changed. */
  changed(): void
}

export function logClient(context: ClientContext, level: LogLevel, text: string): void {
  context.log.add(context.schedule.now(), level, text)
}

export function logUnit(context: ClientContext, unit: SimulatedUnit, level: LogLevel, text: string): void {
  return logClient(context, level, `WU${unit.number}:${text}`)
}

/** Logs a request to a server; returns a function that logs the answer. */
export function logRequest(context: ClientContext, method: string, url: string): (answer: string) => void {
  const number = ++context.requests
  logClient(context, 'I2', `OUT${number}:> ${method} ${url}`)
  return answer => logClient(context, 'I2', `OUT${number}:< ${answer}`)
}

import type { JsonObject } from '../../src/protocol/json.ts'
import type { ClientDocument } from './document.ts'
import type { ClientLog, LogLevel } from './log.ts'
import type { ClientProfile, ProjectSpec, Schedule } from './types.ts'
import type { SimulatedUnit } from './unit/simulated-unit.ts'

/** Failures that a test or the demo's story has asked for and that have not happened yet. */
export type PendingFaults = {
  unit: boolean
  assignments: number
  downloads: number
  uploads: number
  rejection: boolean
}

/** What the parts of one client share. */
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
  /** Counts requests of this process, for the log. */
  requests: number
  /** Whether any reader is there; without one the numbers that change all the time are not worked out. */
  isWatched(): boolean
  /** The scheduler shall look again at groups and units, as soon as what goes on now is done. */
  reschedule(): void
  /** Does all of `work` before the scheduler looks. */
  batch(work: () => void): void
  /** A unit has ended. */
  addHistory(row: JsonObject): void
  /** Something that must be stored has changed. */
  changed(): void
}

export const logClient = (context: ClientContext, level: LogLevel, text: string): void => {
  context.log.add(context.schedule.now(), level, text)
}

export const logUnit = (context: ClientContext, unit: SimulatedUnit, level: LogLevel, text: string): void =>
  logClient(context, level, `WU${unit.number}:${text}`)

/** One request to a server as the log shows it; returns the words for its answer. */
export const logRequest = (context: ClientContext, method: string, url: string): ((answer: string) => void) => {
  const number = ++context.requests
  logClient(context, 'I2', `OUT${number}:> ${method} ${url}`)
  return answer => logClient(context, 'I2', `OUT${number}:< ${answer}`)
}

import type { JsonObject } from '../../src/protocol/json.ts'
import type { ClientDocument } from './document.ts'
import type { ClientLog, LogLevel } from './log.ts'
import type { ClientProfile, ProjectSpec, Schedule } from './types.ts'
import type { UnitLife } from './unit/unit-life.ts'

/** Failures that a test or the demo's story has asked for and that have not happened yet. */
export type FaultsLeft = {
  unit: boolean
  assignments: number
  downloads: number
  uploads: number
  rejection: boolean
}

/** What the parts of one client share. */
export type World = {
  readonly id: string
  readonly seed: number
  readonly speed: number
  readonly profile: ClientProfile
  readonly projects: readonly ProjectSpec[]
  readonly schedule: Schedule
  readonly doc: ClientDocument
  readonly log: ClientLog
  /** In the order of `doc.units`. */
  readonly lives: UnitLife[]
  readonly faults: FaultsLeft
  /** Counts requests of this process, for the log. */
  requests: number
  /** Whether any reader is there; without one the numbers that change all the time are not worked out. */
  isWatched(): boolean
  /** The scheduler shall look again at groups and units, as soon as what goes on now is done. */
  reschedule(): void
  /** Does all of `work` before the scheduler looks. */
  together(work: () => void): void
  /** A unit has ended. */
  addHistory(row: JsonObject): void
  /** Something that must be stored has changed. */
  changed(): void
}

export const say = (world: World, level: LogLevel, text: string): void => {
  world.log.add(world.schedule.now(), level, text)
}

export const sayOf = (world: World, life: UnitLife, level: LogLevel, text: string): void =>
  say(world, level, `WU${life.number}:${text}`)

/** One request to a server as the log shows it; returns the words for its answer. */
export const sayRequest = (world: World, method: string, url: string): ((answer: string) => void) => {
  const number = ++world.requests
  say(world, 'I2', `OUT${number}:> ${method} ${url}`)
  return answer => say(world, 'I2', `OUT${number}:< ${answer}`)
}

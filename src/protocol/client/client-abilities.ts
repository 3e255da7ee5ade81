import { isAtLeast, parseVersion } from './version.ts'

/** What not every supported client can do, and the first version that can (docs/protocol.md §12). */
export const ABILITIES = {
  /** The settings `on_battery` and `keep_awake`. */
  battery: '8.3.2',
  /** `wu_progress`, `start_time`; before, `progress` of a unit in RUN is that of its work. */
  workProgress: '8.4.0',
  /** The command `wus`, and `end_time`. */
  history: '8.4.0',
  /** The setting `cuda`. */
  cuda: '8.4.0',
  /** `eta` as '3h 5m'; a number in 8.4.0 and 8.4.1. */
  shortEta: '8.4.2',
  /** How a unit ended. */
  result: '8.4.5',
  /** `failed_wus`, `lost_wus` and `failed` of groups. */
  failureCounts: '8.4.7',
  pid: '8.5.0',
  /** The setting `hip`. */
  hip: '8.5.0',
} as const

export type Ability = keyof typeof ABILITIES

/** False for an unknown version. */
export function isAble(version: string | undefined, ability: Ability): boolean {
  return isAtLeast(version, ABILITIES[ability])
}

/** Whether it keeps a history of its units. True for an unknown version: it can be asked. */
export function keepsHistory(version: string | undefined): boolean {
  return parseVersion(version) === undefined || isAble(version, 'history')
}

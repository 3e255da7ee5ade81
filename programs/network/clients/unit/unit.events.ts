import type { UnitResult, UnitState } from '../types.ts'

/** Events of a unit, from servers, the core and the scheduler. `at` is epoch ms. */
export type UnitEvent =
  | { readonly type: 'assignment.received'; readonly at: number }
  | { readonly type: 'download.completed'; readonly at: number }
  | { readonly type: 'core.ready'; readonly at: number }
  | { readonly type: 'core.stopped'; readonly at: number }
  | { readonly type: 'work.completed'; readonly at: number }
  | { readonly type: 'work.failed'; readonly at: number }
  | { readonly type: 'files.lost'; readonly at: number }
  | { readonly type: 'results.credited'; readonly at: number }
  | { readonly type: 'results.rejected'; readonly at: number }
  | { readonly type: 'dump.reported'; readonly at: number }
  | { readonly type: 'try.failed'; readonly at: number; readonly error: string }
  | { readonly type: 'retry.due'; readonly at: number }
  | { readonly type: 'deadline.passed'; readonly at: number }
  | { readonly type: 'unit.pause'; readonly at: number; readonly reason: string }
  | { readonly type: 'unit.fold'; readonly at: number }
  | { readonly type: 'unit.resize'; readonly at: number }
  | { readonly type: 'unit.dump'; readonly at: number }

export type UnitContext = {
  /** Failed attempts in the current state. */
  readonly retries: number
  /** Epoch ms of the next attempt. */
  readonly waitUntil: number
  /** The result with which the unit will end, or has ended. */
  readonly result: UnitResult | undefined
}

/** Effects of the state machine, which the client runs in order. */
export type UnitEffect =
  | { readonly type: 'enterState'; readonly params: { readonly state: UnitState } }
  | { readonly type: 'newRequest'; readonly params: undefined }
  | { readonly type: 'showRetry'; readonly params: RetryParams }
  | { readonly type: 'clearWait'; readonly params: { readonly at: number } }
  | { readonly type: 'showPause'; readonly params: { readonly reason: string } }
  | { readonly type: 'hidePause'; readonly params: undefined }
  | { readonly type: 'startCore'; readonly params: { readonly at: number } }
  | { readonly type: 'interruptCore'; readonly params: undefined }
  | { readonly type: 'stopCore'; readonly params: { readonly at: number } }
  | { readonly type: 'endUnit'; readonly params: { readonly at: number; readonly result: UnitResult } }
const effectTypes: ReadonlySet<string> = new Set<UnitEffect['type']>([
  'enterState',
  'newRequest',
  'showRetry',
  'clearWait',
  'showPause',
  'hidePause',
  'startCore',
  'interruptCore',
  'stopCore',
  'endUnit',
])

/** XState gives actions by name; `setup` in unit.machine.ts has checked their parameters. */
export function isUnitEffect(action: { readonly type: string }): action is UnitEffect {
  return effectTypes.has(action.type)
}

export type RetryParams = {
  readonly at: number
  readonly delay: number
  readonly retries: number
  /** The server's error message, or ''. */
  readonly error: string
}

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

/** Parameters of the effects of the state machine, which the client runs in order. */
export type EffectParams = {
  readonly enterState: { readonly state: UnitState }
  readonly newRequest: undefined
  readonly showRetry: RetryParams
  readonly clearWait: { readonly at: number }
  readonly showPause: { readonly reason: string }
  readonly hidePause: undefined
  readonly startCore: { readonly at: number }
  readonly interruptCore: undefined
  readonly stopCore: { readonly at: number }
  readonly endUnit: { readonly at: number; readonly result: UnitResult }
}

export type RetryParams = {
  readonly at: number
  readonly delay: number
  readonly retries: number
  /** The server's error message, or ''. */
  readonly error: string
}

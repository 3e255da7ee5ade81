import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import type { Fetch } from '../../../../src/folding/fleet/idle-time.ts'
import type { Conditions, Segment } from '../../../../src/folding/schedule/decide.ts'
import type { Schedule, Subject } from '../../../../src/folding/schedule/schedule.ts'
import type { Saved } from './saved.ts'

/** What is seen of a client, or of one of its groups. */
export type Seen = {
  readonly isConnected: boolean
  /** Whether the rest is too old to act on it. */
  readonly isOld: boolean
  /** Whether the settings allow to change its state. */
  readonly mayAct: boolean
  readonly state: FoldingState | 'mixed' | undefined
  /** When the next of its running units ends: epoch milliseconds. */
  readonly endsAt: number | undefined
  /** Its groups; `failed`: paused by the client itself. */
  readonly groups: Readonly<Record<string, FoldingState | 'failed'>>
  /** Of its groups, where a rule wants them to be idle by a time. */
  readonly fetches: Readonly<Record<string, readonly Fetch[]>>
}

export type ScheduleEvent =
  /** Time has passed, or schedules, conditions or the groups that are decided by themselves have changed. */
  | {
      readonly type: 'schedule.checked'
      readonly at: number
      readonly schedules: readonly Schedule[]
      readonly conditions: Conditions
      readonly otherGroups: readonly string[]
    }
  | { readonly type: 'schedule.observed'; readonly seen: Seen }
  /** `until`: undefined for the next boundary. */
  | {
      readonly type: 'schedule.overridden'
      readonly at: number
      readonly state: FoldingState
      readonly until: number | undefined
      readonly by: string
      readonly isByHand: boolean
    }
  /** Follow the schedules again. */
  | { readonly type: 'schedule.followed'; readonly at: number }

/** Sent to the parent: what to keep over a restart. */
export type ScheduleSaved = { readonly type: 'schedule.saved'; readonly subject: Subject; readonly saved: Saved }

/** Sent to the parent: a decision that was over before it could be applied. */
export type ScheduleMissed = {
  readonly type: 'schedule.missed'
  readonly subject: Subject
  readonly segment: Segment
  /** Why: the server did not run or slept, the client was not connected, its state was too old, or it did not obey. */
  readonly because: 'server' | 'disconnected' | 'outdated' | 'ignored'
}

/** What the effect `sendState` is told. */
export type StateRequest = {
  readonly subject: Subject
  readonly otherGroups: readonly string[]
  readonly key: string
  readonly state: FoldingState
  /** For the record of actions. */
  readonly who: string
  readonly reason: string
}

export type StateSent = { readonly key: string; readonly state: FoldingState; readonly isConfirmed: boolean }

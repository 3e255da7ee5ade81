import type { ErrorActorEvent } from 'xstate'
import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import type { Fetch } from '../../../../src/folding/fleet/idle-time.ts'
import type { Circumstances } from '../../../../src/folding/schedule/conditions.ts'
import type { Conditions } from '../../../../src/folding/schedule/decide.ts'
import type { InputValue, Schedule, Subject, TaggedClient } from '../../../../src/folding/schedule/schedule.ts'
import type { Saved } from '../schedule/saved.ts'
import type { ScheduleMissed, ScheduleSaved } from '../schedule/schedule.events.ts'

/** A group of a client as it is seen. `endsAt`: when the next of its running units ends. `isFailed`: its client paused it. */
export type ObservedGroup = {
  readonly state: FoldingState
  readonly endsAt: number | undefined
  /** Where a rule wants it to be idle by a time. */
  readonly fetches?: readonly Fetch[]
  readonly isFailed?: true
  /** Of GPUs and CPUs that are kept by themselves: whether they differ, and whether their whole group is paused. */
  readonly isMixed?: true
  readonly isBlocked?: true
}

export type ObservedClient = {
  readonly address: string
  readonly isConnected: boolean
  /** Whether what is known of it is too old to act on it. */
  readonly isOld: boolean
  readonly groups: Readonly<Record<string, ObservedGroup>>
}

/** A client of the settings, or of the account. */
export type ScheduledClient = TaggedClient & { readonly mayAct: boolean }

/** What was kept of an earlier run. `at`: the last time it was certainly there. */
export type KeptSchedules = {
  readonly at: number
  readonly schedules: readonly Schedule[]
  readonly inputs: Readonly<Record<string, InputValue>>
  readonly conditions: Conditions
  /** By the keys of their subjects. */
  readonly states: Readonly<Record<string, KeptState>>
}

/** What is known of power: prices, what machines draw, and what was used. */
export type PowerNews = Omit<Circumstances, 'inputs'>

/** `at`: until when it was considered, if that was before the time of the whole. */
export type KeptState = { readonly subject: Subject; readonly saved: Saved; readonly at?: number | undefined }

export type SchedulesEvent =
  /** Every second. */
  | { readonly type: 'clock.ticked'; readonly at: number }
  /** Clients that changed since the last report. */
  | { readonly type: 'machines.observed'; readonly machines: readonly ObservedClient[] }
  /** All clients, when those of an account become known or change. */
  | { readonly type: 'machines.listed'; readonly at: number; readonly machines: readonly ScheduledClient[] }
  /** `power`: what the new ones depend on; undefined: what is known. */
  | {
      readonly type: 'schedules.changed'
      readonly at: number
      readonly schedules: readonly Schedule[]
      readonly power?: PowerNews
    }
  | { readonly type: 'input.received'; readonly at: number; readonly name: string; readonly value: number }
  | { readonly type: 'input.removed'; readonly at: number; readonly name: string }
  /** The next part of a check. */
  | { readonly type: 'schedules.goOn' }
  /** Every minute, and when prices or settings of power change. */
  | { readonly type: 'power.observed'; readonly at: number; readonly power: PowerNews }
  /**
   * A person’s command. `until`: undefined for the next boundary. `isImplicit`: it was sent like any other command, and
   * matters only where schedules decide.
   */
  | {
      readonly type: 'schedules.override'
      readonly at: number
      readonly subject: Subject
      readonly state: FoldingState
      readonly until: number | undefined
      readonly by: string
      readonly isImplicit: boolean
    }
  | { readonly type: 'schedules.follow'; readonly at: number; readonly subject: Subject }
  | ScheduleSaved
  | ScheduleMissed
  | ErrorActorEvent

/** Sent to the store. */
export type ScheduleStoreCommand =
  | { readonly type: 'store.saveSubject'; readonly subject: Subject; readonly saved: Saved }
  | { readonly type: 'store.forgetSubject'; readonly subject: Subject }
  /** The time until which every decision was considered, and the conditions of inputs then. */
  | { readonly type: 'store.saveProgress'; readonly at: number; readonly conditions: Conditions }
  | { readonly type: 'store.reportMissed'; readonly missed: ScheduleMissed; readonly schedules: readonly Schedule[] }

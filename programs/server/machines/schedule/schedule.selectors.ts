import type { IdleAhead } from '../../../../src/folding/schedule/decide.ts'
import type { FoldingState } from '../../../../src/protocol/client/commands.ts'
import { idleWanted, wantOf } from './schedule.context.ts'
import type { Override } from './saved.ts'
import type { ScheduleSnapshot } from './schedule.machine.ts'

/** How far what was decided has come. */
export const CONDITIONS = [
  'starting',
  'unset',
  'kept',
  'changed',
  'observing',
  'away',
  'outdated',
  'sending',
  'retrying',
] as const
export type SubjectCondition = (typeof CONDITIONS)[number]

export function selectCondition({ value, context }: ScheduleSnapshot): SubjectCondition {
  // What follows from the state, such as a surplus, is not decided again while it is too old.
  if (value === 'kept' && context.seen.isOld) return 'outdated'
  return CONDITIONS.find(name => name === value) ?? 'starting'
}

/** What the client shall do now; undefined when no schedule decides. */
export function selectWanted({ context }: ScheduleSnapshot): FoldingState | undefined {
  return wantOf(context)?.state
}

/** Tells what is wanted now from what is wanted next. */
export function selectWantedKey({ context }: ScheduleSnapshot): string | undefined {
  return wantOf(context)?.key
}

/** By when it shall be idle. */
export function selectIdle({ context }: ScheduleSnapshot): IdleAhead | undefined {
  return idleWanted(context)
}

export function selectOverride({ context }: ScheduleSnapshot): Override | undefined {
  return context.override
}

/** Groups that what was decided here paused, and that a schedule therefore resumes. */
export function selectPaused({ context }: ScheduleSnapshot): readonly string[] {
  return context.paused ?? []
}

/** Whether nothing decides, and nothing is to be undone. */
export function isIdle({ context: { schedules, override, returning } }: ScheduleSnapshot): boolean {
  return schedules.length === 0 && override === undefined && returning === undefined
}

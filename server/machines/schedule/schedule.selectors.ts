import type { FoldingState } from '../../../src/protocol/commands.ts'
import { wantOf } from './schedule.context.ts'
import type { Override } from './schedule.events.ts'
import type { ScheduleSnapshot } from './schedule.machine.ts'

/** How far what was decided has come. */
export const CONDITIONS = ['starting', 'unset', 'kept', 'changed', 'observing', 'away', 'sending', 'retrying'] as const
export type SubjectCondition = (typeof CONDITIONS)[number]

export const selectCondition = ({ value }: ScheduleSnapshot): SubjectCondition =>
  CONDITIONS.find(name => name === value) ?? 'starting'

/** What the client shall do now; undefined when no schedule decides. */
export const selectWanted = ({ context }: ScheduleSnapshot): FoldingState | undefined => wantOf(context)?.state

/** Tells what is wanted now from what is wanted next. */
export const selectWantedKey = ({ context }: ScheduleSnapshot): string | undefined => wantOf(context)?.key

export const selectOverride = ({ context }: ScheduleSnapshot): Override | undefined => context.override

/** Whether it may be forgotten: nothing decides, and nothing is to be undone. */
export const isIdle = ({ context: { schedules, override, returning } }: ScheduleSnapshot): boolean =>
  schedules.length === 0 && override === undefined && returning === undefined

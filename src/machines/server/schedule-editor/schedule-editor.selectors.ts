import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { schedulesSchema, type Schedule } from '../../../folding/schedule/schedule.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'
import type { ScheduleEditorSnapshot } from './schedule-editor.machine.ts'

export const selectDraft = ({ context }: ScheduleEditorSnapshot): Schedule | undefined => context.draft
export const isNewSchedule = ({ context }: ScheduleEditorSnapshot): boolean => context.at === undefined

/** Why the draft cannot be saved now, in one sentence; undefined when it can. */
export const whyScheduleNotSaved = ({ context: { draft, before } }: ScheduleEditorSnapshot): string | undefined => {
  if (draft === undefined || (before !== undefined && isSameValue(draft, before))) return t`No changes to save.`
  if (draft.name.trim() === '') return t`The schedule has no name.`
  if (draft.targets.length === 0) return t`Choose the machines that the schedule is for.`
  if (draft.rules.length === 0 && draft.otherwise === null) return t`Add a rule, or choose a state for all other times.`
  if (draft.rules.some(rule => rule.kind === 'week' && rule.days.length === 0)) return t`A rule has no day.`
  const result = v.safeParse(schedulesSchema, [draft])
  return result.success ? undefined : t`A rule is not complete: ${result.issues[0].message}`
}

/** All schedules with the draft in its place. */
export const withDraft = (
  { context: { draft, at } }: ScheduleEditorSnapshot,
  schedules: readonly Schedule[],
): readonly Schedule[] => {
  if (draft === undefined) return schedules
  return at === undefined
    ? [...schedules, draft]
    : schedules.map((schedule, index) => (index === at ? draft : schedule))
}

import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { schedulesSchema, type Schedule } from '../../../folding/schedule/schedule.ts'
import { isSameValue } from '../../../folding/shared/equal.ts'
import type { ScheduleEditorSnapshot } from './schedule-editor.machine.ts'

export function selectDraft({ context }: ScheduleEditorSnapshot): Schedule | undefined {
  return context.draft
}
export function isNewSchedule({ context }: ScheduleEditorSnapshot): boolean {
  return context.at === undefined
}
export function canUndo(snapshot: ScheduleEditorSnapshot): boolean {
  return snapshot.can({ type: 'editor.undo' })
}

/** Why the draft cannot be saved now among these schedules, in one sentence; undefined when it can. */
export function whyScheduleNotSaved(
  { context: { draft, before } }: ScheduleEditorSnapshot,
  schedules: readonly Schedule[],
): string | undefined {
  if (draft === undefined) return t`No changes to save.`
  // As before, or as it is in the list: the answer to a save may have been lost.
  if (before !== undefined && [before, ...schedules].some(schedule => isSameValue(draft, schedule)))
    return t`No changes to save.`
  if (before !== undefined && !schedules.some(schedule => isSameValue(schedule, before)))
    return t`The schedules were changed meanwhile in another page. They are shown as they are now; make your change again.`
  if (draft.name.trim() === '') return t`The schedule has no name.`
  if (draft.targets.length === 0) return t`Choose the machines that the schedule is for.`
  if (draft.rules.length === 0 && draft.otherwise === null) return t`Add a rule, or choose a state for all other times.`
  if (draft.rules.some(rule => rule.kind === 'week' && rule.days.length === 0)) return t`A rule has no day.`
  const result = v.safeParse(schedulesSchema, [draft])
  return result.success ? undefined : t`A rule is not complete: ${result.issues[0].message}`
}

/** All schedules with a draft in its place, or after them. */
export function withDraft(schedules: readonly Schedule[], draft: Schedule | undefined): readonly Schedule[] {
  if (draft === undefined) return schedules
  return schedules.some(({ id }) => id === draft.id)
    ? schedules.map(schedule => (schedule.id === draft.id ? draft : schedule))
    : [...schedules, draft]
}

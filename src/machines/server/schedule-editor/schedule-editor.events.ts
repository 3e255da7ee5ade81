import type { Schedule } from '../../../folding/schedule/schedule.ts'

export type ScheduleEditorEvent =
  /** `at`: where it is in the list; undefined for a new one. */
  | { readonly type: 'editor.open'; readonly schedule: Schedule; readonly at: number | undefined }
  | { readonly type: 'editor.change'; readonly change: Partial<Schedule> }
  | { readonly type: 'editor.close' }

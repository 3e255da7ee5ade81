import type { Schedule } from '../../../folding/schedule/schedule.ts'

/** `at`: where the schedule is in the list; undefined for a new one. */
export type ScheduleEditorEvent =
  /** Edit it in its form. */
  | { readonly type: 'editor.open'; readonly schedule: Schedule; readonly at: number | undefined }
  /** It was changed in the picture of the week, or begun from a template. `before`: as it is in the list. */
  | {
      readonly type: 'editor.draw'
      readonly schedule: Schedule
      readonly before: Schedule | undefined
      readonly at: number | undefined
    }
  | { readonly type: 'editor.change'; readonly change: Partial<Schedule> }
  /** Take back the last change in the picture. */
  | { readonly type: 'editor.undo' }
  /** Go on in the form. */
  | { readonly type: 'editor.showForm' }
  /** The server has saved these. A draft that was changed meanwhile stays open. */
  | { readonly type: 'editor.saved'; readonly schedules: readonly Schedule[] }
  | { readonly type: 'editor.close' }

import type { Patch, Path } from '../../../folding/shared/edits.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'

export type DraftCommand<T> =
  | { readonly type: 'draft.edit'; readonly change: Patch<T> }
  | { readonly type: 'draft.save' }
  | { readonly type: 'draft.discard' }
  /** Resolve a conflict: keep the edit made here or the value saved elsewhere. */
  | { readonly type: 'draft.resolveConflict'; readonly path: Path; readonly side: 'mine' | 'theirs' }
  /** The user wants to leave: asks first when unsaved changes would be lost. */
  | { readonly type: 'draft.leave' }
  /** The answers to that question. */
  | { readonly type: 'draft.stay' }
  | { readonly type: 'draft.saveAndLeave' }
  | { readonly type: 'draft.discardAndLeave' }

export type DraftFact<T> =
  /** The value now saved outside. Edits made here are kept; unedited parts are updated. */
  | { readonly type: 'draft.loaded'; readonly value: T }
  /** Why saving is blocked regardless of the input; undefined when it is not. */
  | { readonly type: 'draft.blocked'; readonly because: string | undefined }
  /** The change that was sent was not applied and will not be. */
  | { readonly type: 'draft.ignored'; readonly because: string }

export type DraftEvent<T> = DraftCommand<T> | DraftFact<T>

/** The outcome of `draft.leave`, emitted once. */
export type DraftEmitted = { readonly type: 'draft.left' } | { readonly type: 'draft.stayed' }

/** Sent to the parent. */
export type DraftNotification<T> =
  | { readonly type: 'draft.changed'; readonly id: string; readonly value: T; readonly isModified: boolean }
  /** The change may be sent now. It counts as saved when it is reported back. Only sent by drafts with `isReported`. */
  | { readonly type: 'draft.sent'; readonly id: string; readonly before: T; readonly value: T }
  | { readonly type: 'draft.saved'; readonly id: string; readonly before: T; readonly value: T }
  | { readonly type: 'draft.failed'; readonly id: string; readonly fault: ApiFault }

import type { Patch, Path } from '../../../folding/shared/edits.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'

export type DraftCommand<T> =
  | { readonly type: 'draft.edit'; readonly change: Patch<T> }
  | { readonly type: 'draft.save' }
  | { readonly type: 'draft.discard' }
  /** What to do where both sides changed the same thing. */
  | { readonly type: 'draft.decide'; readonly path: Path; readonly side: 'mine' | 'theirs' }
  /** The person wants to go elsewhere: asked first when something would be lost. */
  | { readonly type: 'draft.leave' }
  /** The answers to that question. */
  | { readonly type: 'draft.stay' }
  | { readonly type: 'draft.saveAndLeave' }
  | { readonly type: 'draft.discardAndLeave' }

export type DraftFact<T> =
  /** What is saved outside, now. Edits made here stay, what was not edited follows. */
  | { readonly type: 'draft.loaded'; readonly value: T }
  /** Why nothing can be saved now, whatever is typed; undefined when it can. */
  | { readonly type: 'draft.hindered'; readonly because: string | undefined }
  /** What was sent has not been taken over outside, and will not be. */
  | { readonly type: 'draft.ignored'; readonly because: string }

export type DraftEvent<T> = DraftCommand<T> | DraftFact<T>

/** What becomes of the wish to leave; said once, to whoever holds the way out. */
export type DraftEmitted = { readonly type: 'draft.left' } | { readonly type: 'draft.stayed' }

/** What a draft tells its parent. */
export type DraftNews<T> =
  | { readonly type: 'draft.changed'; readonly id: string; readonly value: T; readonly isModified: boolean }
  /** It may go out now; it counts as saved when it is reported back. Only said by drafts that wait for that. */
  | { readonly type: 'draft.sent'; readonly id: string; readonly before: T; readonly value: T }
  | { readonly type: 'draft.saved'; readonly id: string; readonly before: T; readonly value: T }
  | { readonly type: 'draft.failed'; readonly id: string; readonly fault: ApiFault }

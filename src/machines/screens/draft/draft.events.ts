import type { Patch } from '../../../folding/edits.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'

export type DraftCommand<T> =
  | { readonly type: 'draft.edit'; readonly change: Patch<T> }
  | { readonly type: 'draft.save' }
  | { readonly type: 'draft.discard' }
  /** The person wants to go elsewhere: asked first when something would be lost. */
  | { readonly type: 'draft.leave' }
  /** The answers to that question. */
  | { readonly type: 'draft.stay' }
  | { readonly type: 'draft.saveAndLeave' }
  | { readonly type: 'draft.discardAndLeave' }

/** What is saved outside, now. Edits made here stay, what was not edited follows. */
export type DraftFact<T> = { readonly type: 'draft.loaded'; readonly value: T }

export type DraftEvent<T> = DraftCommand<T> | DraftFact<T>

/** What becomes of the wish to leave; said once, to whoever holds the way out. */
export type DraftEmitted = { readonly type: 'draft.left' } | { readonly type: 'draft.stayed' }

/** What a draft tells its parent. */
export type DraftNews<T> =
  | { readonly type: 'draft.changed'; readonly id: string; readonly value: T; readonly isModified: boolean }
  | { readonly type: 'draft.saved'; readonly id: string; readonly before: T; readonly value: T }
  | { readonly type: 'draft.failed'; readonly id: string; readonly fault: ApiFault }

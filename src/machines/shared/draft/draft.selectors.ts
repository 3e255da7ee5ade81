import { t } from '@lingui/core/macro'
import type { Path } from '../../../folding/shared/edits.ts'
import { isDraftModified, type DraftContext, type DraftRefusal } from './draft.reducer.ts'
import { INVALID, UNDECIDED } from './draft.questions.ts'

/** What selectors need of a draft's snapshot, for any type of draft. */
type AnyDraftSnapshot<T> = {
  readonly context: DraftContext<T>
  readonly hasTag: (tag: 'loading' | 'asking' | 'busy' | 'awaiting') => boolean
}

const none: readonly Path[] = []

/** The edited value; undefined until it is loaded. */
export const selectDraft = <T>({ context }: AnyDraftSnapshot<T>): T | undefined => context.draft
export const selectSaved = <T>({ context }: AnyDraftSnapshot<T>): T | undefined => context.saved
export const isModified = ({ context }: AnyDraftSnapshot<unknown>): boolean => isDraftModified(context)
export const isSaving = (snapshot: AnyDraftSnapshot<unknown>): boolean => snapshot.hasTag('busy')
/** The change was sent and is not reported back yet. */
export const isAwaiting = (snapshot: AnyDraftSnapshot<unknown>): boolean => snapshot.hasTag('awaiting')
/** The current value was saved here. */
export const wasSaved = ({ context }: AnyDraftSnapshot<unknown>): boolean =>
  context.wasSaved && !isDraftModified(context)
/** The last change that was sent and not applied. */
export const selectRefusal = ({ context }: AnyDraftSnapshot<unknown>): DraftRefusal | undefined => context.refusal
/** Paths that were changed both here and elsewhere. Empty while saving, since the origin of a change is unknown then. */
export const selectConflicts = (snapshot: AnyDraftSnapshot<unknown>): readonly Path[] =>
  snapshot.hasTag('busy') ? none : snapshot.context.conflicts

/** Why it cannot be saved now; undefined when it can or is being saved. */
export const whyNotSaved = (
  snapshot: AnyDraftSnapshot<unknown> & { readonly can: (event: { readonly type: 'draft.save' }) => boolean },
): string | undefined => {
  if (snapshot.can({ type: 'draft.save' }) || snapshot.hasTag('busy')) return undefined
  if (!isModified(snapshot)) return t`No changes to save.`
  const { conflicts, saveBlocker } = snapshot.context
  if (conflicts.length > 0) return UNDECIDED
  return saveBlocker ?? INVALID
}

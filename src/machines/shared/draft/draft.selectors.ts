import { t } from '@lingui/core/macro'
import type { Path } from '../../../folding/shared/edits.ts'
import { isDraftModified, type DraftContext } from './draft.reducer.ts'
import { INVALID, UNDECIDED } from './draft.questions.ts'

/** What selectors need of a draft's snapshot, for any type of draft. */
type AnyDraftSnapshot<T> = {
  readonly context: DraftContext<T>
  readonly hasTag: (tag: 'loading' | 'asking' | 'busy' | 'awaiting') => boolean
}

const none: readonly Path[] = []

/** The edited value; undefined until it is loaded. */
export function selectDraft<T>({ context }: AnyDraftSnapshot<T>): T | undefined {
  return context.draft
}
export function isModified({ context }: AnyDraftSnapshot<unknown>): boolean {
  return isDraftModified(context)
}
/** The current value was saved here. */
export function wasSaved({ context }: AnyDraftSnapshot<unknown>): boolean {
  return context.wasSaved && !isDraftModified(context)
}
/** Paths that were changed both here and elsewhere. Empty while saving, since the origin of a change is unknown then. */
export function selectConflicts(snapshot: AnyDraftSnapshot<unknown>): readonly Path[] {
  return snapshot.hasTag('busy') ? none : snapshot.context.conflicts
}

/** Why it cannot be saved now; undefined when it can or is being saved. */
export function whyNotSaved(
  snapshot: AnyDraftSnapshot<unknown> & { readonly can: (event: { readonly type: 'draft.save' }) => boolean },
): string | undefined {
  if (snapshot.can({ type: 'draft.save' }) || snapshot.hasTag('busy')) return undefined
  if (!isModified(snapshot)) return t`No changes to save.`
  const { conflicts, saveBlocker } = snapshot.context
  if (conflicts.length > 0) return UNDECIDED
  return saveBlocker ?? INVALID
}

import { t } from '@lingui/core/macro'
import type { Path } from '../../../folding/shared/edits.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import { isDraftModified, type DraftContext, type DraftRefusal } from './draft.reducer.ts'
import { INVALID, UNDECIDED } from './draft.questions.ts'

/** What selectors need of a draft's snapshot, whatever is drafted. */
type AnyDraftSnapshot<T> = {
  readonly context: DraftContext<T>
  readonly hasTag: (tag: 'loading' | 'asking' | 'busy' | 'awaiting') => boolean
}

const none: readonly Path[] = []

/** What is on the screen; undefined until it is loaded. */
export const selectDraft = <T>({ context }: AnyDraftSnapshot<T>): T | undefined => context.draft
export const selectSaved = <T>({ context }: AnyDraftSnapshot<T>): T | undefined => context.saved
export const isModified = ({ context }: AnyDraftSnapshot<unknown>): boolean => isDraftModified(context)
export const isSaving = (snapshot: AnyDraftSnapshot<unknown>): boolean => snapshot.hasTag('busy')
/** It was sent, and is not reported back yet. */
export const isAwaiting = (snapshot: AnyDraftSnapshot<unknown>): boolean => snapshot.hasTag('awaiting')
/** What is on the screen was saved from here. */
export const wasSaved = ({ context }: AnyDraftSnapshot<unknown>): boolean =>
  context.wasSaved && !isDraftModified(context)
export const selectSaveFault = ({ context }: AnyDraftSnapshot<unknown>): ApiFault | undefined => context.fault
/** What was sent and not taken over. */
export const selectRefusal = ({ context }: AnyDraftSnapshot<unknown>): DraftRefusal | undefined => context.refusal
/** Places where something else was saved elsewhere than what is typed here. While it is being saved nobody knows yet whose it is. */
export const selectConflicts = (snapshot: AnyDraftSnapshot<unknown>): readonly Path[] =>
  snapshot.hasTag('busy') ? none : snapshot.context.conflicts

/** Why it cannot be saved now; undefined when it can. */
export const whyNotSaved = (
  snapshot: AnyDraftSnapshot<unknown> & { readonly can: (event: { readonly type: 'draft.save' }) => boolean },
): string | undefined => {
  if (snapshot.can({ type: 'draft.save' }) || snapshot.hasTag('busy')) return undefined
  if (!isModified(snapshot)) return t`Nothing was changed.`
  const { conflicts, hindrance } = snapshot.context
  if (conflicts.length > 0) return UNDECIDED
  return hindrance ?? INVALID
}

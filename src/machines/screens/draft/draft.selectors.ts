import type { Path } from '../../../folding/edits.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import { isDraftModified, type DraftContext } from './draft.machine.ts'

/** What selectors need of a draft's snapshot, whatever is drafted. */
type AnyDraftSnapshot<T> = {
  readonly context: DraftContext<T>
  readonly hasTag: (tag: 'loading' | 'asking' | 'busy') => boolean
}

/** What is on the screen; undefined until it is loaded. */
export const selectDraft = <T>({ context }: AnyDraftSnapshot<T>): T | undefined => context.draft
export const selectSaved = <T>({ context }: AnyDraftSnapshot<T>): T | undefined => context.saved
export const isModified = ({ context }: AnyDraftSnapshot<unknown>): boolean => isDraftModified(context)
export const isSaving = (snapshot: AnyDraftSnapshot<unknown>): boolean => snapshot.hasTag('busy')
export const selectSaveFault = ({ context }: AnyDraftSnapshot<unknown>): ApiFault | undefined => context.fault
/** Places where something else was saved elsewhere than what is typed here. */
export const selectConflicts = ({ context }: AnyDraftSnapshot<unknown>): readonly Path[] => context.conflicts

/** Why it cannot be saved now; undefined when it can. */
export const whyNotSaved = (snapshot: AnyDraftSnapshot<unknown> & { readonly can: (event: { readonly type: 'draft.save' }) => boolean }): string | undefined => {
  if (snapshot.can({ type: 'draft.save' }) || snapshot.hasTag('busy')) return undefined
  return isModified(snapshot) ? 'Something that was typed is not valid yet.' : 'Nothing was changed.'
}

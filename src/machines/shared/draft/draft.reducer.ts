import {
  changedPaths,
  resolveConflict,
  isSameValue,
  mergeEdits,
  missingEdits,
  applyPatch,
  rebaseEdits,
  valueAt,
  withValueAt,
  type Patch,
  type Path,
  type Rebase,
} from '../../../folding/shared/edits.ts'
import { hasNoErrors, type ValidationErrors } from '../../../folding/account/registration.ts'
import type { ApiFault } from '../../../protocol/api/api-fault.ts'
import { INVALID, UNDECIDED } from './draft.questions.ts'

/** A change that was sent and not applied: the reason, and the paths that are missing. */
export type DraftRefusal = { readonly because: string; readonly missing: readonly Path[] }

export type DraftContext<T> = {
  /** System id to which the answers of the leave dialog are sent. */
  readonly systemId: string
  /** The value saved outside; undefined until it is loaded. */
  readonly saved: T | undefined
  /** The value that edits are relative to: the saved value, except at conflicting paths. */
  readonly base: T | undefined
  /** The edited value. Whether it is modified is computed from the difference, never stored. */
  readonly draft: T | undefined
  /** What is being saved, and the saved value when it was sent. */
  readonly sent: DraftSaving<T> | undefined
  /** Paths that were changed both here and elsewhere. */
  readonly conflicts: readonly Path[]
  readonly fault: ApiFault | undefined
  /** The last change that was sent and not applied. */
  readonly refusal: DraftRefusal | undefined
  /** Why saving is blocked regardless of the input. */
  readonly saveBlocker: string | undefined
  /** Whether the last save was made here and nothing was edited since. */
  readonly wasSaved: boolean
  /** Whether the user leaves as soon as it is saved. */
  readonly isLeaving: boolean
}

/** The value to save, and the saved value that it replaces. */
export type DraftSaving<T> = { readonly before: T; readonly value: T }

export type ValidateDraft<T> = (draft: T, saved: T) => ValidationErrors<string>

/** The context of a new draft. */
export function createInitialDraft<T>(value: T | undefined, systemId: string): DraftContext<T> {
  return {
    systemId,
    saved: value,
    base: value,
    draft: value,
    sent: undefined,
    conflicts: [],
    fault: undefined,
    refusal: undefined,
    saveBlocker: undefined,
    wasSaved: false,
    isLeaving: false,
  }
}

/** Whether the draft differs from the saved value. */
export function isDraftModified<T>({ draft, saved }: Pick<DraftContext<T>, 'draft' | 'saved'>): boolean {
  return !isSameValue(draft, saved)
}

/** Why the draft cannot be saved; undefined when it can. */
export function saveBlockerOf<T>(
  { draft, saved, conflicts, saveBlocker }: DraftContext<T>,
  validate: ValidateDraft<T>,
): string | undefined {
  if (conflicts.length > 0) return UNDECIDED
  if (saveBlocker !== undefined) return saveBlocker
  return draft !== undefined && saved !== undefined && hasNoErrors(validate(draft, saved)) ? undefined : INVALID
}

function moved<T>({ base, value, conflicts }: Rebase<T>): Partial<DraftContext<T>> {
  return {
    base,
    draft: value,
    conflicts,
  }
}

export function withLoaded<T extends object>({ draft, base }: DraftContext<T>, value: T): Partial<DraftContext<T>> {
  return draft === undefined || base === undefined
    ? { draft: value, base: value, saved: value }
    : { saved: value, ...moved(rebaseEdits(base, draft, value)) }
}

export function withEdit<T extends object>(
  { draft, base, saved, conflicts }: DraftContext<T>,
  change: Patch<T>,
): Partial<DraftContext<T>> {
  if (draft === undefined || base === undefined || saved === undefined) return {}
  const edited = applyPatch(draft, change)
  // Typing the original value at a conflicting path resolves the conflict: an edit equal to its base would be none.
  const typedBack = conflicts.filter(path => isSameValue(valueAt(edited, path), valueAt(base, path)))
  const since = typedBack.reduce((value, path) => withValueAt(value, path, valueAt(saved, path)), base)
  return {
    base: since,
    draft: edited,
    conflicts: mergeEdits(since, edited, saved).conflicts,
    wasSaved: false,
    fault: undefined,
    refusal: undefined,
  }
}

type Decision = { readonly path: Path; readonly side: 'mine' | 'theirs' }

export function withDecision<T extends object>(
  { draft, base, saved }: DraftContext<T>,
  { path, side }: Decision,
): Partial<DraftContext<T>> {
  return draft === undefined || base === undefined || saved === undefined
    ? {}
    : moved(resolveConflict(base, draft, saved, path, side))
}

/** Everything that was sent is reported. Edits made meanwhile are relative to it and do not conflict with it. */
export function withTakenOver<T extends object>(context: DraftContext<T>): Partial<DraftContext<T>> {
  return {
    sent: undefined,
    wasSaved: true,
    ...basedOn(context, sentPaths(context)),
  }
}

/** Not everything that was sent was applied. Values that a client filled in for new entries are no conflict. */
export function withRefusal<T extends object>(context: DraftContext<T>, because: string): Partial<DraftContext<T>> {
  const { sent, saved } = context
  const missing = sent === undefined ? [] : missingEdits(sent.before, sent.value, saved)
  const made = sentPaths(context).filter(path => valueAt(sent?.before, path) === undefined)
  return { refusal: { because, missing }, sent: undefined, ...basedOn(context, made) }
}

function sentPaths<T>({ sent }: DraftContext<T>): readonly Path[] {
  return changedPaths(sent?.before, sent?.value)
}

/** Makes edits at these paths relative to the value saved now. */
function basedOn<T extends object>(
  { draft, base, saved }: DraftContext<T>,
  paths: readonly Path[],
): Partial<DraftContext<T>> {
  if (draft === undefined || base === undefined || saved === undefined) return {}
  const caughtUp = paths.reduce((value, path) => withValueAt(value, path, valueAt(saved, path)), base)
  return moved(rebaseEdits(caughtUp, draft, saved))
}

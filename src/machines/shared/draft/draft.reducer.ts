import {
  changedPaths,
  decided,
  isSameValue,
  mergeEdits,
  missingEdits,
  patched,
  rebased,
  valueAt,
  withValueAt,
  type Patch,
  type Path,
  type Rebase,
} from '../../../folding/shared/edits.ts'
import { isClean, type Complaints } from '../../../folding/account/registration.ts'
import type { ApiFault } from '../../../protocol/api-fault.ts'
import { INVALID, UNDECIDED } from './draft.questions.ts'

/** What was sent and not taken over outside: why, and which parts of it. */
export type DraftRefusal = { readonly because: string; readonly missing: readonly Path[] }

export type DraftContext<T> = {
  /** Under which the question of leaving finds its way back. */
  readonly systemId: string
  /** What is saved outside; undefined until it is loaded. */
  readonly saved: T | undefined
  /** What the edits are counted from: what is saved outside, but for the places in conflict. */
  readonly base: T | undefined
  /** What is on the screen. Unsaved is never a flag: it is a difference, looked at when asked. */
  readonly draft: T | undefined
  /** What is being saved, and what was saved outside when it was sent. */
  readonly sent: DraftSaving<T> | undefined
  /** Where something else was saved elsewhere than what is typed here. */
  readonly conflicts: readonly Path[]
  readonly fault: ApiFault | undefined
  readonly refusal: DraftRefusal | undefined
  /** Why nothing can be saved now, whatever is typed. */
  readonly hindrance: string | undefined
  /** Whether what was saved last was saved from here, and nothing was typed since. */
  readonly wasSaved: boolean
  /** Whether the person goes as soon as it is saved. */
  readonly isLeaving: boolean
}

/** What to save, and what it was made from. */
export type DraftSaving<T> = { readonly before: T; readonly value: T }

export type ComplaintsOf<T> = (draft: T, saved: T) => Complaints<string>

/** A draft to which nothing has happened yet. */
export const untouched = <T>(value: T | undefined, systemId: string): DraftContext<T> => ({
  systemId,
  saved: value,
  base: value,
  draft: value,
  sent: undefined,
  conflicts: [],
  fault: undefined,
  refusal: undefined,
  hindrance: undefined,
  wasSaved: false,
  isLeaving: false,
})

/** Whether what is on the screen differs from what is saved. */
export const isDraftModified = <T>({ draft, saved }: Pick<DraftContext<T>, 'draft' | 'saved'>): boolean =>
  !isSameValue(draft, saved)

/** Why what is typed cannot be saved; undefined when it can. */
export const obstacleTo = <T>(
  { draft, saved, conflicts, hindrance }: DraftContext<T>,
  complaintsOf: ComplaintsOf<T>,
): string | undefined => {
  if (conflicts.length > 0) return UNDECIDED
  if (hindrance !== undefined) return hindrance
  return draft !== undefined && saved !== undefined && isClean(complaintsOf(draft, saved)) ? undefined : INVALID
}

const moved = <T>({ base, value, conflicts }: Rebase<T>): Partial<DraftContext<T>> => ({
  base,
  draft: value,
  conflicts,
})

export const withLoaded = <T extends object>({ draft, base }: DraftContext<T>, value: T): Partial<DraftContext<T>> =>
  draft === undefined || base === undefined
    ? { draft: value, base: value, saved: value }
    : { saved: value, ...moved(rebased(base, draft, value)) }

export const withEdit = <T extends object>(
  { draft, base, saved, conflicts }: DraftContext<T>,
  change: Patch<T>,
): Partial<DraftContext<T>> => {
  if (draft === undefined || base === undefined || saved === undefined) return {}
  const edited = patched(draft, change)
  // Who sees a conflict and types what was there before decides it: an edit that says the same as its base would be none.
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

export const withDecision = <T extends object>(
  { draft, base, saved }: DraftContext<T>,
  { path, side }: Decision,
): Partial<DraftContext<T>> =>
  draft === undefined || base === undefined || saved === undefined ? {} : moved(decided(base, draft, saved, path, side))

/** All that was sent is reported. What was typed meanwhile is an edit of it, and no conflict with it. */
export const withTakenOver = <T extends object>(context: DraftContext<T>): Partial<DraftContext<T>> => ({
  sent: undefined,
  wasSaved: true,
  ...basedOn(context, sentPaths(context)),
})

/** Not all that was sent is reported, and it will not be. What a client filled in where something was made new is no conflict. */
export const withRefusal = <T extends object>(context: DraftContext<T>, because: string): Partial<DraftContext<T>> => {
  const { sent, saved } = context
  const missing = sent === undefined ? [] : missingEdits(sent.before, sent.value, saved)
  const made = sentPaths(context).filter(path => valueAt(sent?.before, path) === undefined)
  return { refusal: { because, missing }, sent: undefined, ...basedOn(context, made) }
}

const sentPaths = <T>({ sent }: DraftContext<T>): readonly Path[] => changedPaths(sent?.before, sent?.value)

/** Edits at these places count from what is saved now. */
const basedOn = <T extends object>(
  { draft, base, saved }: DraftContext<T>,
  paths: readonly Path[],
): Partial<DraftContext<T>> => {
  if (draft === undefined || base === undefined || saved === undefined) return {}
  const caughtUp = paths.reduce((value, path) => withValueAt(value, path, valueAt(saved, path)), base)
  return moved(rebased(caughtUp, draft, saved))
}

/*
 * Edited copies: what somebody changed in a value, laid over what the value has become meanwhile.
 * Values are JSON-like: texts, numbers, flags, lists and plain objects. Lists are one value each.
 */
import { own, record } from './read.ts'

export type Path = readonly string[]

/** A part of an object: what is named is changed, `undefined` takes a key away. Lists are replaced as a whole. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: Patch<T[Key]> | undefined }
    : T

/** Whether two values say the same. Keys that are `undefined` count as missing; the order of keys does not count. */
export const isSameValue = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSameValue(item, b[at]))
  const left = record(a)
  const right = record(b)
  if (left === undefined || right === undefined) return false
  return keysOf(left, right).every(key => isSameValue(own(left, key), own(right, key)))
}

/** The value with a part of it changed. What is not touched stays the same object. */
export const patched = <T extends object>(value: T, patch: Patch<T>): T => patchedUnknown(value, patch) as T

export type Merge<T> = {
  readonly value: T
  /** Where both sides changed the same thing to something different. The edited copy's side stands in `value`. */
  readonly conflicts: readonly Path[]
}

/**
 * Three-way merge: `base` is what both came from, `mine` the edited copy, `theirs` what the value has become. What
 * only one side changed is taken from that side; keys that one side made or took away are made or taken away.
 */
export const mergeEdits = <T extends object>(base: T, mine: T, theirs: T): Merge<T> => {
  const conflicts: Path[] = []
  return { value: merged(base, mine, theirs, [], conflicts) as T, conflicts }
}

export type Rebase<T> = Merge<T> & {
  /** What the edited copy is compared with from now on. */
  readonly base: T
}

/**
 * The edited copy moved onto what the value has become. The new base is `theirs`, but where both sides changed the same
 * thing it stays what it was: a conflict lasts until it is decided, or until one side comes round to the other. Fields
 * of the whole that `theirs` has not are no longer there to be edited.
 */
export const rebased = <T extends object>(base: T, mine: T, theirs: T): Rebase<T> => {
  const { value, conflicts } = mergeEdits(restricted(base, theirs), restricted(mine, theirs), theirs)
  return {
    value,
    conflicts,
    base: conflicts.reduce((moved, path) => withValueAt(moved, path, valueAt(base, path)), theirs),
  }
}

/** A conflict decided for one side. */
export const decided = <T extends object>(
  base: T,
  mine: T,
  theirs: T,
  path: Path,
  side: 'mine' | 'theirs',
): Rebase<T> => {
  const their = valueAt(theirs, path)
  return rebased(withValueAt(base, path, their), side === 'mine' ? mine : withValueAt(mine, path, their), theirs)
}

/** Where two values differ: the deepest places, a whole object only where it is there on one side alone. */
export const changedPaths = (before: unknown, after: unknown, at: Path = []): readonly Path[] => {
  if (isSameValue(before, after)) return []
  const left = record(before)
  const right = record(after)
  if (left === undefined || right === undefined) return [at]
  return keysOf(left, right).flatMap(key => changedPaths(own(left, key), own(right, key), [...at, key]))
}

/** The edits between `before` and `after` that `now` does not show. */
export const missingEdits = (before: unknown, after: unknown, now: unknown): readonly Path[] =>
  changedPaths(before, after).filter(path => !isSameValue(valueAt(after, path), valueAt(now, path)))

/** The value with the edits made to it that lead from `before` to `after`. */
export const withEdits = <T extends object>(value: T, before: T, after: T): T =>
  changedPaths(before, after).reduce((edited, path) => withValueAt(edited, path, valueAt(after, path)), value)

/** What stands at a place; undefined when there is no such place. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((node, key) => own(node, key), value)

/** The value with something else at a place that its parents have; `undefined` takes it away. */
export const withValueAt = <T extends object>(value: T, path: Path, part: unknown): T => putAt(value, path, part) as T

const putAt = (value: unknown, [key, ...rest]: Path, part: unknown): unknown => {
  if (key === undefined) return part
  const before = record(value)
  if (before === undefined) return value
  const after = new Map(Object.entries(before))
  const inner = putAt(own(before, key), rest, part)
  if (inner === undefined) after.delete(key)
  else after.set(key, inner)
  return Object.fromEntries(after)
}

const restricted = <T extends object>(value: T, fields: T): T => {
  const kept = Object.entries(value).filter(([key]) => own(fields, key) !== undefined)
  return kept.length === Object.keys(value).length ? value : (Object.fromEntries(kept) as T)
}

const patchedUnknown = (value: unknown, patch: unknown): unknown => {
  const change = record(patch)
  const before = record(value)
  if (change === undefined || before === undefined) return patch
  const after = new Map(Object.entries(before))
  for (const [key, part] of Object.entries(change)) {
    if (part === undefined) after.delete(key)
    else after.set(key, patchedUnknown(own(before, key), part))
  }
  const result = Object.fromEntries(after)
  return isSameValue(before, result) ? value : result
}

const merged = (base: unknown, mine: unknown, theirs: unknown, at: Path, conflicts: Path[]): unknown => {
  if (isSameValue(mine, theirs) || isSameValue(base, theirs)) return mine
  if (isSameValue(base, mine)) return theirs
  const ours = record(mine)
  const others = record(theirs)
  if (ours === undefined || others === undefined) {
    conflicts.push(at)
    return mine
  }
  const entries = keysOf(ours, others).map((key): [string, unknown] => [
    key,
    merged(own(base, key), own(ours, key), own(others, key), [...at, key], conflicts),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const keysOf = (...values: readonly Readonly<Record<string, unknown>>[]): readonly string[] => [
  ...new Set(values.flatMap(value => Object.keys(value))),
]

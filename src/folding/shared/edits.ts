/*
 * Three-way merge of form edits: a user's edits to a value that changes meanwhile elsewhere.
 * Values are JSON-like: strings, numbers, booleans, lists and plain objects. Lists are atomic.
 */
import { isSameValue } from './equal.ts'
import { ownValue, record } from './read.ts'

export { isSameValue } from './equal.ts'

export type Path = readonly string[]

/** A deep partial of an object: `undefined` deletes a key. Lists are replaced as a whole. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]?: Patch<T[Key]> | undefined }
    : T

/** The value with a patch applied. The same object when nothing changes. */
export function applyPatch<T extends object>(value: T, patch: Patch<T>): T {
  return patchedUnknown(value, patch) as T
}

export type Merge<T> = {
  readonly value: T
  /** Paths that both sides changed differently. `value` has the edited copy's side. */
  readonly conflicts: readonly Path[]
}

/**
 * Three-way merge: `base` is the common ancestor, `mine` the edited copy, `theirs` the current value. A change on one
 * side only is taken from that side; so are added and deleted keys.
 */
export function mergeEdits<T extends object>(base: T, mine: T, theirs: T): Merge<T> {
  const conflicts: Path[] = []
  return { value: merged(base, mine, theirs, [], conflicts) as T, conflicts }
}

export type Rebase<T> = Merge<T> & {
  /** What the edited copy is compared with from now on. */
  readonly base: T
}

/**
 * Rebases the edited copy onto the current value. The new base is `theirs`, except at conflicts, where the old base
 * stays: a conflict lasts until it is resolved, or until both sides agree. Top-level fields that `theirs` lacks are
 * dropped.
 */
export function rebaseEdits<T extends object>(base: T, mine: T, theirs: T): Rebase<T> {
  const { value, conflicts } = mergeEdits(restricted(base, theirs), restricted(mine, theirs), theirs)
  return {
    value,
    conflicts,
    base: conflicts.reduce((moved, path) => withValueAt(moved, path, valueAt(base, path)), theirs),
  }
}

/** Resolves a conflict for one side. */
export function resolveConflict<T extends object>(
  base: T,
  mine: T,
  theirs: T,
  path: Path,
  side: 'mine' | 'theirs',
): Rebase<T> {
  const their = valueAt(theirs, path)
  return rebaseEdits(withValueAt(base, path, their), side === 'mine' ? mine : withValueAt(mine, path, their), theirs)
}

/** The deepest paths at which two values differ; a whole object only where one side lacks it. */
export function changedPaths(before: unknown, after: unknown, at: Path = []): readonly Path[] {
  if (isSameValue(before, after)) return []
  const left = record(before)
  const right = record(after)
  if (left === undefined || right === undefined) return [at]
  return keysOf(left, right).flatMap(key => changedPaths(ownValue(left, key), ownValue(right, key), [...at, key]))
}

/** Paths of the edits from `before` to `after` that `now` does not have. */
export function missingEdits(before: unknown, after: unknown, now: unknown): readonly Path[] {
  return changedPaths(before, after).filter(path => !isSameValue(valueAt(after, path), valueAt(now, path)))
}

/** Applies the edits from `before` to `after` to another value. */
export function applyEdits<T extends object>(value: T, before: T, after: T): T {
  return changedPaths(before, after).reduce((edited, path) => withValueAt(edited, path, valueAt(after, path)), value)
}

/** The part at a path; undefined when there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => ownValue(node, key), value)
}

/** The value with another part at a path whose parents exist; `undefined` deletes it. */
export function withValueAt<T extends object>(value: T, path: Path, part: unknown): T {
  return putAt(value, path, part) as T
}

function putAt(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part
  const before = record(value)
  if (before === undefined) return value
  const after = new Map(Object.entries(before))
  const inner = putAt(ownValue(before, key), rest, part)
  if (inner === undefined) after.delete(key)
  else after.set(key, inner)
  return Object.fromEntries(after)
}

function restricted<T extends object>(value: T, fields: T): T {
  const retained = Object.entries(value).filter(([key]) => ownValue(fields, key) !== undefined)
  return retained.length === Object.keys(value).length ? value : (Object.fromEntries(retained) as T)
}

function patchedUnknown(value: unknown, patch: unknown): unknown {
  const change = record(patch)
  const before = record(value)
  if (change === undefined || before === undefined) return patch
  const after = new Map(Object.entries(before))
  for (const [key, part] of Object.entries(change)) {
    if (part === undefined) after.delete(key)
    else after.set(key, patchedUnknown(ownValue(before, key), part))
  }
  const result = Object.fromEntries(after)
  return isSameValue(before, result) ? value : result
}

function merged(base: unknown, mine: unknown, theirs: unknown, at: Path, conflicts: Path[]): unknown {
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
    merged(ownValue(base, key), ownValue(ours, key), ownValue(others, key), [...at, key], conflicts),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function keysOf(...values: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return [...new Set(values.flatMap(value => Object.keys(value)))]
}

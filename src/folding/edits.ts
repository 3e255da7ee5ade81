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
  return keysOf(left, right).every((key) => isSameValue(own(left, key), own(right, key)))
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
  ...new Set(values.flatMap((value) => Object.keys(value))),
]

import { isJsonList, isJsonObject } from './json.ts'

/** Deep equality of JSON-like values. Keys that are `undefined` count as missing; the order of keys does not count. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (isJsonList(a) && isJsonList(b)) return isSameList(a, b, isSameValue)
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  return (
    Object.keys(a).every(key => isSameValue(a[key], ownValue(b, key))) &&
    Object.keys(b).every(key => Object.hasOwn(a, key) || b[key] === undefined)
  )
}

/** Whether two lists have the same items in the same order; by identity, unless `isSame` is given. */
export function isSameList<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (one: T, other: T | undefined) => boolean = Object.is,
): boolean {
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]))
}

function ownValue(owner: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(owner, key) ? owner[key] : undefined
}

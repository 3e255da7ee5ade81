/*
 * Safe reading of untrusted values. A client may be newer, older or wrong: a field of an unexpected type counts as
 * missing and never throws.
 */

/** What JSON says; undefined for a text that is none. */
export function parsedJson(source: string, revive?: (key: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(source, revive)
  } catch {
    return undefined
  }
}

/** A finite number, or undefined for everything else (NaN, infinities and numbers in text included). */
export function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A number from 0 to `MAX_SAFE_INTEGER`, so that sums stay finite. */
export function positive(value: unknown): number | undefined {
  const number = finite(value)
  return number === undefined || number < 0 || number > Number.MAX_SAFE_INTEGER ? undefined : number
}

/** A string that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** An object that is neither null nor a list. */
export function record(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined
}

/** A list; anything else counts as the empty list. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING
}

/** An own property of an object; inherited names such as `constructor` are never found. */
export function ownValue(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The strings of a list; other elements are left out. */
export function texts(value: unknown): readonly string[] {
  return list(value).filter((element): element is string => typeof element === 'string')
}

const NOTHING: readonly unknown[] = Object.freeze([])

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

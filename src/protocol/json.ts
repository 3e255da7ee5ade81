import { type Fault, type Result, bad, good } from './fault.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** The largest accepted message, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** The deepest accepted nesting: `[[1]]` has depth 2. */
export const MAX_DEPTH = 64

/** The most lists and objects that are accepted: a molecule of 25 MB has fewer, and each takes memory and time. */
export const MAX_PARTS = 1_500_000

const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Keys that could pollute prototypes. They are never used as keys. */
export function isUnsafeKey(key: string): boolean {
  return UNSAFE_KEYS.has(key)
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}

/** Parses a message. Rejected: more than 64 MiB, nested deeper than 64, too many parts, not JSON. Unsafe keys are dropped and reported once. */
export function parseMessage(text: string): Result<Json> {
  if (isLargerThan(text, MAX_MESSAGE_BYTES)) return bad({ kind: 'too-large', limit: MAX_MESSAGE_BYTES })
  const fault = structureFault(text)
  if (fault !== undefined) return bad(fault)
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return bad({ kind: 'not-json' })
  }
  return mayHoldUnsafeKeys(text) ? good(value, dropUnsafeKeys(value)) : good(value)
}

/** Whether a text has more than `limit` bytes of UTF-8. */
export function isLargerThan(text: string, limit: number): boolean {
  if (text.length > limit) return true
  if (text.length * 3 <= limit) return false
  let bytes = text.length
  for (let at = 0; at < text.length && bytes <= limit; at++) {
    const unit = text.charCodeAt(at)
    // A surrogate counts 2: each half of a pair stands for 2 of its 4 bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes > limit
}

// Checked before parsing, since a parser may recurse. Invalid JSON is left to the parser.
function structureFault(text: string): Fault | undefined {
  if (text.length < 2 * MAX_DEPTH + 2) return undefined
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) {
      at = endOfString(text, at)
      if (at < 0) return undefined
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > MAX_DEPTH) return { kind: 'too-deep', limit: MAX_DEPTH }
      if (++parts > MAX_PARTS) return { kind: 'too-many-parts', limit: MAX_PARTS }
    } else if (unit === 0x5d || unit === 0x7d) depth--
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === 0x5c) first--
  return (at - first) % 2 === 1
}

// Only escapes such as `\u005f` can spell the characters of these keys.
const ESCAPED_LETTER = /\\u00[567]/

function mayHoldUnsafeKeys(text: string): boolean {
  return (
    text.includes('__proto__') ||
    text.includes('constructor') ||
    text.includes('prototype') ||
    (text.includes('\\u') && ESCAPED_LETTER.test(text))
  )
}

// The value was just parsed and is not shared, so it is changed in place.
function dropUnsafeKeys(value: Json): readonly Fault[] {
  const found = new Set<string>()
  const open: Json[] = [value]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue
    if (isJsonList(node)) {
      for (const item of node) if (typeof item === 'object') open.push(item)
      continue
    }
    for (const key of UNSAFE_KEYS) {
      if (!Object.hasOwn(node, key)) continue
      found.add(key)
      Reflect.deleteProperty(node, key)
    }
    for (const item of Object.values(node)) if (typeof item === 'object') open.push(item)
  }
  return [...found].map(key => ({ kind: 'unsafe-key', key }))
}

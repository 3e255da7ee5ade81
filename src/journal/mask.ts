import { t } from '@lingui/core/macro'
import { addressOf, isActorRef } from './address.ts'
import { ActorLink, isLinked, linked } from './links.ts'

/**
 * Replaces secrets in what is recorded. The placeholder of a secret passes the same validation, is empty if the secret
 * is, and is the same for equal secrets, so that machines take the same transitions in a replay.
 */
export type Mask = {
  /** The value without secrets; the same object when it has none. */
  readonly apply: (value: unknown) => Masked
  /** As `apply`, for a value that shares parts with earlier ones: only new parts are scanned. */
  readonly applyShared: (value: unknown) => Masked
  /** Runs a function that applies the mask to all current values, then forgets secrets that did not occur. */
  readonly forgetUnseenDuring: <Result>(run: () => Result) => Result
  /** Replaces known secrets inside a text. */
  readonly clean: (text: string) => string
  /** Whether the mask still holds a secret in memory. */
  readonly remembers: (secret: string) => boolean
}

export type Masked = {
  readonly value: unknown
  /** Estimated bytes of new memory. */
  readonly size: number
}

/** Shorter secrets would match unrelated words. */
const SHORTEST_SEARCHED = 6
/** Texts are searched for the newest secrets only, since a client might send thousands. */
const MAX_SEARCHED = 256

const OBJECT_BYTES = 32
const FIELD_BYTES = 12

/** Values of fields with one of `secretNames` are secrets. */
export function createMask(
  secretNames: ReadonlySet<string>,
  makePlaceholder: (secret: string, number: number) => string = placeholderFor,
): Mask {
  const isSecretKey = (key: unknown): boolean => typeof key === 'string' && secretNames.has(key)
  const placeholders = new Map<string, string>()
  /** All placeholders ever made, and the secrets of those still needed. */
  const allPlaceholders = new Set<string>()
  const originals = new Map<string, string>()
  const maskedValues = new WeakMap<object, unknown>()
  /** Secrets by the value that contains them, so that they are collected with it. */
  const heldBy = new WeakMap<object, ReadonlySet<string>>()
  /** Secrets found in the current shared value, and in all values of a round. */
  let met: Set<string> | undefined
  let round: Set<string> | undefined
  let searchedSecrets: string[] = []
  let count = 0
  let size = 0

  const placeholderOf = (secret: string): string => {
    if (secret === '' || allPlaceholders.has(secret)) {
      // In a replay, machines hold the placeholder instead of the secret.
      const original = originals.get(secret)
      if (original !== undefined) met?.add(original)
      return secret
    }
    met?.add(secret)
    const before = placeholders.get(secret)
    if (before !== undefined) return before
    const made = makePlaceholder(secret, ++count)
    placeholders.set(secret, made)
    originals.set(made, secret)
    allPlaceholders.add(made)
    if (secret.length >= SHORTEST_SEARCHED) searchedSecrets.push(secret)
    if (searchedSecrets.length > MAX_SEARCHED) searchedSecrets.shift()
    return made
  }

  const clean = (text: string): string => {
    let cleaned = text
    for (const secret of searchedSecrets)
      if (cleaned.length >= secret.length && cleaned.includes(secret))
        cleaned = cleaned.replaceAll(secret, () => placeholders.get(secret) ?? '')
    return cleaned
  }

  const hide = (value: unknown, isSecret: boolean, isShared: boolean): unknown => {
    if (typeof value === 'string') {
      size += value.length
      return isSecret ? placeholderOf(value) : clean(value)
    }
    if (typeof value === 'number') return isSecret ? 0 : value
    if (typeof value === 'function' || typeof value === 'symbol') return undefined
    if (typeof value !== 'object' || value === null) return value
    if (!isShared || isSecret) return hideObject(value, isSecret, isShared)
    const outer = met
    const before = maskedValues.get(value)
    if (before !== undefined) {
      for (const secret of heldBy.get(value) ?? []) outer?.add(secret)
      return before
    }
    met = new Set()
    const masked = hideObject(value, isSecret, isShared)
    maskedValues.set(value, masked)
    if (met.size > 0) heldBy.set(value, met)
    for (const secret of met) outer?.add(secret)
    met = outer
    return masked
  }

  const hideObject = (value: object, isSecret: boolean, isShared: boolean): unknown => {
    size += OBJECT_BYTES
    if (Array.isArray(value)) return hideList(value, isSecret, isShared)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return hideRecord(value, isSecret, isShared)
    if (value instanceof Map) return hideMap(value, isSecret, isShared)
    if (ArrayBuffer.isView(value)) {
      size += value.byteLength
      return isSecret ? undefined : value
    }
    if (value instanceof ActorLink || value instanceof Set || value instanceof Error) return value
    if (isActorRef(value)) return new ActorLink(addressOf(value))
    // Instances with `toJSON` stay; keys, files and the like are replaced.
    return 'toJSON' in value ? value : { hidden: Object.prototype.toString.call(value).slice(8, -1) }
  }

  const hideList = (list: readonly unknown[], isSecret: boolean, isShared: boolean): unknown => {
    let copy: unknown[] | undefined
    let hasLinks = false
    for (let at = 0; at < list.length; at++) {
      const before = list[at]
      // A change begins with its path: `['config', 'passkey', 'abc…']`.
      const after = hide(before, isSecret || (at > 0 && at === list.length - 1 && isSecretKey(list[at - 1])), isShared)
      hasLinks ||= isLinked(after)
      if (after !== before) (copy ??= list.slice())[at] = after
    }
    size += list.length * 8
    if (hasLinks && copy !== undefined) linked.add(copy)
    return copy ?? list
  }

  const hideRecord = (record: object, isSecret: boolean, isShared: boolean): unknown => {
    const fields = record as Readonly<Record<string, unknown>>
    let copy: Record<string, unknown> | undefined
    let hasLinks = false
    for (const key in fields) {
      size += FIELD_BYTES
      const before = fields[key]
      const after = hide(before, isSecret || secretNames.has(key), isShared)
      hasLinks ||= isLinked(after)
      if (after !== before) (copy ??= { ...fields })[key] = after
    }
    if (hasLinks && copy !== undefined) linked.add(copy)
    return copy ?? record
  }

  const hideMap = (map: ReadonlyMap<unknown, unknown>, isSecret: boolean, isShared: boolean): unknown => {
    const entries = [...map].map(([key, value]) => [key, hide(value, isSecret || isSecretKey(key), isShared)] as const)
    if (!entries.some(([key, value]) => map.get(key) !== value)) return map
    const copy = new Map(entries)
    if (entries.some(([, value]) => isLinked(value))) linked.add(copy)
    return copy
  }

  const measured = (act: () => unknown): Masked => {
    size = 0
    return { value: act(), size }
  }

  return {
    apply: value => measured(() => hide(value, false, false)),
    applyShared: value =>
      measured(() => {
        met = round
        const masked = hide(value, false, true)
        met = undefined
        return masked
      }),
    forgetUnseenDuring: run => {
      const seenSecrets = new Set<string>()
      round = seenSecrets
      try {
        return run()
      } finally {
        round = undefined
        const gone = [...placeholders.keys()].filter(secret => !seenSecrets.has(secret))
        for (const secret of gone) {
          originals.delete(placeholders.get(secret) ?? '')
          placeholders.delete(secret)
        }
        if (gone.length > 0) searchedSecrets = searchedSecrets.filter(secret => seenSecrets.has(secret))
      }
    },
    clean,
    remembers: secret => placeholders.has(secret),
  }
}

const PASSKEY = /^[0-9a-f]{30,32}$/i
/** The shortest valid passphrase (docs/product.md §5). */
const PASSPHRASE_LENGTH = 10

/** A passkey for a passkey, otherwise a text that is long enough if the secret is. No character of the secret remains. */
function placeholderFor(secret: string, number: number): string {
  if (PASSKEY.test(secret)) return number.toString(16).padStart(secret.length, '0')
  return secret.length < PASSPHRASE_LENGTH ? `hid ${number}`.slice(0, PASSPHRASE_LENGTH - 1) : t`hidden no. ${number}`
}
